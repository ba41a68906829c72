import path from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type postgres from "postgres";
import { driverOf, openDb } from "@/db/client";
import { DumpProblem, type Header, type Manifest, type TableLine } from "@/db/dump/format";
import { guardLostOrders, type RestoreGuard } from "@/db/dump/guard-lost-orders";
import { checkDump, readDump } from "@/db/dump/read-dump";
import { setPlainForms, sumTable, writeRows } from "@/db/dump/table-copy";
import { migrateTables, migrateWithin } from "@/db/migrate";

/**
 * Restores a dump into an empty database, all or nothing: creates the tables as of the dump, inserts the rows, compares each table with
 * the manifest, and only then applies the later migrations. Unless the dump is a copy, orders that were created after it are guarded
 * (`guardLostOrders`).
 * @param folder db/ of the project
 * @param isCopy true if the dump contains the last state in use, so that no order is lost
 * @returns the manifest, with every table verified row by row, and the guard
 * @throws DumpProblem if the file is incomplete or too new, or if the database is not empty; the database is then unchanged
 */
export async function restoreDump(
  url: string,
  file: string,
  folder: string,
  { isCopy = false } = {},
): Promise<Manifest & { guard: RestoreGuard | null }> {
  const { header, manifest } = await checkDump(file);
  refuseForeign(header, folder, file);
  const pool = openDb(url, { work: "none", max: 1, applicationName: "stablegate-restore" });
  try {
    const guard = await pool.db.transaction(async (tx) => {
      const sql = driverOf(tx);
      await refuseFilled(sql);
      await migrateTables(tx, folder, header.migrations.at(-1)?.madeMs ?? 0);
      await setPlainForms(sql);
      const links = await dropLinks(sql);
      for (const { table } of manifest.tables) await sql`delete from ${sql(table)}`;
      await fill(sql, file);
      for (const { name, last } of manifest.sequences) await sql`select setval(${name}::regclass, ${last}::bigint)`;
      for (const { on, name, definition } of links)
        await sql`alter table ${sql(on)} add constraint ${sql(name)} ${sql.unsafe(definition)}`;
      await compare(sql, manifest);
      await migrateWithin(tx, folder);
      return isCopy ? null : guardLostOrders(sql);
    });
    return { ...manifest, guard };
  } finally {
    await pool.close();
  }
}

/** Returns true if a database matches a manifest, table by table and row by row, which means that a restore into it was complete. */
export async function holdsAll(url: string, { tables }: Pick<Manifest, "tables">): Promise<boolean> {
  const pool = openDb(url, { work: "none", max: 1, applicationName: "stablegate-restore" });
  try {
    return await pool.sql.begin("isolation level repeatable read read only", async (tx) => {
      const sql = tx as unknown as postgres.Sql;
      await setPlainForms(sql);
      const names = tables.map(({ table }) => table);
      const [found] = await sql`
        select count(*)::int as n from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname = any(${names})`;
      if (found?.["n"] !== names.length) return false;
      for (const table of tables) if (!isEqual(await sumTable(sql, table), table)) return false;
      return true;
    });
  } finally {
    await pool.close();
  }
}

/** Throws an error if the dump's schema is unknown to this version and therefore cannot be migrated. */
function refuseForeign({ migrations }: Header, folder: string, file: string): void {
  const known = readMigrationFiles({ migrationsFolder: path.join(folder, "migrations") });
  const unknown = migrations.find(({ hash }, at) => known[at]?.hash !== hash);
  if (unknown)
    throw new DumpProblem(
      `${file} was made by a newer or unreleased version of Stablegate (schema of ${new Date(unknown.madeMs).toISOString()}). Nothing was changed; restore it with the version that made it.`,
    );
}

async function refuseFilled(sql: postgres.Sql): Promise<void> {
  const found = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S', 'f') order by 1`;
  if (found.length > 0)
    throw new DumpProblem(
      `The database is not empty: it holds ${found.length} tables and sequences, such as ${found[0]?.name}. Nothing was changed; restore into an empty one (create database …).`,
    );
}

interface Link {
  on: string;
  name: string;
  definition: string;
}

/**
 * Drops the foreign keys, which would require the tables to be restored in a certain order. When they are added again, they check every
 * row.
 */
async function dropLinks(sql: postgres.Sql): Promise<Link[]> {
  const links = await sql<Link[]>`
    select c.relname as on, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.conparentid = 0 and c.relnamespace = current_schema()::regnamespace`;
  for (const { on, name } of links) await sql`alter table ${sql(on)} drop constraint ${sql(name)}`;
  return [...links];
}

async function fill(sql: postgres.Sql, file: string): Promise<void> {
  const parts = readDump(file);
  let next = await parts.next();
  while (!next.done) {
    if (next.value.kind === "table") await writeRows(sql, next.value.table, rowsOf(parts));
    next = await parts.next();
  }
}

/** Yields the remaining rows of the current table of `parts`. Afterward, `parts` continues after this table. */
async function* rowsOf(parts: ReturnType<typeof readDump>): AsyncGenerator<Buffer[]> {
  for (let next = await parts.next(); !next.done && next.value.kind === "rows"; next = await parts.next())
    yield next.value.rows;
}

type Sum = Pick<Manifest["tables"][number], "rows" | "checksum">;

const isEqual = (one: Sum, other: Sum) => one.rows === other.rows && one.checksum === other.checksum;

async function compare(sql: postgres.Sql, { tables }: Manifest): Promise<void> {
  for (const table of tables) {
    const found = await sumTable(sql, table satisfies TableLine);
    if (!isEqual(found, table))
      throw new DumpProblem(
        `Table ${table.table} differs from the dump after the restore (${found.rows} rows; ${table.rows} in the dump). Nothing was kept; please report this.`,
      );
  }
}
