import { and, eq } from "drizzle-orm";
import { type Db, runPrepared } from "@/db/client";
import { orders, quotes } from "@/db/schema";
import type { AddressKind } from "@/lib/domain/addresses/load";
import { WATCH_WANTED } from "@/lib/domain/channels";
import type { Currency } from "@/lib/domain/networks";
import type { NetworkRefusal } from "@/lib/domain/networks/refusal";
import type { OrderPrice } from "@/lib/domain/orders/order";

/** What an order is made of. Amounts are base units of the token; `unitsPerStep` of them are 0.000001. */
export interface NewOrder {
  id: string;
  quoteId: string;
  apiKeyId: string;
  merchantId: string;
  mchOrderId: string;
  network: string;
  currency: Currency;
  token: string;
  amountUnits: bigint;
  unitsPerStep: bigint;
  /** What the amount was counted from; left out where the merchant named it. */
  price?: OrderPrice | null;
  notifyUrl: string | null;
  redirectUrl: string | null;
  locale: string | null;
  /** For the payer, without control characters; left out where there is none. */
  subject?: string | null;
  /** The text of a JSON object; left out where there is none. */
  metadata?: string | null;
  /** Null: as the merchant set. */
  expiresInSeconds: number | null;
}

/** What was reserved for a new order. */
export interface Reservation {
  receivingAddressId: string;
  address: string;
  kind: AddressKind;
  mac: string;
  baseUnits: bigint;
  expiresAt: Date;
}

/** Why an order is not created, as `insert_orders` of the database returns it. `limit` is in millionths of the currency. */
export type CreationRefusal =
  | { code: "deadKey" | "noAddress" | "allTaken" | "notOffered"; params: null }
  | { code: "tooLittle" | "tooMuch"; params: { limit: string } }
  | { code: "networkClosed"; params: NetworkRefusal };

type CreationRow = { item: number } & ({ code: "used"; params: null } | CreationRefusal | CreatedRow);

interface CreatedRow {
  code: "created";
  expires_ms: number;
  receiving_address_id: string;
  address: string;
  kind: AddressKind;
  mac: string;
  base_units: string;
}

/** Networks that are not watched closely are told at once that somebody waits there now; see `announceWaiting`. */
const CREATE = `with woken as materialized (
    select pg_notify($3::text, c.network) from cursors c
    where c.watch_state <> 'awake' and c.network in (select w.network from jsonb_to_recordset($1::text::jsonb) w (network text)))
  select item::integer, code, params, expires_ms, receiving_address_id, address, kind, mac, base_units,
    (select count(*) from woken) as woken
  from insert_orders($1::text::jsonb, $2::timestamptz)`;

/** What became of one order of many: null when the merchant has used its mch_order_id before. */
export type Creation = Reservation | CreationRefusal | null;

/**
 * Inserts orders and reserves a quote for each, in one statement and one commit, each made or refused alone. Two calls at
 * once never wait for each other both ways. Where orders of one call carry the same mch_order_id, one of them is made and
 * the others find it used.
 * @returns what became of each, in their order; nothing is written of one that is refused or used
 * @throws Error then nothing of any of them was written, or the connection broke before that could be known
 */
export async function insertOrders(db: Db, orders: readonly NewOrder[], now: Date): Promise<Creation[]> {
  if (orders.length === 0) return [];
  const rows = await runPrepared<CreationRow>(db, CREATE, [
    JSON.stringify(orders.map(toArgument)),
    now.toISOString(),
    WATCH_WANTED,
  ]);
  if (rows.length !== orders.length) throw new Error("insert_orders left orders out");
  return rows.toSorted((one, two) => one.item - two.item).map(toCreation);
}

/** One of `insertOrders`. */
export async function insertOrder(db: Db, order: NewOrder, now: Date): Promise<Creation> {
  const [creation] = await insertOrders(db, [order], now);
  return creation ?? null;
}

/** What a payer or merchant wrote may hold half of a character, which JSON of the database refuses. */
function toArgument(order: NewOrder) {
  return {
    id: order.id,
    quote_id: order.quoteId,
    key_id: order.apiKeyId,
    merchant_id: order.merchantId,
    mch_order_id: order.mchOrderId.toWellFormed(),
    network: order.network,
    currency: order.currency,
    token: order.token,
    amount: order.amountUnits.toString(),
    step: order.unitsPerStep.toString(),
    ...(order.price && { price: order.price }),
    notify_url: order.notifyUrl?.toWellFormed() ?? null,
    redirect_url: order.redirectUrl?.toWellFormed() ?? null,
    locale: order.locale,
    ...(order.subject && { subject: order.subject }),
    ...(order.metadata && { metadata: order.metadata }),
    expires_in: order.expiresInSeconds,
  };
}

function toCreation(row: CreationRow): Creation {
  switch (row.code) {
    case "created":
      return {
        receivingAddressId: row.receiving_address_id,
        address: row.address,
        kind: row.kind,
        mac: row.mac,
        baseUnits: BigInt(row.base_units),
        expiresAt: new Date(row.expires_ms),
      };
    case "used":
      return null;
    default:
      return { code: row.code, params: row.params } as CreationRefusal;
  }
}

/** Removes an order that nobody was told of, with its quote; call it in a transaction. */
export async function deleteOrder(db: Db, { id, merchantId }: { id: string; merchantId: string }): Promise<void> {
  await db.delete(quotes).where(and(eq(quotes.orderId, id), eq(quotes.merchantId, merchantId)));
  await db.delete(orders).where(and(eq(orders.id, id), eq(orders.merchantId, merchantId)));
}
