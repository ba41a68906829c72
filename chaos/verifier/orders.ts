import type { TrueTransfer } from "@/chaos/chains/chain";
import type { CreatedOrder } from "@/chaos/create-orders";
import { keyOf, type LedgerRow, sum } from "@/chaos/verifier/ledger";

const JUST_NOW_MS = 30_000;

/** An order as stored by the service. */
export interface OrderRow {
  id: string;
  status: string;
  exception: string | null;
  paidUnits: bigint;
}

/**
 * Returns the orders whose state does not match their final transfers. The rules of the specification are implemented a second time,
 * because the verifier uses none of the service's code.
 */
export function verifyOrders(
  created: readonly CreatedOrder[],
  rows: readonly OrderRow[],
  onChain: readonly TrueTransfer[],
  ledger: readonly LedgerRow[],
  now: Date,
): string[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const linked = Map.groupBy(
    ledger.filter(({ status, orderId }) => status === "confirmed" && orderId),
    (row) => row.orderId,
  );
  const live = created.filter(({ isCancelled, isLost }) => !isCancelled && !isLost);
  return live.flatMap((order) => {
    const row = byId.get(order.tradeId);
    if (!row) return [`order ${order.tradeId} is missing`];
    const due = onChain.filter((transfer) => pays(order, transfer));
    const invalid = verifyOne(order, row, due, linked.get(order.tradeId) ?? [], now);
    const facts = `${order.plan.script.name}, ${order.source}, ${order.plan.network}`;
    return invalid.map((text) => `order ${order.plan.index} ${order.tradeId} (${facts}): ${text}`);
  });
}

/**
 * Returns true if a transfer must be credited to an order, according to specification §6: network, token and address match, and on a
 * shared address the amount. The transfer must not be later than the end of the late window, nor earlier than the assignment of the
 * order's own address.
 */
export function pays(order: CreatedOrder, transfer: TrueTransfer): boolean {
  return isMeantFor(order, transfer) && transfer.blockTime <= order.reservedUntil;
}

function isMeantFor({ plan, source, address, baseUnits, requestedAt }: CreatedOrder, transfer: TrueTransfer): boolean {
  const isThere = transfer.network === plan.network && transfer.currency === plan.currency && transfer.to === address;
  if (source === "shared") return isThere && transfer.baseUnits === baseUnits;
  // Block timestamps are in whole seconds.
  return isThere && transfer.blockTime.getTime() > requestedAt.getTime() - 1_000;
}

/**
 * Returns the transfers that were sent inside the hold of the order that they were meant for (same amount, same address) but are credited
 * to a different order.
 */
export function verifyMisdirected(
  created: readonly CreatedOrder[],
  onChain: readonly TrueTransfer[],
  ledger: readonly LedgerRow[],
): string[] {
  const rows = new Map(ledger.map((row) => [keyOf(row), row]));
  return onChain.flatMap((transfer) => {
    const credited = rows.get(keyOf(transfer))?.orderId ?? null;
    const meant = created.filter((order) => pays(order, transfer));
    if (credited === null || meant.length === 0 || meant.some(({ tradeId }) => tradeId === credited)) return [];
    return [`${keyOf(transfer)} was meant for order ${meant[0]?.tradeId}, but is credited to ${credited}`];
  });
}

/** Returns the lost orders that the service still has. */
export function verifyLost(created: readonly CreatedOrder[], rows: readonly OrderRow[]): string[] {
  const ids = new Set(rows.map(({ id }) => id));
  const found = created.filter(({ isLost, tradeId }) => isLost && ids.has(tradeId));
  return found.map(
    ({ plan, tradeId }) => `order ${plan.index} ${tradeId} was created after the dump that was restored`,
  );
}

/**
 * Returns the transfers that arrived after their order's late window and are not stored with the right reason: `late`, or
 * `order_cancelled` for a cancelled order. If an order on a different network or in a different currency is open at the same address at
 * that time, and only that order requests exactly the transferred amount, the reason is `other_network` or `other_currency`.
 */
