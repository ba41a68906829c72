import { and, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList, rowList } from "@/db/queries/many-rows";
import { holdersOf } from "@/db/queries/transfers/matches";
import { lookups, quotes, receivingAddresses, transfers } from "@/db/schema";
import { LOOKUP_ASKED } from "@/lib/domain/channels";
import type { ComparedQuote, LedgerTransfer, Lookup, LookupAnswer, Moved } from "@/lib/domain/transfers/lookup";

interface OrderRef {
  id: string;
  merchantId: string;
}

/** Returns the quotes of an order, for comparison with transactions. */
export async function listComparedQuotes(db: Db, { id, merchantId }: OrderRef): Promise<ComparedQuote[]> {
  const { network, currency, token, address, kind, baseUnits, createdAt, reservedUntil } = quotes;
  return db
    .select({ network, currency, token, address, kind, baseUnits, createdAt, reservedUntil })
    .from(quotes)
    .where(and(eq(quotes.orderId, id), eq(quotes.merchantId, merchantId)));
}

/** Returns the transfers in a merchant's ledger with these transaction ids, on any network. */
export async function listLedgerTransfers(
  db: Db,
  merchantId: string,
  txIds: readonly string[],
): Promise<LedgerTransfer[]> {
  const { network, token, toAddress, baseUnits, orderId, meantOrderId, unmatchedReason } = transfers;
  const isOf = and(inArray(transfers.txId, [...txIds]), eq(transfers.merchantId, merchantId));
  return db
    .select({
      network,
      token,
      to: toAddress,
      baseUnits,
      orderId,
      meantOrderId,
      reason: unmatchedReason,
      isConfirmed: sql<boolean>`${transfers.status} = 'confirmed'`,
    })
    .from(transfers)
    .where(and(isOf, ne(transfers.status, "dropped")))
    .orderBy(transfers.id)
    .limit(100);
}

/** Returns the networks on which a merchant has addresses, sorted by id. */
export async function listOwnNetworks(db: Db, merchantId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ network: receivingAddresses.network })
    .from(receivingAddresses)
    .where(and(eq(receivingAddresses.merchantId, merchantId), isNull(receivingAddresses.removedAt)))
    .orderBy(receivingAddresses.network);
  return rows.map(({ network }) => network);
}

/** Returns the latest lookups that the payer of an order requested. */
export async function listLookups(db: Db, { id, merchantId }: OrderRef): Promise<Lookup[]> {
  const { network, txId, askedAt, answer } = lookups;
  return db
    .select({ network, txId, askedAt, answer })
    .from(lookups)
    .where(and(eq(lookups.orderId, id), eq(lookups.merchantId, merchantId)));
}

/** A lookup to be written; `answer` is null if the network's worker must query the transaction. */
export interface NewLookup {
  network: string;
  txId: string;
  answer: LookupAnswer | null;
}

/** Replaces the lookups of an order, and notifies the workers of networks that must query a transaction. */
export async function writeLookups(
  db: Db,
  { id: orderId, merchantId }: OrderRef,
  fresh: readonly NewLookup[],
  now: Date,
): Promise<void> {
  await deleteLookups(db, { id: orderId, merchantId });
  await db.insert(lookups).values(fresh.map((lookup) => ({ ...lookup, orderId, merchantId, askedAt: now })));
  for (const { network, answer } of fresh)
    if (answer === null) await db.execute(sql`select pg_notify(${LOOKUP_ASKED}, ${network})`);
}

/** Deletes the lookups of an order; returns the transaction ids. */
export async function deleteLookups(db: Db, { id, merchantId }: OrderRef): Promise<string[]> {
  const isOf = and(eq(lookups.orderId, id), eq(lookups.merchantId, merchantId));
  const rows = await db.delete(lookups).where(isOf).returning({ txId: lookups.txId });
  return [...new Set(rows.map(({ txId }) => txId))];
}

/** A lookup without a result. */
export interface OpenLookup {
  orderId: string;
  merchantId: string;
  network: string;
  txId: string;
  askedAt: Date;
}

/**
 * Returns the lookups on a network that were requested since a given time and have no result. Lookups of orders that can be paid on the
 * network come first, oldest first. They are followed by lookups of transactions that could have been sent there only by mistake.
 */
export async function listOpenLookups(db: Db, network: string, since: Date, limit: number): Promise<OpenLookup[]> {
  const { orderId, merchantId, txId, askedAt } = lookups;
  const isElsewhere = sql`not exists (select from ${quotes} where ${quotes.orderId} = ${orderId}
    and ${quotes.merchantId} = ${merchantId} and ${quotes.network} = ${lookups.network})`;
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
    .orderBy(isElsewhere, askedAt)
    .limit(limit);
}

/**
 * Writes the result of a lookup.
 * @returns false if the payer has repeated the request in the meantime, or requested a different transaction
 */
export async function answerLookup(db: Db, asked: OpenLookup, answer: LookupAnswer): Promise<boolean> {
  const isSame = and(eq(lookups.orderId, asked.orderId), eq(lookups.merchantId, asked.merchantId));
  const rows = await db
    .update(lookups)
    .set({ answer })
    .where(
      and(
        isSame,
        eq(lookups.network, asked.network),
        eq(lookups.txId, asked.txId),
        eq(lookups.askedAt, asked.askedAt),
        isNull(lookups.answer),
      ),
    )
    .returning({ network: lookups.network });
  return rows.length > 0;
}

/** Returns the given addresses, in canonical form, that belong to the merchant on a network. */
export async function listOwnAddresses(
  db: Db,
  merchantId: string,
  network: string,
  addresses: readonly string[],
): Promise<string[]> {
  const rows = await db.execute<{ address: string }>(sql`
    select r.address from receiving_addresses r
    where r.merchant_id = ${merchantId} and r.network = ${network} and r.address = any(${idList(addresses)})`);
  return rows.map(({ address }) => address);
}

/**
 * Returns true if a different order of the merchant reserves the amount of one of these transfers, or reserved it when the transfer was
 * sent. At a shared address the amount must match exactly; at a dedicated one any amount matches. A later release of the hold does not
 * matter.
 */
export async function isOfOtherOrder(
  db: Db,
  { id, merchantId, network }: OrderRef & { network: string },
  moved: readonly Moved[],
  sentAt: Date,
): Promise<boolean> {
  const [row] = await db.execute<{ found: boolean }>(sql`
    select exists (
      select from jsonb_to_recordset(${rowList(moved)}) as m (token text, "to" text, "baseUnits" numeric)
      join receiving_addresses r on r.merchant_id = ${merchantId} and r.network = ${network} and r.address = m."to"
      cross join lateral ${holdersOf({
        merchantId: sql`r.merchant_id`,
        network: sql`r.network`,
        receivingAddressId: sql`r.id`,
        token: sql`m.token`,
        baseUnits: sql`m."baseUnits"`,
        at: sql`${sentAt.toISOString()}::timestamptz`,
      })} q
      where q.order_id <> ${id}) as found`);
  return row?.found === true;
}
