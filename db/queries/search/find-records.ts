import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
import { storedForms } from "@/lib/domain/addresses/address";
import { allNetworks } from "@/lib/domain/networks";

/** The maximum number of records of each kind. Longer lists have their own search. */
const MAX_OF_A_KIND = 5;

/** A record of a merchant that exactly matches a search text. `name` is the number, hash or address that identifies it to users. */
export interface FoundRecord {
  kind: "order" | "transfer" | "callback" | "receiving" | "sender";
  id: string;
  name: string;
}

/**
 * Finds a merchant's records that exactly match a text, each kind by an index: orders by id or merchant order number, transfers by
 * transaction, callbacks by event, and addresses that received or sent transfers.
 */
export async function findRecords(db: Db, merchantId: string, text: string): Promise<FoundRecord[]> {
  const list = idList(storedForms(text));
  const forms = sql`any(${list})`;
  const networks = sql`any(${idList(allNetworks().map(({ id }) => id))})`;
  const mine = sql`merchant_id = ${merchantId}`;
  const searches = [
    sql`select 'order' as kind, id, mch_order_id as name from orders where ${mine} and id = ${text.toLowerCase()}`,
    sql`select 'order', id, mch_order_id from orders where ${mine} and mch_order_id = ${text} and id <> ${text.toLowerCase()}`,
    sql`select 'transfer', id, tx_id from transfers where network = ${networks} and tx_id = ${forms} and ${mine}`,
    sql`select 'callback', id, type from callbacks where ${mine} and id = ${text}`,
    sql`select 'receiving', address, address from receiving_addresses where ${mine} and address = ${forms}`,
    // Without `order by id`, the planner reads the whole table if one sender sent nearly every transfer.
    sql`select 'sender', form, form from unnest(${list}) form
      where exists (select from transfers where ${mine} and from_address = form order by id)`,
  ].map((search) => sql`(${search} limit ${MAX_OF_A_KIND})`);
  const rows = await db.execute<FoundRecord & Record<string, unknown>>(sql`
    select distinct kind, id, name from (${sql.join(searches, sql` union all `)}) found`);
  return rows.map(({ kind, id, name }) => ({ kind, id, name }));
}
