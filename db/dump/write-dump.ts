import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type postgres from "postgres";
import { openDb } from "@/db/client";
import { DumpProblem, END_OF_ROWS, type Header, type Manifest, RowSum } from "@/db/dump/format";
import { LINE_FEED, listTables, readRows, setPlainForms } from "@/db/dump/table-copy";

/**
 * Writes every table, as of one point in time, into one compressed file. It is written next to its final path and renamed when it is
 * complete and on disk. Only reads the database; the service keeps running.
 * @returns the manifest at the end of the file
 * @throws DumpProblem if the disk is full or the database was never set up
 */
export async function writeDump(url: string, file: string, now: Date): Promise<Manifest> {
  const draft = `${file}.part`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const pool = openDb(url, { work: "none", max: 1, applicationName: "stablegate-dump" });
  try {
    const manifest = await pool.sql.begin("isolation level repeatable read read only", async (tx) => {
      const sql = tx as unknown as postgres.Sql;
      await setPlainForms(sql);
      const contents = new Contents(sql, now);
      const target = createWriteStream(draft, { mode: 0o600, flush: true });
      await pipeline(Readable.from(contents.read()), createGzip(), target);
      return contents.manifest;
    });
    await rename(draft, file);
    await flushFolder(path.dirname(file));
    return manifest;
  } catch (error) {
    await rm(draft, { force: true });
    throw messageOf(error, file);
  } finally {
    await pool.close();
  }
}

class Contents {
  readonly manifest: Manifest = { tables: [], sequences: [], sha256: "" };
  readonly #sql: postgres.Sql;
  readonly #now: Date;
  readonly #hash = createHash("sha256");

  constructor(sql: postgres.Sql, now: Date) {
    this.#sql = sql;
    this.#now = now;
  }

  async *read(): AsyncGenerator<Buffer> {
    yield this.#keep(lineOf(await this.#header()));
    for (const table of await listTables(this.#sql)) {
      const sum = new RowSum();
      yield this.#keep(lineOf(table));
      for await (const rows of readRows(this.#sql, table)) {
        for (const row of rows) sum.add(row);
        yield this.#keep(Buffer.concat(rows.flatMap((row) => [row, LINE_FEED])));
      }
      yield this.#keep(Buffer.from(`${END_OF_ROWS}\n`));
      this.manifest.tables.push({ ...table, rows: sum.rows, checksum: sum.checksum });
    }
    this.manifest.sequences = [
      ...(await this.#sql<Manifest["sequences"]>`
        select sequencename as name, last_value::text as last from pg_sequences
        where schemaname = current_schema() and last_value is not null order by 1`),
    ];
    this.manifest.sha256 = this.#hash.digest("hex");
    yield lineOf(this.manifest);
  }

  async #header(): Promise<Header> {
    const [found] = await this.#sql`select to_regclass('schema_migrations') is not null as is_there`;
    if (!found?.["is_there"])
      throw new DumpProblem("The database has no tables of Stablegate yet, so there is nothing to dump.");
    const migrations = await this.#sql<Header["migrations"]>`
      select made_ms::float8 as "madeMs", hash from schema_migrations order by made_ms`;
    const [server] = await this.#sql`select current_setting('server_version') as version`;
    return {
      format: "stablegate-dump/1",
      madeAt: this.#now.toISOString(),
      server: String(server?.["version"]),
      migrations: [...migrations],
    };
  }

  #keep(bytes: Buffer): Buffer {
    this.#hash.update(bytes);
    return bytes;
  }
}

const lineOf = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`);

/** Flushes a folder. A renamed file survives a power failure only if its folder was flushed, too. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

function messageOf(error: unknown, file: string): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOSPC" || code === "EDQUOT")
    return new DumpProblem(
      `The disk was full before ${file} was complete; the partial file was removed. Free some space and run the command again.`,
      { cause: error },
    );
  if (code === "EACCES" || code === "EROFS")
    return new DumpProblem(`${file} cannot be written (${code}); specify a folder that this user can write to.`, {
      cause: error,
    });
  return error;
}
