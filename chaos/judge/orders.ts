import type { TrueTransfer } from "@/chaos/chains/chain";
import { keyOf, type LedgerRow, sum } from "@/chaos/judge/ledger";
import type { PlacedOrder } from "@/chaos/place-orders";

const JUST_NOW_MS = 30_000;

/** An order as the service has it. */
export interface OrderRow {
  id: string;
  status: string;
  exception: string | null;
  paidUnits: bigint;
}

/**
 * Returns the orders whose state differs from their final transfers. The rules are those of the contract, implemented a second time: the
 * verifier uses none of the service's code.
 */
export function judgeOrders(
  placed: readonly PlacedOrder[],
  rows: readonly OrderRow[],
  truth: readonly TrueTransfer[],
  ledger: readonly LedgerRow[],
  now: Date,
): string[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const linked = Map.groupBy(
    ledger.filter(({ status, orderId }) => status === "confirmed" && orderId),
    (row) => row.orderId,
  );
  const live = placed.filter(({ isCancelled, isLost }) => !isCancelled && !isLost);
  return live.flatMap((order) => {
    const row = byId.get(order.tradeId);
    if (!row) return [`order ${order.tradeId} is missing`];
    const due = truth.filter((transfer) => pays(order, transfer));
    const wrong = judgeOne(order, row, due, linked.get(order.tradeId) ?? [], now);
    const facts = `${order.plan.script.name}, ${order.source}, ${order.plan.network}`;
    return wrong.map((words) => `order ${order.plan.index} ${order.tradeId} (${facts}): ${words}`);
  });
}

/**
 * Specification §6: network, token, address, and on a shared address the amount; not after the late window, and not before an address of its
 * own was given to the order.
 */
export function pays(order: PlacedOrder, transfer: TrueTransfer): boolean {
  return isMeantFor(order, transfer) && transfer.blockTime <= order.reservedUntil;
}

function isMeantFor({ plan, source, address, baseUnits, placedAt }: PlacedOrder, transfer: TrueTransfer): boolean {
  const isThere = transfer.network === plan.network && transfer.currency === plan.currency && transfer.to === address;
  if (source === "shared") return isThere && transfer.baseUnits === baseUnits;
  // A block is dated in whole seconds.
  return isThere && transfer.blockTime.getTime() > placedAt.getTime() - 1_000;
}

/**
 * Returns the transfers that were sent inside the hold of the order that they were meant for (same amount, same address) and are credited
 * to another.
 */
export function judgeMisgiven(
  placed: readonly PlacedOrder[],
  truth: readonly TrueTransfer[],
  ledger: readonly LedgerRow[],
): string[] {
  const rows = new Map(ledger.map((row) => [keyOf(row), row]));
  return truth.flatMap((transfer) => {
    const credited = rows.get(keyOf(transfer))?.orderId ?? null;
    const meant = placed.filter((order) => pays(order, transfer));
    if (credited === null || meant.length === 0 || meant.some(({ tradeId }) => tradeId === credited)) return [];
    return [`${keyOf(transfer)} was meant for order ${meant[0]?.tradeId}, but is credited to ${credited}`];
  });
}

/** Returns the lost orders that the service has all the same. */
export function judgeLost(placed: readonly PlacedOrder[], rows: readonly OrderRow[]): string[] {
  const ids = new Set(rows.map(({ id }) => id));
  const found = placed.filter(({ isLost, tradeId }) => isLost && ids.has(tradeId));
  return found.map(
    ({ plan, tradeId }) => `order ${plan.index} ${tradeId} was created after the dump that was restored`,
  );
}

/**
 * Reports transfers that came after their order's late window and are not kept as such. An order that is open at that moment at the same
 * address, on another network or in another currency, explains a transfer only if it asks for exactly that amount and the late order does not.
 */
