import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** The size in bytes from which a table is truncated. Truncating takes a hundred milliseconds; deleting a few rows takes three. */
const LARGE = 4_000_000;

/** The merchants table, and the tables that are filled while a network is read. */
export const WATCHED = [
  ...["merchants", "orders", "quotes", "audit_events", "transfers", "callbacks"],
  ...["blocks", "cursors", "account_cursors"],
];

/** Empties tables and all tables that reference them, even if triggers protect their rows. */
export async function empty(db: Db, ...tables: readonly string[]): Promise<void> {
  await db.execute(sql`
    do $$
    declare
      one regclass;
    begin
      set local session_replication_role = replica;
      for one in
        with recursive emptied as (
          select unnest(${sql.raw(`'{${tables.join(",")}}'`)}::regclass[])::oid as id
          union
          select conrelid from pg_constraint join emptied on confrelid = id where contype = 'f' and conparentid = 0)
        select id from emptied
      loop
        if pg_relation_size(one) > ${sql.raw(String(LARGE))} then
          execute format('truncate %s cascade', one);
        else
          execute format('delete from %s', one);
        end if;
      end loop;
    end $$`);
}
