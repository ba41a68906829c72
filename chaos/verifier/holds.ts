import type { CreatedOrder } from "@/chaos/create-orders";
import { unitsPerStep } from "@/lib/domain/money";
import { getNetwork, getToken } from "@/lib/domain/networks";

/** The time before the creation of an order that its hold also covers. */
const CLOCK_TOLERANCE_MS = 120_000;

/**
 * Returns the pairs of orders that reserve the same amount of a shared address, or the same dedicated address, at the same time. This
 * includes pairs across currencies and networks of a family, and orders that a restore lost, because their payers still pay.
 */
export function verifyHolds(created: readonly CreatedOrder[]): string[] {
  const bySlot = Map.groupBy(created, slotOf);
  return [...bySlot].flatMap(([slot, orders]) => {
    const inOrder = orders.toSorted((one, other) => one.requestedAt.getTime() - other.requestedAt.getTime());
    return inOrder.flatMap((later, at) =>
      inOrder
        .slice(0, at)
        .filter(({ reservedUntil }) => reservedUntil.getTime() > later.requestedAt.getTime() - CLOCK_TOLERANCE_MS)
        .map((earlier) => `${slot} was assigned to ${nameOf(later)} while ${nameOf(earlier)} held it`),
    );
  });
}

function slotOf({ plan, source, address, baseUnits }: CreatedOrder): string {
  const network = getNetwork(plan.network);
  const { decimals } = getToken(network, plan.currency);
  const amount = source === "shared" ? ` ${baseUnits / unitsPerStep(decimals)}` : "";
  return `${network.family} ${address}${amount}`;
}

function nameOf({ plan, tradeId, isLost }: CreatedOrder): string {
  return `order ${plan.index} ${tradeId} (${plan.network}, ${plan.currency}${isLost ? ", lost" : ""})`;
}
