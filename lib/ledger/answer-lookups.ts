import type { Db } from "@/db/client";
import { takeTokens } from "@/db/queries/merchants/rate-limits";
import {
  answerLookup,
  isOfOtherOrder,
  listComparedQuotes,
  listOpenLookups,
  type OpenLookup,
} from "@/db/queries/transfers/lookups";
import { ChainError } from "@/lib/chains/endpoints/source";
import { compareTransaction, type LookUp, type LookupAnswer } from "@/lib/domain/transfers/lookup";
import type { Log } from "@/lib/log";
import { touchOrders } from "@/lib/orders/move-order";

interface AnswerContext {
  lookUp: LookUp;
  log: Log;
}

/** So many on one network at once and thirty a minute, whoever asks: endpoints have budgets. */
const NETWORK_LIMIT = { burst: 10, intervalMs: 2_000 };
const BATCH = 5;
/** Nobody waits for what is older. */
const OLDEST_MS = 600_000;

/**
 * Answers what payers ask about transactions on a network, each by one look. It writes nothing but the answers, and has their open
 * pages show them. Safe to repeat, and with other workers at it.
 * @returns how many were looked at
 */
export async function answerLookups(db: Db, ctx: AnswerContext, network: string, now: Date): Promise<number> {
  const open = await listOpenLookups(db, network, new Date(now.getTime() - OLDEST_MS), BATCH);
  if (open.length === 0) return 0;
  const { granted } = await takeTokens(db, { key: `lookups:${network}`, ...NETWORK_LIMIT }, open.length, now);
  await Promise.all(open.slice(0, granted).map((asked) => answerOne(db, ctx, asked, now)));
  return granted;
}

async function answerOne(db: Db, ctx: AnswerContext, asked: OpenLookup, now: Date): Promise<void> {
  const answer = await look(db, ctx, asked);
  await db.transaction(async (tx) => {
    if (await answerLookup(tx, asked, answer)) await touchOrders(tx, [asked.orderId], now);
  });
}

/** That nobody answers, and that those who do know no such transaction, are two answers. */
async function look(db: Db, { lookUp, log }: AnswerContext, asked: OpenLookup): Promise<LookupAnswer> {
  const { network, txId, merchantId } = asked;
  const order = { id: asked.orderId, merchantId };
  const quotes = (await listComparedQuotes(db, order)).filter((quote) => quote.network === network);
  const owners = new Set(quotes.map(({ address }) => address));
  try {
    const seen = await lookUp(txId, owners);
    if (seen === null) return { kind: "absent" };
    const answer = compareTransaction(quotes, seen);
    if (answer.kind !== "amount") return answer;
    const moved = seen.transfers.filter(({ to }) => owners.has(to));
    return (await isOfOtherOrder(db, order, network, moved)) ? { kind: "otherOrder" } : answer;
  } catch (error) {
    if (!(error instanceof ChainError)) log.error({ err: error, network }, "a transaction could not be looked up");
    return { kind: "silent" };
  }
}
