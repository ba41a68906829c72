import { createHash } from "node:crypto";
import * as z from "zod";

/**
 * The first line of a dump. A dump is one gzip stream of lines: a header; for each table a line with its name, its rows
 * in COPY's text form, and `\.`; finally the manifest, without which the dump is incomplete.
 */
export const Header = z.object({
  format: z.literal("stablegate-dump/1"),
  madeAt: z.string(),
  server: z.string(),
  /** The applied migrations, oldest first; the last is the schema's version. */
  migrations: z.array(z.object({ madeMs: z.number(), hash: z.string() })).min(1),
});
export type Header = z.infer<typeof Header>;

export const TableLine = z.object({ table: z.string(), columns: z.array(z.string()) });
export type TableLine = z.infer<typeof TableLine>;

export const Manifest = z.object({
  tables: z.array(TableLine.extend({ rows: z.number(), checksum: z.string() })),
  sequences: z.array(z.object({ name: z.string(), last: z.string() })),
  /** The SHA-256 of all bytes before the manifest's line. */
  sha256: z.string(),
});
export type Manifest = z.infer<typeof Manifest>;

/** The line that ends a table's rows. No row in COPY's text form is equal to it. */
export const END_OF_ROWS = "\\.";

/** A problem that a user can solve, with a file, a target or a disk. */
export class DumpProblem extends Error {
  override readonly name = "DumpProblem";
}

/** A row count and a sum of row hashes (modulo 2^128), so that two tables can be compared regardless of the order of their rows. */
export class RowSum {
  rows = 0;
  #sum = 0n;

  /**
   * Adds a row.
   * @param row in COPY's text form, without its line feed
   */
  add(row: Buffer): void {
    const digest = createHash("sha256").update(row).digest();
    this.#sum = BigInt.asUintN(128, this.#sum + (digest.readBigUInt64BE(0) << 64n) + digest.readBigUInt64BE(8));
    this.rows++;
  }

  get checksum(): string {
    return this.#sum.toString(16).padStart(32, "0");
  }
}

/** Splits a stream of bytes into lines, without their line feeds. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const lines: Buffer[] = [];
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      lines.push(bytes.subarray(from, at));
      from = at + 1;
    }
    rest = bytes.subarray(from);
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0) throw new DumpProblem("the last line is incomplete");
}
