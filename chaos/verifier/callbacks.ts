import type { Reported } from "@/chaos/callback-shop";
import type { CreatedOrder } from "@/chaos/create-orders";
import type { OrderRow } from "@/chaos/verifier/orders";
import { getNetwork, getToken } from "@/lib/domain/networks";

export interface CallbackRow {
  id: string;
  orderId: string;
  status: string;
}

/**
 * Returns the settled orders that do not have exactly one event, delivered at least once, and the other orders that have an event. After a
 * restore, a new event may repeat an earlier one, but it must not contradict it for an order that the dump contains.
 */
export function verifyCallbacks(
  created: readonly CreatedOrder[],
  paidIds: ReadonlySet<string>,
  rows: readonly CallbackRow[],
  reported: ReadonlyMap<string, Reported>,
  deliveredBefore: ReadonlyMap<string, Reported> = new Map(),
): { missing: string[]; double: string[]; contradicted: string[] } {
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId);
  const verdict: ReturnType<typeof verifyCallbacks> = { missing: [], double: [], contradicted: [] };
  for (const { plan, tradeId, isLost } of created) {
    const events = byOrder.get(tradeId) ?? [];
    const received = reported.get(tradeId)?.events ?? new Set<string>();
    const isExpected = plan.hasNotifyUrl && paidIds.has(tradeId);
    const message = `order ${plan.index} ${tradeId}: ${events.length} events (${events.map(({ status }) => status).join(", ")}), ${received.size} received`;
    const before = deliveredBefore.get(tradeId)?.events ?? new Set<string>();
    const isDelivered = ({ id, status }: CallbackRow) => status === "delivered" && (received.has(id) || before.has(id));
    if (isExpected && !events.some(isDelivered)) verdict.missing.push(message);
    if (before.size > 0 && !isLost && !paidIds.has(tradeId))
      verdict.contradicted.push(`${message}; reported before a restore`);
    if (Math.max(events.length, received.size) > (isExpected ? 1 : 0)) verdict.double.push(message);
    if ([...received].some((id) => !events.some((event) => event.id === id)))
      verdict.double.push(`${message}, of an unknown event`);
  }
  return verdict;
}

/** Returns the callbacks with a wrong paid amount: less than the minimum for full payment, or more than the received amount. */
export function verifyDeliveredAmounts(
  created: readonly CreatedOrder[],
  rows: readonly OrderRow[],
  reported: ReadonlyMap<string, Reported>,
): string[] {
  const paidUnits = new Map(rows.map((row) => [row.id, row.paidUnits]));
  return created.flatMap(({ plan, tradeId, minUnits }) => {
    const received = reported.get(tradeId);
    if (!received) return [];
    const amount = toUnits(received.paidAmount, getToken(getNetwork(plan.network), plan.currency).decimals);
    const isRight = amount >= minUnits && amount <= (paidUnits.get(tradeId) ?? 0n);
    return isRight ? [] : [`order ${plan.index} ${tradeId}: its callback reports that ${received.paidAmount} was paid`];
  });
}

function toUnits(text: string, decimals: number): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}
