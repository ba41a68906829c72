import type { Told } from "@/chaos/callback-shop";
import type { OrderRow } from "@/chaos/judge/orders";
import type { PlacedOrder } from "@/chaos/place-orders";
import { getNetwork, getToken } from "@/lib/domain/networks";

export interface CallbackRow {
  id: string;
  orderId: string;
  status: string;
}

/**
 * Returns the settled orders that do not have exactly one event, delivered at least once, and the other orders that have one. After a
 * restore another event may repeat an earlier one; it must not contradict it for an order that the dump contains.
 */
export function judgeCallbacks(
  placed: readonly PlacedOrder[],
  paidIds: ReadonlySet<string>,
  rows: readonly CallbackRow[],
  told: ReadonlyMap<string, Told>,
  toldBefore: ReadonlyMap<string, Told> = new Map(),
): { missing: string[]; double: string[]; contradicted: string[] } {
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId);
  const verdict: ReturnType<typeof judgeCallbacks> = { missing: [], double: [], contradicted: [] };
  for (const { plan, tradeId, isLost } of placed) {
    const events = byOrder.get(tradeId) ?? [];
    const heard = told.get(tradeId)?.events ?? new Set<string>();
    const isOwed = plan.hasNotifyUrl && paidIds.has(tradeId);
    const words = `order ${plan.index} ${tradeId}: ${events.length} events (${events.map(({ status }) => status).join(", ")}), ${heard.size} received`;
    const before = toldBefore.get(tradeId)?.events ?? new Set<string>();
    const isDelivered = ({ id, status }: CallbackRow) => status === "delivered" && (heard.has(id) || before.has(id));
    if (isOwed && !events.some(isDelivered)) verdict.missing.push(words);
    if (before.size > 0 && !isLost && !paidIds.has(tradeId))
      verdict.contradicted.push(`${words}; reported before a restore`);
    if (Math.max(events.length, heard.size) > (isOwed ? 1 : 0)) verdict.double.push(words);
    if ([...heard].some((id) => !events.some((event) => event.id === id)))
      verdict.double.push(`${words}, of an unknown event`);
  }
  return verdict;
}

/** Returns the callbacks with a wrong paid amount: less than counts as full payment, or more than was received. */
export function judgeToldAmounts(
  placed: readonly PlacedOrder[],
  rows: readonly OrderRow[],
  told: ReadonlyMap<string, Told>,
): string[] {
  const paidUnits = new Map(rows.map((row) => [row.id, row.paidUnits]));
  return placed.flatMap(({ plan, tradeId, leastUnits }) => {
    const heard = told.get(tradeId);
    if (!heard) return [];
    const amount = toUnits(heard.paidAmount, getToken(getNetwork(plan.network), plan.currency).decimals);
    const isRight = amount >= leastUnits && amount <= (paidUnits.get(tradeId) ?? 0n);
    return isRight ? [] : [`order ${plan.index} ${tradeId}: its callback reports that ${heard.paidAmount} was paid`];
  });
}

function toUnits(text: string, decimals: number): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}
