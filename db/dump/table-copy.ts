import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type postgres from "postgres";
import { linesOf, RowSum, type TableLine } from "@/db/dump/format";

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const columnsOf = ({ columns }: TableLine) => columns.map(quoted).join(", ");

/** Sets the output formats, so that a value has the same text form regardless of the settings of the server or the role. */
export async function setPlainForms(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(
    "set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local intervalstyle = 'postgres'; set local extra_float_digits = 3; set local bytea_output = 'hex'",
  );
}

/** Returns every table of the schema with its columns that store values. A partitioned table counts as one table. */
export async function listTables(sql: postgres.Sql): Promise<TableLine[]> {
  return [
    ...(await sql<TableLine[]>`
      select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      group by c.relname order by c.relname`),
  ];
}

/** Yields the rows of a table in COPY's text form, in chunks. */
export async function* readRows(sql: postgres.Sql, table: TableLine): AsyncGenerator<Buffer[]> {
  const query = `copy (select ${columnsOf(table)} from ${quoted(table.table)}) to stdout`;
  yield* linesOf(await sql.unsafe(query).readable());
}

export async function writeRows(sql: postgres.Sql, table: TableLine, rows: AsyncIterable<Buffer[]>): Promise<void> {
  const target = await sql.unsafe(`copy ${quoted(table.table)} (${columnsOf(table)}) from stdin`).writable();
  await pipeline(Readable.from(joinRows(rows)), target);
}

async function* joinRows(rows: AsyncIterable<Buffer[]>): AsyncGenerator<Buffer> {
  for await (const some of rows) yield Buffer.concat(some.flatMap((row) => [row, LINE_FEED]));
}
export const LINE_FEED = Buffer.from("\n");

/** Returns the row count and checksum of a table's current rows. */
export async function sumTable(sql: postgres.Sql, table: TableLine): Promise<RowSum> {
  const sum = new RowSum();
  for await (const rows of readRows(sql, table)) for (const row of rows) sum.add(row);
  return sum;
}
