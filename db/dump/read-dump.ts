import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { DumpProblem, END_OF_ROWS, Header, linesOf, Manifest, RowSum, TableLine } from "@/db/dump/format";
import { LINE_FEED } from "@/db/dump/table-copy";

type Part =
  | { kind: "header"; header: Header }
  | { kind: "table"; table: TableLine }
  | { kind: "rows"; rows: Buffer[] }
  | { kind: "end-of-table" }
  | { kind: "manifest"; manifest: Manifest };

/**
 * Reads a dump part by part.
 * @throws DumpProblem if the file is truncated, damaged or not a dump
 */
export async function* readDump(file: string): AsyncGenerator<Part> {
  const reader = new Reader();
  try {
    const source = createReadStream(file);
    const plain = createGunzip();
    source.once("error", (error) => plain.destroy(error));
    for await (const lines of linesOf(source.pipe(plain))) yield* reader.take(lines);
  } catch (error) {
    throw problemOf(error, file);
  }
  if (!reader.isWhole) throw problemOf(new Error("its manifest is missing"), file);
}

/**
 * Reads a dump to its end and compares it with its manifest, so that no restore starts from an incomplete one.
 * @throws DumpProblem
 */
export async function checkDump(file: string): Promise<{ header: Header; manifest: Manifest }> {
  const tables: Manifest["tables"] = [];
  let header: Header | null = null;
  let sum = new RowSum();
  let table: TableLine | null = null;
  let manifest: Manifest | null = null;
  for await (const part of readDump(file)) {
    if (part.kind === "header") header = part.header;
    if (part.kind === "table") [table, sum] = [part.table, new RowSum()];
    if (part.kind === "rows") for (const row of part.rows) sum.add(row);
    if (part.kind === "end-of-table" && table) tables.push({ ...table, rows: sum.rows, checksum: sum.checksum });
    if (part.kind === "manifest") manifest = part.manifest;
  }
  if (header && manifest && JSON.stringify(tables) === JSON.stringify(manifest.tables)) return { header, manifest };
  throw problemOf(new Error("its rows differ from its manifest"), file);
}

class Reader {
  isWhole = false;
  readonly #hash = createHash("sha256");
  #state: "start" | "between" | "rows" = "start";

  *take(lines: Buffer[]): Generator<Part> {
    let rows: Buffer[] = [];
    for (const line of lines) {
      if (this.isWhole) throw new Error("there is data after its manifest");
      if (this.#state === "rows" && !line.equals(END)) {
        this.#keep(line);
        rows.push(line);
        continue;
      }
      if (rows.length > 0) yield { kind: "rows", rows };
      rows = [];
      yield this.#readMark(line);
    }
    if (rows.length > 0) yield { kind: "rows", rows };
  }

  #readMark(line: Buffer): Part {
    if (this.#state === "rows") {
      this.#keep(line);
      this.#state = "between";
      return { kind: "end-of-table" };
    }
    const value: unknown = JSON.parse(line.toString());
    if (this.#state === "between" && typeof value === "object" && value && "tables" in value)
      return this.#finish(value);
    this.#keep(line);
    if (this.#state === "start") {
      this.#state = "between";
      return { kind: "header", header: Header.parse(value) };
    }
    this.#state = "rows";
    return { kind: "table", table: TableLine.parse(value) };
  }

  #finish(value: object): Part {
    const manifest = Manifest.parse(value);
    if (this.#hash.digest("hex") !== manifest.sha256) throw new Error("its checksum does not match");
    this.isWhole = true;
    return { kind: "manifest", manifest };
  }

  #keep(line: Buffer): void {
    this.#hash.update(line).update(LINE_FEED);
  }
}

const END = Buffer.from(END_OF_ROWS);

function problemOf(error: unknown, file: string): DumpProblem {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT") return new DumpProblem(`There is no file ${file}.`, { cause: error });
  const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
  return new DumpProblem(
    `${file} is not a complete dump (${why}): it was truncated or damaged in transit, or is a different kind of file. Nothing was changed; use another dump.`,
    { cause: error },
  );
}
