import type { Db } from "@/db/client";
import { takeTokens } from "@/db/queries/merchants/rate-limits";
import {
  answerLookup,
  isOfOtherOrder,
  listComparedQuotes,
  listOpenLookups,
  listOwnAddresses,
  type OpenLookup,
} from "@/db/queries/transfers/lookups";
import { ChainError } from "@/lib/chains/endpoints/source";
import {
  compareTransaction,
  type LookUp,
  type LookupAnswer,
  type Moved,
  type SeenTransaction,
} from "@/lib/domain/transfers/lookup";
import type { Log } from "@/lib/log";
import { touchOrders } from "@/lib/orders/move-order";

interface AnswerContext {
  lookUp: LookUp;
  log: Log;
}

/**
 * The rate limit of lookups on one network (burst and average), for all payers together, because the request budgets of endpoints are
 * limited.
 */
const NETWORK_LIMIT = { burst: 10, intervalMs: 2_000 };
const BATCH = 5;
/** The maximum age of a pending lookup. Older lookups are skipped. */
const OLDEST_MS = 600_000;

/**
 * Looks up the transactions that payers requested on a network, each with one request. It writes only the results, and refreshes the
 * payers' open pages. Safe to repeat and to run in several workers.
 * @returns the number of lookups
 */
export async function answerLookups(db: Db, ctx: AnswerContext, network: string, now: Date): Promise<number> {
  const open = await listOpenLookups(db, network, new Date(now.getTime() - OLDEST_MS), BATCH);
  if (open.length === 0) return 0;
  const { granted } = await takeTokens(db, { key: `lookups:${network}`, ...NETWORK_LIMIT }, open.length, now);
  await Promise.all(open.slice(0, granted).map((asked) => answerOne(db, ctx, asked, now)));
  return granted;
}

async function answerOne(db: Db, ctx: AnswerContext, asked: OpenLookup, now: Date): Promise<void> {
  const answer = await look(db, ctx, asked, now);
  await db.transaction(async (tx) => {
    if (await answerLookup(tx, asked, answer)) await touchOrders(tx, [asked.orderId], now);
  });
}

/** The maximum number of a transaction's recipients, and of its transfers, that are checked. */
const MAX_TRANSFERS = 500;
/** The results of a transfer that does not pay this order but may pay a different one. */
const MAY_BE_OTHERS: readonly LookupAnswer["kind"][] = ["amount", "early", "kept", "nothing"];

/** Queries a transaction. No response and a response without the transaction are distinct results. */
async function look(db: Db, { lookUp, log }: AnswerContext, asked: OpenLookup, now: Date): Promise<LookupAnswer> {
  const { network, txId, merchantId } = asked;
  try {
    const quotes = await listComparedQuotes(db, { id: asked.orderId, merchantId });
    const here = quotes.filter((quote) => quote.network === network);
    const seen = await lookUp(txId, new Set(here.map(({ address }) => address)));
    if (seen === null) return { kind: "absent" };
    if (here.length === 0) return await answerElsewhere(db, asked, seen, now);
    const answer = compareTransaction(here, seen);
    if (!MAY_BE_OTHERS.includes(answer.kind)) return answer;
    const isHere = ({ to }: Moved) => here.some(({ address }) => address === to);
    const transfers = answer.kind === "nothing" ? seen.transfers : seen.transfers.filter(isHere);
    return (await otherOrder(db, asked, { ...seen, transfers }, now)) ?? answer;
  } catch (error) {
    if (!(error instanceof ChainError)) log.error({ err: error, network }, "a transaction could not be looked up");
    return { kind: "silent" };
  }
}

/**
 * Returns the result for a network on which the order cannot be paid. A transfer that reached the merchant is reported as `wrongNetwork`,
 * or as `otherOrder` if it belongs to another order.
 */
async function answerElsewhere(db: Db, asked: OpenLookup, seen: SeenTransaction, now: Date): Promise<LookupAnswer> {
  if (!seen.isSuccess) return { kind: "failed" };
  const { merchantId, network } = asked;
  const receivers = [...new Set(seen.transfers.map(({ to }) => to))].slice(0, MAX_TRANSFERS);
  const own = new Set(await listOwnAddresses(db, merchantId, network, receivers));
  const transfers = seen.transfers.filter(({ to }) => own.has(to));
  if (transfers.length === 0) return { kind: "nothing" };
  return (await otherOrder(db, asked, { ...seen, transfers }, now)) ?? { kind: "wrongNetwork", network };
}

/** Returns `otherOrder` if a transfer belongs to another order, otherwise null. A transaction without a time counts as sent now. */
async function otherOrder(
  db: Db,
  { orderId: id, merchantId, network }: OpenLookup,
  { transfers, time }: SeenTransaction,
  now: Date,
): Promise<LookupAnswer | null> {
  const some = transfers.slice(0, MAX_TRANSFERS);
  const isOther = await isOfOtherOrder(db, { id, merchantId, network }, some, time ?? now);
  return isOther ? { kind: "otherOrder" } : null;
}
