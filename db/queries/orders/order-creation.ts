import { eq } from "drizzle-orm";
import postgres from "postgres";
import type { Db } from "@/db/client";
import { runPrepared } from "@/db/prepared";
import { orders, quotes } from "@/db/schema";
import type { AddressKind } from "@/lib/domain/addresses/load";
import type { Currency } from "@/lib/domain/networks";

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
  notifyUrl: string | null;
  redirectUrl: string | null;
  locale: string | null;
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

/** Why an order cannot be made; `networkClosed` says why in words for people. */
export type CreationRefusal =
  | { refused: "deadKey" | "noAddress" | "allTaken" }
  | { refused: "networkClosed"; problem: string };

interface CreationRow {
  is_new: boolean;
  expires_ms: number;
  receiving_address_id: string;
  address: string;
  kind: AddressKind;
  mac: string;
  base_units: string;
}

const CREATE =
  "select * from create_order($1, $2, $3, $4, $5, $6, $7, $8, $9::numeric, $10::numeric, $11, $12, $13, $14::integer, $15::timestamptz)";

/**
 * Inserts an order and reserves its quote in one round trip.
 * @returns null when the merchant has used this mch_order_id before; nothing is written then, nor on a refusal.
 */
export async function insertOrder(db: Db, order: NewOrder, now: Date): Promise<Reservation | CreationRefusal | null> {
  try {
    const [row] = await runPrepared<CreationRow>(db, CREATE, [
      order.id,
      order.quoteId,
      order.apiKeyId,
      order.merchantId,
      order.mchOrderId,
      order.network,
      order.currency,
      order.token,
      order.amountUnits.toString(),
      order.unitsPerStep.toString(),
      order.notifyUrl,
      order.redirectUrl,
      order.locale,
      order.expiresInSeconds,
      now.toISOString(),
    ]);
    return row?.is_new ? toReservation(row) : null;
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal) return refusal;
    throw error;
  }
}

function toReservation(row: CreationRow): Reservation {
  return {
    receivingAddressId: row.receiving_address_id,
    address: row.address,
    kind: row.kind,
    mac: row.mac,
    baseUnits: BigInt(row.base_units),
    expiresAt: new Date(row.expires_ms),
  };
}

/** The codes are those of the function create_order in the migrations. */
function toRefusal(error: unknown): CreationRefusal | null {
  if (!(error instanceof postgres.PostgresError)) return null;
  switch (error.code) {
    case "SG001":
      return { refused: "deadKey" };
    case "SG002":
      return { refused: "noAddress" };
    case "SG003":
      return { refused: "allTaken" };
    case "SG004":
      return { refused: "networkClosed", problem: error.message };
    default:
      return null;
  }
}

/** Removes an order that nobody was told of, with its quote; call it in a transaction. */
export async function deleteOrder(db: Db, orderId: string): Promise<void> {
  await db.delete(quotes).where(eq(quotes.orderId, orderId));
  await db.delete(orders).where(eq(orders.id, orderId));
}
