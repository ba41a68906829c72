import { and, eq, inArray, ne, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { lookups, quotes, transfers } from "@/db/schema";
import { LOOKUP_ASKED } from "@/lib/domain/channels";
import type { ComparedQuote, LedgerTransfer, LookupAnswer, Moved } from "@/lib/domain/transfers/lookup";

interface OrderRef {
  id: string;
  merchantId: string;
}

/** The quotes of an order as transactions are compared with them. */
export async function listComparedQuotes(db: Db, { id, merchantId }: OrderRef): Promise<ComparedQuote[]> {
  const { network, currency, token, address, kind, baseUnits, createdAt } = quotes;
  return db
    .select({ network, currency, token, address, kind, baseUnits, createdAt })
    .from(quotes)
    .where(and(eq(quotes.orderId, id), eq(quotes.merchantId, merchantId)));
}

/** What a merchant's ledger has of transactions of these ids, on whatever network. */
export async function listLedgerTransfers(
  db: Db,
  merchantId: string,
  txIds: readonly string[],
): Promise<LedgerTransfer[]> {
  const { network, token, toAddress, baseUnits, orderId, meantOrderId, unmatchedReason } = transfers;
  const isOf = and(inArray(transfers.txId, [...txIds]), eq(transfers.merchantId, merchantId));
  return db
    .select({ network, token, to: toAddress, baseUnits, orderId, meantOrderId, reason: unmatchedReason })
    .from(transfers)
    .where(and(isOf, ne(transfers.status, "dropped")))
    .orderBy(transfers.id)
    .limit(100);
}

/** A lookup to be written; `answer` is null where the network's worker is to look. */
export interface NewLookup {
  network: string;
  txId: string;
  answer: LookupAnswer | null;
}

/** Puts lookups in the place of those that an order has, and tells the workers of networks that are to look. */
export async function writeLookups(
  db: Db,
  { id: orderId, merchantId }: OrderRef,
  fresh: readonly NewLookup[],
  now: Date,
): Promise<void> {
  await db.delete(lookups).where(and(eq(lookups.orderId, orderId), eq(lookups.merchantId, merchantId)));
  await db.insert(lookups).values(fresh.map((lookup) => ({ ...lookup, orderId, merchantId, askedAt: now })));
  for (const { network, answer } of fresh)
    if (answer === null) await db.execute(sql`select pg_notify(${LOOKUP_ASKED}, ${network})`);
}

/** A lookup that nobody has answered. */
export interface OpenLookup {
  orderId: string;
  merchantId: string;
  network: string;
  txId: string;
  askedAt: Date;
}

/** Lookups on a network that are asked for since a time and have no answer, oldest first. */
export async function listOpenLookups(db: Db, network: string, since: Date, limit: number): Promise<OpenLookup[]> {
  const { orderId, merchantId, txId, askedAt } = lookups;
  return db
    .select({ orderId, merchantId, network: lookups.network, txId, askedAt })
    .from(lookups)
    .where(
      and(
        eq(lookups.network, network),
        sql`${lookups.answer} is null`,
        sql`${lookups.askedAt} >= ${since.toISOString()}::timestamptz`,
      ),
    )
    .orderBy(lookups.askedAt)
    .limit(limit);
}

/** Writes what a look showed. @returns false where the payer has asked for something else meanwhile */
export async function answerLookup(db: Db, asked: OpenLookup, answer: LookupAnswer): Promise<boolean> {
  const isSame = and(eq(lookups.orderId, asked.orderId), eq(lookups.merchantId, asked.merchantId));
  const rows = await db
    .update(lookups)
    .set({ answer })
    .where(
      and(isSame, eq(lookups.network, asked.network), eq(lookups.txId, asked.txId), sql`${lookups.answer} is null`),
    )
    .returning({ network: lookups.network });
  return rows.length > 0;
}

/** Whether another order of the merchant asks, or asked, for exactly what one of these transfers moved. */
export async function isOfOtherOrder(
  db: Db,
  { id, merchantId }: OrderRef,
  network: string,
  moved: readonly Moved[],
): Promise<boolean> {
  for (const { token, to, baseUnits } of moved) {
    const isSame = and(eq(quotes.network, network), eq(quotes.address, to), eq(quotes.token, token));
    const [other] = await db
      .select({ id: quotes.id })
      .from(quotes)
      .where(and(eq(quotes.merchantId, merchantId), isSame, eq(quotes.baseUnits, baseUnits), ne(quotes.orderId, id)))
      .limit(1);
    if (other) return true;
  }
  return false;
}
