import { createHash } from "node:crypto";
import { z } from "zod";

/**
 * A dump is one gzip stream of lines: a header; per table a line that names it, its rows in COPY's text form, and `\.`; at
 * last the manifest, without which it is not whole.
 */
export const Header = z.object({
  format: z.literal("stablegate-dump/1"),
  madeAt: z.string(),
  server: z.string(),
  /** Oldest first; the last is the schema's version. */
  migrations: z.array(z.object({ madeMs: z.number(), hash: z.string() })).min(1),
});
export type Header = z.infer<typeof Header>;

export const TableLine = z.object({ table: z.string(), columns: z.array(z.string()) });
export type TableLine = z.infer<typeof TableLine>;

export const Manifest = z.object({
  tables: z.array(TableLine.extend({ rows: z.number(), checksum: z.string() })),
  sequences: z.array(z.object({ name: z.string(), last: z.string() })),
  /** SHA-256 of all bytes before the manifest's line. */
  sha256: z.string(),
});
export type Manifest = z.infer<typeof Manifest>;

/** Ends a table's rows; no row in COPY's text form looks like it. */
export const END_OF_ROWS = "\\.";

/** Something a person can put right: a file, a target, a disk. */
export class DumpProblem extends Error {
  override readonly name = "DumpProblem";
}

/** Counts rows and sums their hashes (modulo 2^128), so that two tables compare row for row in whatever order they come. */
export class RowSum {
  rows = 0;
  #sum = 0n;

  /** @param row in COPY's text form, without its line feed */
  add(row: Buffer): void {
    const digest = createHash("sha256").update(row).digest();
    this.#sum = BigInt.asUintN(128, this.#sum + (digest.readBigUInt64BE(0) << 64n) + digest.readBigUInt64BE(8));
    this.rows++;
  }

  get checksum(): string {
    return this.#sum.toString(16).padStart(32, "0");
  }
}

/** Cuts a stream of bytes into lines, without their line feeds. */
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
  if (rest.length > 0) throw new DumpProblem("the last line is cut off");
}
