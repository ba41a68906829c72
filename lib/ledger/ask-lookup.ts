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
import type { Env } from "@/lib/config/env";
import type { LookupProblem } from "@/lib/domain/checkout/lookup-view";
import { isId } from "@/lib/domain/id";
import { getNetwork } from "@/lib/domain/networks";
import { areFresh, compareLedger, readTxId } from "@/lib/domain/transfers/lookup";
import { touchOrders } from "@/lib/orders/move-order";

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
 * request starts a new lookup if the result is more than ten seconds old.
 * @returns the reason why the lookup was refused; null if it was requested, or none is needed
 */
export async function askLookup(
  db: Db,
  { rpcUrls }: Pick<Env, "rpcUrls">,
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
    const open = (await listOwnNetworks(tx, order.merchantId)).filter((network) => rpcUrls.has(network));
    const elsewhere = asking(open, text).filter(({ network }) => !asked.some((one) => one.network === network));
    const all = [...asked, ...elsewhere.slice(0, MAX_OTHER_NETWORKS)];
    await writeLookups(tx, order, known ? [{ ...first, answer: known }] : all, now);
    await touchOrders(tx, [order.id], now);
    return null;
  });
}

/** Removes the transaction that the payer of an order entered, which makes its page show the payment details again. Safe to repeat. */
export async function withdrawLookup(db: Db, tradeId: string, now: Date): Promise<void> {
  if (!isId(tradeId)) return;
  await db.transaction(async (tx) => {
    const order = await lockChoosable(tx, tradeId);
    if (order && (await deleteLookups(tx, order))) await touchOrders(tx, [order.id], now);
  });
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
