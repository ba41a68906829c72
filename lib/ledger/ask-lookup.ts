import type { Db } from "@/db/client";
import { takeTokens } from "@/db/queries/merchants/rate-limits";
import { lockChoosable } from "@/db/queries/orders/choices";
import { listComparedQuotes, listLedgerTransfers, type NewLookup, writeLookups } from "@/db/queries/transfers/lookups";
import type { LookupProblem } from "@/lib/domain/checkout/lookup-view";
import { isId } from "@/lib/domain/id";
import { getNetwork } from "@/lib/domain/networks";
import { compareLedger, readTxId } from "@/lib/domain/transfers/lookup";
import { touchOrders } from "@/lib/orders/move-order";

/** So often at once for an order, and three times a minute: each may cost a node two calls. */
const OFTEN = { burst: 5, intervalMs: 20_000 };

/**
 * The payer of an order names a transaction. What the ledger knows of it is answered at once; else it goes to the workers of the
 * networks where this order can be paid by such an id. It credits nothing, and only the last one asked for is kept.
 * @param text as it was typed: the id, or an explorer's link
 * @returns why it was not asked; null where it was, or there is nothing to ask about
 */
export async function askLookup(
  db: Db,
  { tradeId, text }: { tradeId: string; text: string },
  now: Date,
): Promise<LookupProblem | null> {
  if (!isId(tradeId)) return null;
  return db.transaction(async (tx) => {
    const order = await lockChoosable(tx, tradeId);
    if (!order || order.status === "paid" || order.status === "confirming") return null;
    const quotes = await listComparedQuotes(tx, order);
    const networks = [...new Set(quotes.map(({ network }) => network))];
    const asked = networks.flatMap((network): NewLookup[] => {
      const txId = readTxId(getNetwork(network).family, text);
      return txId === null ? [] : [{ network, txId, answer: null }];
    });
    const [first] = asked;
    if (!first) return "txid";
    const { granted } = await takeTokens(tx, { key: `lookup:${order.id}`, ...OFTEN }, 1, now);
    if (granted === 0) return "asked";
    const txIds = [...new Set(asked.map(({ txId }) => txId))];
    const known = compareLedger(order.id, quotes, await listLedgerTransfers(tx, order.merchantId, txIds));
    await writeLookups(tx, order, known ? [{ ...first, answer: known }] : asked, now);
    await touchOrders(tx, [order.id], now);
    return null;
  });
}
