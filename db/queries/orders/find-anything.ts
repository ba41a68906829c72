import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
import { storedForms } from "@/lib/domain/addresses/address";
import { allNetworks } from "@/lib/domain/networks";

/** So many of each kind: what has more is looked for in its list. */
const MOST_OF_A_KIND = 5;

/** Something of a merchant's that a text names exactly. `name` is what people call it. */
export interface Found {
  kind: "order" | "transfer" | "callback" | "receiving" | "sender";
  id: string;
  name: string;
}

/**
 * What of a merchant's a text names exactly, each way by its index: an order by its id or the merchant's own number, a transfer by its
 * transaction, a callback by its event, and addresses that money came to or from.
 */
export async function findAnything(db: Db, merchantId: string, text: string): Promise<Found[]> {
  const list = idList(storedForms(text));
  const forms = sql`any(${list})`;
  const networks = sql`any(${idList(allNetworks().map(({ id }) => id))})`;
  const mine = sql`merchant_id = ${merchantId}`;
  const ways = [
    sql`select 'order' as kind, id, mch_order_id as name from orders where ${mine} and id = ${text.toLowerCase()}`,
    sql`select 'order', id, mch_order_id from orders where ${mine} and mch_order_id = ${text} and id <> ${text.toLowerCase()}`,
    sql`select 'transfer', id, tx_id from transfers where network = ${networks} and tx_id = ${forms} and ${mine}`,
    sql`select 'callback', id, type from callbacks where ${mine} and id = ${text}`,
    sql`select 'receiving', address, address from receiving_addresses where ${mine} and address = ${forms}`,
    // Only the order of the index keeps the planner from reading the whole table where one sender sent nearly everything.
    sql`select 'sender', form, form from unnest(${list}) form
      where exists (select from transfers where ${mine} and from_address = form order by id)`,
  ].map((way) => sql`(${way} limit ${MOST_OF_A_KIND})`);
  const rows = await db.execute<Found & Record<string, unknown>>(sql`
    select distinct kind, id, name from (${sql.join(ways, sql` union all `)}) found`);
  return rows.map(({ kind, id, name }) => ({ kind, id, name }));
}
