import { and, eq } from "drizzle-orm";
import { type Db, runPrepared } from "@/db/client";
import { orders, quotes } from "@/db/schema";
import type { AddressKind } from "@/lib/domain/addresses/load";
import { WATCH_WANTED } from "@/lib/domain/channels";
import type { Currency } from "@/lib/domain/networks";
import type { NetworkRefusal } from "@/lib/domain/networks/refusal";
import type { OrderPrice } from "@/lib/domain/orders/order";

/** The data of a new order. Amounts are in base units of the token; `unitsPerStep` is the number of base units in 0.000001 of the token. */
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
  /** The price from which the amount was converted; absent if the merchant specified the amount. */
  price?: OrderPrice | null;
  notifyUrl: string | null;
  redirectUrl: string | null;
  locale: string | null;
  /** The subject for the payer, without control characters; absent if there is none. */
  subject?: string | null;
  /** The text of a JSON object; absent if there is none. */
  metadata?: string | null;
  /** The lifetime; null for the merchant's default. */
  expiresInSeconds: number | null;
}

/** The address, amount and expiry that were reserved for a new order. */
export interface Reservation {
  receivingAddressId: string;
  address: string;
  kind: AddressKind;
  mac: string;
  baseUnits: bigint;
  expiresAt: Date;
}

/** The reason why an order is not created, as `insert_orders` of the database returns it. `limit` is in millionths of the currency. */
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

/**
 * A statement that creates orders and notifies the workers of idle and dormant networks that a payment is now expected there; see
 * `announceWaiting`.
 */
const CREATE = `with woken as materialized (
    select pg_notify($3::text, c.network) from cursors c
    where c.watch_state <> 'awake' and c.network = any ((select string_to_array($4::text, ' '))::text[]))
  select item::integer, code, params, expires_ms, receiving_address_id, address, kind, mac, base_units
  from insert_orders($1::text::jsonb, $2::timestamptz)
  where (select count(*) from woken) >= 0`;

/** The result for one of many orders; null if the merchant has used its mch_order_id before. */
export type Creation = Reservation | CreationRefusal | null;

/**
 * Inserts orders and reserves a quote for each, in one statement and one commit. Each order is created or refused independently. Two
 * concurrent calls never deadlock. If several orders of one call have the same mch_order_id, only one of them is created.
 * @returns the result of each order, in the same order; nothing is written for an order that is refused or whose mch_order_id was used
 * @throws Error if no order was written, or if the connection was lost before the result was known
 */
export async function insertOrders(db: Db, orders: readonly NewOrder[], now: Date): Promise<Creation[]> {
  if (orders.length === 0) return [];
  const rows = await runPrepared<CreationRow>(db, CREATE, [
    JSON.stringify(orders.map(toArgument)),
    now.toISOString(),
    WATCH_WANTED,
    [...new Set(orders.map(({ network }) => network))].join(" "),
  ]);
  if (rows.length !== orders.length) throw new Error("insert_orders did not return every order");
  return rows.toSorted((one, two) => one.item - two.item).map(toCreation);
}

/** Inserts one order, as `insertOrders` does. */
export async function insertOrder(db: Db, order: NewOrder, now: Date): Promise<Creation> {
  const [creation] = await insertOrders(db, [order], now);
  return creation ?? null;
}

/**
 * Returns an order as JSON for `insert_orders`, which reads a missing field as null. Strings from payers and merchants may contain a lone
 * surrogate, which PostgreSQL rejects in JSON.
 */
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
    price: order.price ?? undefined,
    notify_url: order.notifyUrl?.toWellFormed(),
    redirect_url: order.redirectUrl?.toWellFormed(),
    locale: order.locale ?? undefined,
    subject: order.subject || undefined,
    metadata: order.metadata || undefined,
    expires_in: order.expiresInSeconds ?? undefined,
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

/** Deletes an order that no response or event has shown yet, with its quote. Call it in a transaction. */
export async function deleteOrder(db: Db, { id, merchantId }: { id: string; merchantId: string }): Promise<void> {
  await db.delete(quotes).where(and(eq(quotes.orderId, id), eq(quotes.merchantId, merchantId)));
  await db.delete(orders).where(and(eq(orders.id, id), eq(orders.merchantId, merchantId)));
}
