import type postgres from "postgres";
import type { TableLine } from "@/db/dump/format";
import { guardLostOrders } from "@/db/dump/guard-lost-orders";
import { listTables, readRows, setPlainForms, writeRows } from "@/db/dump/table-copy";

/** The rows of a table, in the format of a dump. */
export interface TableCopy {
  table: TableLine;
  rows: Buffer[];
}

/** The tables that describe the schema; their rows are kept. */
const KEPT = new Set(["schema_migrations"]);

/** Copies every table into memory, as `npm run dump` does into a file. */
export async function copyTables(sql: postgres.Sql): Promise<TableCopy[]> {
  return sql.begin("isolation level repeatable read read only", async (tx) => {
    const own = tx as unknown as postgres.Sql;
    await setPlainForms(own);
    const copies: TableCopy[] = [];
    for (const table of await listTables(own)) {
      const rows: Buffer[] = [];
      if (!KEPT.has(table.table)) for await (const some of readRows(own, table)) rows.push(...some);
      copies.push({ table, rows });
    }
    return copies;
  }) as Promise<TableCopy[]>;
}

/** A function that shadows PostgreSQL's own clock on the search path, and returns the setting `world.now`. */
const CLOCK = `
  create schema if not exists world_clock;
  create or replace function world_clock.clock_timestamp() returns timestamptz language sql
    as $$ select current_setting('world.now')::timestamptz $$`;

/** Restores every table from a copy, and applies the rules of `npm run restore`. */
export async function restoreTables(sql: postgres.Sql, copies: readonly TableCopy[], now: Date): Promise<void> {
  await sql.unsafe(CLOCK);
  await sql.begin(async (tx) => {
    const own = tx as unknown as postgres.Sql;
    await deleteAll(own);
    await setPlainForms(own);
    for (const { table, rows } of copies) if (rows.length > 0) await writeRows(own, table, some(rows));
    await own.unsafe("set local session_replication_role = origin");
    await own.unsafe(
      `set local world.now = '${now.toISOString()}'; set local search_path = world_clock, pg_catalog, public`,
    );
    await guardLostOrders(own);
  });
}

async function* some(rows: Buffer[]): AsyncGenerator<Buffer[]> {
  yield rows;
}

/** Deletes all rows of the previous run. */
export async function emptyTables(sql: postgres.Sql): Promise<void> {
  await sql.begin(async (tx) => deleteAll(tx as unknown as postgres.Sql));
}

/** The size in bytes above which truncating a table is faster than deleting its rows. */
const LARGE = 4_000_000;

/** Deletes all rows without checking foreign keys. With these checks, the tables would have to be emptied in a certain order. */
async function deleteAll(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`do $$
    declare
      one regclass;
    begin
      set local session_replication_role = replica;
      for one in
        select c.oid from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
          and c.relname not in (${[...KEPT].map((name) => `'${name}'`).join(", ")})
      loop
        if pg_relation_size(one) > ${LARGE} then
          execute format('truncate %s cascade', one);
        else
          execute format('delete from %s', one);
        end if;
      end loop;
    end $$`);
}
