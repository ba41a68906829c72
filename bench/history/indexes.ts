import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** An index that was dropped, with the statement that builds it. */
export interface TakenIndex {
  name: string;
  statement: string;
}

/** Drops the indexes of some tables that no constraint needs, so that they are built once at the end. */
export async function takeIndexes(db: Db, tables: readonly string[]): Promise<TakenIndex[]> {
  const rows = await db.execute<{ name: string; statement: string }>(sql`
    select i.relname as name, pg_get_indexdef(i.oid) as statement
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relnamespace = current_schema()::regnamespace and t.relname = any(${sql.param([...tables])})
      and not exists (select from pg_constraint c where c.conindid = i.oid)
    order by 1`);
  for (const { name } of rows) await db.execute(sql`drop index ${sql.identifier(name)}`);
  return [...rows].map(({ name, statement }) => ({ name, statement: statement.replace(" ON ONLY ", " ON ") }));
}

/** Builds the dropped indexes, one after the other with parallel workers. */
export async function makeIndexes(db: Db, indexes: readonly TakenIndex[], note: (line: string) => void): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local maintenance_work_mem = '1GB'`);
    for (const { name, statement } of indexes) {
      note(`index ${name}`);
      await tx.execute(sql.raw(statement));
    }
  });
}