export function verifyTooLate(
  created: readonly CreatedOrder[],
  onChain: readonly TrueTransfer[],
  ledger: readonly LedgerRow[],
): string[] {
  const rows = new Map(ledger.map((row) => [keyOf(row), row]));
  const kept = created.filter(({ isLost }) => !isLost);
  return kept.flatMap((order) =>
    onChain
      .filter((transfer) => isMeantFor(order, transfer) && transfer.blockTime > order.reservedUntil)
      // Those who had the address since.
      .filter((transfer) => !created.some((other) => pays(other, transfer)))
      .map((transfer) => ({ transfer, row: rows.get(keyOf(transfer)) }))
      .filter(
        ({ transfer, row }) =>
          row && (row.orderId !== null || row.unmatchedReason !== lateReason(order, transfer, created)),
      )
      .map(
        ({ transfer, row }) =>
          `${keyOf(transfer)} was too late for order ${order.tradeId}, but the ledger has ${row?.orderId ?? row?.unmatchedReason}`,
      ),
  );
}

function lateReason(order: CreatedOrder, transfer: TrueTransfer, created: readonly CreatedOrder[]): string {
  const own = order.isCancelled ? "order_cancelled" : "late";
  if (transfer.baseUnits === order.baseUnits) return own;
  const exact = created.find((other) => {
    const isOpen = transfer.blockTime >= other.requestedAt && transfer.blockTime <= other.reservedUntil;
    // On a dedicated address, the amount of an order equals its price. The ratio of the two therefore converts the transferred amount to a
    // price, for any number of decimals.
    const isExact = transfer.baseUnits * BigInt(order.plan.price) === order.baseUnits * BigInt(other.plan.price);
    const isLive = other.source !== "shared" && !other.isCancelled;
    return isLive && other.address === order.address && isOpen && isExact;
  });
  if (!exact) return own;
  return exact.plan.network === transfer.network ? "other_currency" : "other_network";
}

function verifyOne(
  order: CreatedOrder,
  row: OrderRow,
  due: readonly TrueTransfer[],
  linked: readonly LedgerRow[],
  now: Date,
): string[] {
  const dueKeys = new Set(due.map(keyOf));
  const invalid = linked
    .filter((one) => !dueKeys.has(keyOf(one)))
    .map((one) => `${keyOf(one)} does not pay it, but is counted`);
  const total = sum(due);
  const isPaid = total >= order.minUnits;
  if (linked.length !== due.length) invalid.push(`${due.length} transfers pay it, ${linked.length} are counted`);
  const paid = sum(linked);
  const expected = {
    status: isPaid ? ["paid"] : timeStatuses(order, now),
    exception: exceptions(order, due, paid),
    paidUnits: [isPaid && paid < order.minUnits ? order.baseUnits : paid],
  };
  for (const [name, allowed] of Object.entries(expected)) {
    const actual = row[name as keyof typeof expected];
    if (!allowed.some((value) => value === actual))
      invalid.push(`${name} is ${actual}; expected ${allowed.join(" or ")}`);
  }
  return invalid;
}

/**
 * Returns the statuses that the expiry time of an order allows. An order expires once its chain has been read past its expiry, so both
 * `pending` and `expired` are valid for an order that has just reached it.
 */
function timeStatuses({ expiresAt, plan }: CreatedOrder, now: Date): string[] {
  const agoMs = now.getTime() - expiresAt.getTime();
  if (agoMs < 0) return ["pending"];
  const isWaitedFor = plan.script.expiresInSeconds !== null;
  return agoMs < JUST_NOW_MS && !isWaitedFor ? ["pending", "expired"] : ["expired"];
}

/** Returns the largest sum on a dedicated address that does not affect the order: below 1% of the amount, and at most 0.1 token. */
function dustOf({ source, baseUnits, plan }: CreatedOrder): bigint {
  if (source === "shared") return 0n;
  const share = (baseUnits - 1n) / 100n;
  const tenth = baseUnits / BigInt(plan.price) / 10n;
  return share < tenth ? share : tenth;
}

function exceptions(order: CreatedOrder, due: readonly TrueTransfer[], paid: bigint): (string | null)[] {
  const dust = dustOf(order);
  if (paid > order.baseUnits + dust) return ["overpaid"];
  if (paid <= dust) return [null];
  if (paid < order.minUnits) return ["underpaid"];
  const isInTime = due.filter(({ blockTime }) => blockTime <= order.expiresAt);
  if (sum(isInTime) >= order.minUnits) return [null];
  // The transfer was seen in time, then moved to a later block by a reorg. Both results are valid.
  return order.plan.script.parts.some(({ isAfter }) => isAfter !== null) ? ["late"] : [null, "late"];
}
