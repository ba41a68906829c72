import type { Db } from "@/db/client";
import { takeTokens } from "@/db/queries/merchants/rate-limits";
import { type ChoosableOrder, lockChoosable } from "@/db/queries/orders/choices";
import {
  deleteLookups,
  listComparedQuotes,
  listLedgerTransfers,
  listLookups,
  listOwnNetworks,
  type NewLookup,
  writeLookups,
} from "@/db/queries/transfers/lookups";
import { deleteClaims, insertClaim } from "@/db/queries/transfers/payment-claims";
import type { Env } from "@/lib/config/env";
import type { LookupProblem } from "@/lib/domain/checkout/lookup-view";
import { isId } from "@/lib/domain/id";
import { getNetwork } from "@/lib/domain/networks";
import { areFresh, compareLedger, type LookupAnswer, readTxId } from "@/lib/domain/transfers/lookup";
import { enqueueEvents, type OrderContext, touchOrders } from "@/lib/orders/move-order";

/** The rate limits of lookups (burst and average), per order and per client address. Each lookup can cost a node two calls. */
const OFTEN = {
  order: { burst: 5, intervalMs: 20_000 },
  address: { burst: 10, intervalMs: 10_000 },
};
/**
 * The maximum number of additional networks to search. The order cannot be paid on them, but its payer may have sent a transfer there by
 * mistake.
 */
const MAX_OTHER_NETWORKS = 6;

interface Question {
  tradeId: string;
  /** The input as typed: a transaction id, or a block explorer link. */
  text: string;
  /** The client's address as returned by `addressNetwork`; null if requests are not limited by address. */
  from: string | null;
}

/**
 * Requests a lookup of a transaction for the payer of an order. A result from the ledger is returned immediately. Otherwise, workers look
 * up the transaction on the networks where the order can be paid, and on others where the merchant can be paid. Networks whose transaction
 * ids have a different format are skipped. A lookup credits no transfer, and only the result of the last lookup is stored. A repeated
 * request starts a new lookup if the result is more than ten seconds old. The transaction is stored as a claim, which the merchant sees with
 * the order and the transfer, and is reported by the event `payment.claimed` if the merchant opted in to it.
 * @returns the reason why the lookup was refused; null if it was requested, or none is needed
 */
export async function askLookup(
  db: Db,
  ctx: OrderContext & { env: Pick<Env, "rpcUrls"> },
  { tradeId, text, from }: Question,
  now: Date,
): Promise<LookupProblem | null> {
  if (!isId(tradeId)) return null;
  return db.transaction(async (tx) => {
    const order = await lockChoosable(tx, tradeId);
    if (!order || order.status === "paid" || order.status === "confirming") return null;
    const quotes = await listComparedQuotes(tx, order);
    const asked = asking(
      quotes.map(({ network }) => network),
      text,
    );
    const [first] = asked;
    if (!first) return "txid";
    if (areFresh(await listLookups(tx, order), asked, now)) return null;
    if (!(await mayAsk(tx, order, from, now))) return "asked";
    const txIds = [...new Set(asked.map(({ txId }) => txId))];
    const known = compareLedger(order.id, quotes, await listLedgerTransfers(tx, order.merchantId, txIds));
    const open = (await listOwnNetworks(tx, order.merchantId)).filter((network) => ctx.env.rpcUrls.has(network));
    const elsewhere = asking(open, text).filter(({ network }) => !asked.some((one) => one.network === network));
    const all = [...asked, ...elsewhere.slice(0, MAX_OTHER_NETWORKS)];
    await writeLookups(tx, order, known ? [{ ...first, answer: known }] : all, now);
    await touchOrders(tx, [order.id], now);
    if (!known || !isCredited(known)) await claim(tx, ctx, order, txIds, now);
    return null;
  });
}

/** Removes the transaction that the payer of an order entered, which makes its page show the payment details again. Safe to repeat. */
export async function withdrawLookup(db: Db, tradeId: string, now: Date): Promise<void> {
  if (!isId(tradeId)) return;
  await db.transaction(async (tx) => {
    const order = await lockChoosable(tx, tradeId);
    if (!order) return;
    const txIds = await deleteLookups(tx, order);
    if (txIds.length === 0) return;
    await deleteClaims(tx, order, txIds);
    await touchOrders(tx, [order.id], now);
  });
}

/** Returns true if the transaction is already credited to the order, which needs no claim. */
function isCredited({ kind }: LookupAnswer): boolean {
  return kind === "found" || kind === "counted";
}

/** Stores the transactions that a payer entered, and reports the first time that each was entered. */
async function claim(
  tx: Db,
  ctx: OrderContext,
  order: ChoosableOrder,
  txIds: readonly string[],
  now: Date,
): Promise<void> {
  let isNew = false;
  for (const txId of txIds) isNew = (await insertClaim(tx, order, txId, now)) || isNew;
  if (isNew) await enqueueEvents(tx, ctx, new Map([[order.id, ["payment.claimed"]]]), now);
}

/** Returns a lookup for each of these networks whose transaction ids have the format of the text. */
function asking(networks: readonly string[], text: string): NewLookup[] {
  return [...new Set(networks)].flatMap((network) => {
    const txId = readTxId(getNetwork(network).family, text);
    return txId === null ? [] : [{ network, txId, answer: null }];
  });
}

async function mayAsk(tx: Db, { id }: ChoosableOrder, from: string | null, now: Date): Promise<boolean> {
  const buckets = [{ key: `lookup:${id}`, ...OFTEN.order }];
  if (from !== null) buckets.push({ key: `lookup-from:${from}`, ...OFTEN.address });
  for (const bucket of buckets) if ((await takeTokens(tx, bucket, 1, now)).granted === 0) return false;
  return true;
}
