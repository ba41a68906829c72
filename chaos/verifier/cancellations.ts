import type { TrueTransfer } from "@/chaos/chains/chain";
import type { CreatedOrder } from "@/chaos/create-orders";
import type { CancelAttempt, LedgerTransfer } from "@/chaos/operations/cancel-orders";
import { keyOf, type LedgerRow } from "@/chaos/verifier/ledger";
import { type OrderRow, pays } from "@/chaos/verifier/orders";
import { paidAtOf } from "@/lib/domain/transfers/transfer";

/** The time before the creation of an order that its hold also covers. */
const CLOCK_TOLERANCE_MS = 120_000;

/**
 * Returns the problems of cancelled orders. Each must stay cancelled, no transfer may be linked to it, and each transfer inside its hold
 * must be unmatched with the reason `order_cancelled` and refer to the order.
 */
export function verifyCancelled(
  created: readonly CreatedOrder[],
  rows: readonly OrderRow[],
  expected: readonly TrueTransfer[],
  ledger: readonly LedgerRow[],
): string[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byKey = new Map(ledger.map((row) => [keyOf(row), row]));
  return created
    .filter(({ isCancelled, isLost }) => isCancelled && !isLost)
    .flatMap((order) => {
      const row = byId.get(order.tradeId);
      const linked = ledger.filter(({ orderId }) => orderId === order.tradeId);
      const held = expected.filter((transfer) => pays(order, transfer));
      const misplaced = held.flatMap((transfer) => {
        const kept = byKey.get(keyOf(transfer));
        const isKept =
          kept?.orderId === null && kept.unmatchedReason === "order_cancelled" && kept.meantOrderId === order.tradeId;
        return !kept || isKept ? [] : [{ ...kept, key: keyOf(transfer) }];
      });
      const isAsCancelled = row?.status === "cancelled" && row.paidUnits === 0n && row.exception === null;
      return [
        ...(isAsCancelled ? [] : [`was cancelled, but is ${row?.status} ${row?.exception} with ${row?.paidUnits}`]),
        ...linked.map((one) => `was cancelled, but ${keyOf(one)} (${one.status}) is linked to it`),
        ...misplaced.map(
          ({ key, orderId, unmatchedReason, meantOrderId }) =>
            `was cancelled, but ${key} within its hold is ${orderId ?? unmatchedReason} (meant for ${meantOrderId})`,
        ),
      ].map((problem) => `order ${order.plan.index} ${order.tradeId} (${order.plan.script.name}): ${problem}`);
    });
}

/**
 * Returns the attempts that had a wrong result. A cancellation can be repeated. A refusal is correct for an expired order, and while a
 * transfer that fits the order's hold is in the ledger. Through the API, a cancellation is correct only while no such transfer is in the
 * ledger.
 */
export function verifyAttempts(attempts: readonly CancelAttempt[], created: readonly CreatedOrder[]): string[] {
  const byId = new Map(created.map((order) => [order.tradeId, order]));
  return attempts.flatMap((attempt) => {
    const order = byId.get(attempt.tradeId);
    const problem = order && problemOf(attempt, order);
    return problem ? [`order ${order.plan.index} ${order.tradeId}, cancelled by ${attempt.by}: ${problem}`] : [];
  });
}

function problemOf(attempt: CancelAttempt, order: CreatedOrder): string | null {
  const { by, isRepeat, before, after, problem, status, at } = attempt;
  if (isRepeat) return problem && `rejected ("${problem}", ${status}) although it was cancelled before`;
  if (problem !== null) {
    if (status === "expired" && order.expiresAt <= at) return null;
    // A reorg removes a transfer before the status of its order changes.
    const isCounted = (one: LedgerTransfer) => one.status !== "dropped" || status === "confirming";
    const isRight = [...before, ...after].some((one) => isCounted(one) && fits(order, one, CLOCK_TOLERANCE_MS));
    return isRight ? null : `rejected ("${problem}", ${status}) without a matching transfer`;
  }
  if (by === "user") return null;
  const kept = new Set(after.filter(({ status: is }) => is !== "dropped").map(keyOf));
  const found = before.find((one) => one.status !== "dropped" && kept.has(keyOf(one)) && fits(order, one, 0));
  return found ? `accepted although ${keyOf(found)} was in the ledger` : null;
}

/** Returns true if a transfer, as stored in the ledger, fits the hold of an order. */
function fits(order: CreatedOrder, row: LedgerTransfer, toleranceMs: number): boolean {
  const sentAt = paidAtOf(row);
  const requestedAt = new Date(order.requestedAt.getTime() - toleranceMs);
  const { network, txId, position, currency, toAddress: to, baseUnits } = row;
  const transfer = { network, txId, position, currency, to, baseUnits, blockTime: sentAt };
  return pays({ ...order, requestedAt }, transfer) && sentAt >= requestedAt;
}
