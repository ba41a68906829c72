import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** Drops those indexes of the given tables that no constraint requires, and records their definitions for `restoreIndexes`. */
export async function removeIndexes(db: Db, tables: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`create table history_indexes (name text primary key, statement text not null)`);
    const rows = await tx.execute<{ name: string }>(sql`
      insert into history_indexes
      select i.relname, replace(pg_get_indexdef(i.oid), ' ON ONLY ', ' ON ')
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      where t.relnamespace = current_schema()::regnamespace and t.relname = any(${sql.param([...tables])})
        and not exists (select from pg_constraint c where c.conindid = i.oid)
      returning name`);
    for (const { name } of rows) await tx.execute(sql`drop index ${sql.identifier(name)}`);
  });
}

/** Builds the indexes that removeIndexes dropped and that are still missing, one after the other with parallel workers. */
export async function restoreIndexes(db: Db, note: (line: string) => void): Promise<void> {
  const indexes = await db.execute<{ name: string; statement: string }>(
    sql`select name, statement from history_indexes order by name`,
  );
  for (const { name, statement } of indexes)
    await db.transaction(async (tx) => {
      note(`index ${name}`);
      await tx.execute(sql`set local maintenance_work_mem = '1GB'`);
      await tx.execute(sql.raw(statement));
      await tx.execute(sql`delete from history_indexes where name = ${name}`);
    });
}
