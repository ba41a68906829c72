import type { Told } from "@/chaos/callback-shop";
import type { PlacedOrder } from "@/chaos/place-orders";

export interface CallbackRow {
  id: string;
  orderId: string;
  status: string;
}

/** Says which settled order has not exactly one event, delivered at least once, and which other order has one. */
export function judgeCallbacks(
  placed: readonly PlacedOrder[],
  paidIds: ReadonlySet<string>,
  rows: readonly CallbackRow[],
  told: ReadonlyMap<string, Told>,
): { missing: string[]; double: string[] } {
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId);
  const verdict: { missing: string[]; double: string[] } = { missing: [], double: [] };
  for (const { plan, tradeId } of placed) {
    const events = byOrder.get(tradeId) ?? [];
    const heard = told.get(tradeId)?.events ?? new Set<string>();
    const isOwed = plan.hasNotifyUrl && paidIds.has(tradeId);
    const words = `order ${plan.index} ${tradeId}: ${events.length} events (${events.map(({ status }) => status).join(", ")}), ${heard.size} heard of`;
    if (isOwed && (heard.size === 0 || events[0]?.status !== "delivered")) verdict.missing.push(words);
    if (Math.max(events.length, heard.size) > (isOwed ? 1 : 0)) verdict.double.push(words);
    if ([...heard].some((id) => !events.some((event) => event.id === id)))
      verdict.double.push(`${words}, of an unknown event`);
  }
  return verdict;
}
