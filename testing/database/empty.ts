import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** From so many bytes on a table is truncated, which takes a hundred milliseconds where deleting some rows takes three. */
const LARGE = 4_000_000;

/** What a network that is watched leaves behind, and the merchants it is watched for. */
export const WATCHED = [
  ...["merchants", "orders", "quotes", "audit_events", "transfers", "callbacks"],
  ...["blocks", "cursors", "account_cursors"],
];

/** Empties tables and all that refer to them, whatever protects their rows. */
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