export function judgeTooLate(
  placed: readonly PlacedOrder[],
  truth: readonly TrueTransfer[],
  ledger: readonly LedgerRow[],
): string[] {
  const rows = new Map(ledger.map((row) => [keyOf(row), row]));
  const kept = placed.filter(({ isLost }) => !isLost);
  return kept.flatMap((order) =>
    truth
      .filter((transfer) => isMeantFor(order, transfer) && transfer.blockTime > order.reservedUntil)
      // Those who had the address since.
      .filter((transfer) => !placed.some((other) => pays(other, transfer)))
      .map((transfer) => ({ transfer, row: rows.get(keyOf(transfer)) }))
      .filter(
        ({ transfer, row }) =>
          row && (row.orderId !== null || row.unmatchedReason !== lateReason(order, transfer, placed)),
      )
      .map(
        ({ transfer, row }) =>
          `${keyOf(transfer)} was too late for order ${order.tradeId}, but the ledger has ${row?.orderId ?? row?.unmatchedReason}`,
      ),
  );
}

function lateReason(order: PlacedOrder, transfer: TrueTransfer, placed: readonly PlacedOrder[]): string {
  const own = order.isCancelled ? "order_cancelled" : "late";
  if (transfer.baseUnits === order.baseUnits) return own;
  const exact = placed.find((other) => {
    const isOpen = transfer.blockTime >= other.placedAt && transfer.blockTime <= other.reservedUntil;
    // The amount of an order on a dedicated address is its price: the transfer's share of it is the public amount, for any decimals.
    const isExact = transfer.baseUnits * BigInt(order.plan.price) === order.baseUnits * BigInt(other.plan.price);
    const isLive = other.source !== "shared" && !other.isCancelled;
    return isLive && other.address === order.address && isOpen && isExact;
  });
  if (!exact) return own;
  return exact.plan.network === transfer.network ? "other_currency" : "other_network";
}

function judgeOne(
  order: PlacedOrder,
  row: OrderRow,
  due: readonly TrueTransfer[],
  linked: readonly LedgerRow[],
  now: Date,
): string[] {
  const dueKeys = new Set(due.map(keyOf));
  const wrong = linked
    .filter((one) => !dueKeys.has(keyOf(one)))
    .map((one) => `${keyOf(one)} does not pay it, but is counted`);
  const total = sum(due);
  const isPaid = total >= order.leastUnits;
  if (linked.length !== due.length) wrong.push(`${due.length} transfers pay it, ${linked.length} are counted`);
  const paid = sum(linked);
  const expected = {
    status: isPaid ? ["paid"] : timeStatuses(order, now),
    exception: exceptions(order, due, paid),
    paidUnits: [isPaid && paid < order.leastUnits ? order.baseUnits : paid],
  };
  for (const [name, allowed] of Object.entries(expected)) {
    const actual = row[name as keyof typeof expected];
    if (!allowed.some((value) => value === actual))
      wrong.push(`${name} is ${actual}; expected ${allowed.join(" or ")}`);
  }
  return wrong;
}

/** Returns the valid statuses by time. An order expires once its chain was read past its time, so both are valid for one that has just reached it. */
function timeStatuses({ expiresAt, plan }: PlacedOrder, now: Date): string[] {
  const agoMs = now.getTime() - expiresAt.getTime();
  if (agoMs < 0) return ["pending"];
  const isWaitedFor = plan.script.expiresInSeconds !== null;
  return agoMs < JUST_NOW_MS && !isWaitedFor ? ["pending", "expired"] : ["expired"];
}

/** The largest sum on a dedicated address that changes nothing: below 1 % of the amount, and at most 0.1 token. */
function dustOf({ source, baseUnits, plan }: PlacedOrder): bigint {
  if (source === "shared") return 0n;
  const share = (baseUnits - 1n) / 100n;
  const tenth = baseUnits / BigInt(plan.price) / 10n;
  return share < tenth ? share : tenth;
}

function exceptions(order: PlacedOrder, due: readonly TrueTransfer[], paid: bigint): (string | null)[] {
  const dust = dustOf(order);
  if (paid > order.baseUnits + dust) return ["overpaid"];
  if (paid <= dust) return [null];
  if (paid < order.leastUnits) return ["underpaid"];
  const isInTime = due.filter(({ blockTime }) => blockTime <= order.expiresAt);
  if (sum(isInTime) >= order.leastUnits) return [null];
  // Seen in time, then put into a later block by a reorg: the payer may be given the benefit of it or not.
  return order.plan.script.parts.some(({ isAfter }) => isAfter !== null) ? ["late"] : [null, "late"];
}
