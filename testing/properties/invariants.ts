import { BEFORE_HOLD_MS, covers, fits, isSameAmount } from "@/testing/properties/holds";
import { name } from "@/testing/properties/perform";
import { refundViolations } from "@/testing/properties/refunds";
import type { OrderRow, QuoteRow, Snapshot, TransferRow } from "@/testing/properties/snapshot";
import type { Hold, World } from "@/testing/properties/world";

/** Returns the broken invariants of the current snapshot of the database. @param before the snapshot before the last command */
export function findViolations(world: World, before: Snapshot): string[] {
  const { snapshot } = world;
  return [
    ...snapshot.failing.map(({ task, id, reason }) => `${task} fails for ${name(id)}: ${reason}`),
    ...snapshot.transfers.flatMap((transfer) => transferViolations(world, transfer)),
    ...[...snapshot.orders.values()].flatMap((order) => orderViolations(snapshot, order)),
    ...[...snapshot.quotes.values()].flatMap((quote) => holdViolations(world, before, quote)),
    ...changes(before, snapshot),
    ...totalViolations(snapshot),
    ...refundViolations(world, before),
  ];
}

/**
 * Returns the time that determines which hold covers a transfer: the true time of its block, or the time at which it was first seen if
 * that was earlier. A confirmed transfer that a deep reorg moves to another block keeps its order, so the block counts in which it was first
 * confirmed.
 */
export function trueMs(world: World, { id, network, blockHash, seenMs }: TransferRow): number {
  const decisive = world.confirmedIn.get(id) ?? blockHash;
  const blockMs = world.chain(network).chain.trueTimeMs(decisive);
  if (blockMs === null) throw new Error(`There never was a block ${decisive}`);
  return Math.min(blockMs, seenMs);
}

function transferViolations(world: World, transfer: TransferRow): string[] {
  if (transfer.status !== "confirmed" || transfer.lostMs !== null) return [];
  const { txId, network, blockHash, timeMs, orderId, depositId, isSweep, isAssigned, reason } = transfer;
  const what = `Transfer ${txId.slice(0, 20)}… of ${transfer.baseUnits} on ${network}`;
  const expected = world.chain(network).chain.trueTimeMs(blockHash);
  // A reorg deeper than the required confirmations moves a confirmed transfer to a block whose time no second endpoint has confirmed.
  if (expected !== timeMs && world.confirmedIn.get(transfer.id) === blockHash)
    return [
      `${what} is confirmed with the time ${iso(timeMs)}; its block has ${expected === null ? "none" : iso(expected)}`,
    ];
  if (orderId === null) {
    const isExplained = depositId !== null || isSweep || reason !== null;
    return isExplained ? [] : [`${what} is confirmed and has neither an order nor a reason`];
  }
  if (isAssigned) return [];
  const own = world.holds.get(transfer.quoteId ?? "");
  const at = trueMs(world, transfer);
  const rest = own && [...world.holds.values()].find(({ completesTransferId }) => completesTransferId === transfer.id);
  if (rest?.completesQuoteId === own?.id && own && rest) return partViolations(world, { what, own, at, transfer });
  if (!own || !fits(own, transfer) || !covers(own, at))
    return [`${what} counts for ${name(orderId)}, whose hold did not cover ${iso(at)}`];
  const other = [...world.holds.values()].find(
    (hold) =>
      hold.orderId !== orderId && isSameAmount(hold, own) && covers(hold, at) && !isReusedByLostOrder(world, own, hold),
  );
  return other ? [`${what} counts for ${name(orderId)}, but ${name(other.orderId)} held the amount as well`] : [];
}

interface Part {
  what: string;
  own: Hold;
  /** The time that determines which hold covers the transfer. */
  at: number;
  transfer: TransferRow;
}

/** Returns the violations of a transfer of too little that pays its order in part: it was less than the hold's amount, which covered it. */
function partViolations(world: World, { what, own, at, transfer }: Part): string[] {
  const isOwn = fits(own, { ...transfer, baseUnits: own.baseUnits }) && own.kind === "shared" && covers(own, at);
  if (!isOwn || transfer.baseUnits >= own.baseUnits)
    return [`${what} pays ${name(own.orderId)} in part, whose hold did not cover ${iso(at)}, or is not too little`];
  const other = [...world.holds.values()].find((hold) => fits(hold, transfer) && covers(hold, at));
  return other ? [`${what} pays ${name(own.orderId)} in part, but ${name(other.orderId)} held exactly its amount`] : [];
}

/**
 * Returns true if a lost order had reused the amount of an order that was paid after the dump. The restore also restores the longer hold
 * of the paid order, and its payment is read again. A payment for the lost order is then credited to the paid order, which becomes
 * overpaid, and to no other order.
 */
function isReusedByLostOrder({ snapshot, lostQuotes }: World, own: Hold, other: Hold): boolean {
  const isPaid = snapshot.orders.get(own.orderId)?.status === "paid";
  return isPaid && lostQuotes.has(other.id) && !lostQuotes.has(own.id);
}

function orderViolations({ transfers, quotes, events }: Snapshot, order: OrderRow): string[] {
  const what = `Order ${name(order.id)} (${order.status})`;
  const own = transfers.filter(({ orderId }) => orderId === order.id);
  const found: string[] = [];
  const confirmed = events.filter(({ orderId, type }) => orderId === order.id && type === "payment.confirmed").length;
  if (confirmed !== (order.status === "paid" ? 1 : 0)) found.push(`${what} has ${confirmed} events payment.confirmed`);
  if (order.status === "cancelled") {
    const linked = own.find(({ isAssigned }) => !isAssigned);
    if (linked)
      found.push(`${what} has the transfer ${linked.txId.slice(0, 20)}… (${linked.status}) that no user assigned`);
  }
  if (order.status === "paid") return found;
  for (const quote of quotes.values()) {
    if (quote.orderId !== order.id || quote.completesQuoteId !== null) continue;
    const ids = new Set([...quotes.values()].flatMap((one) => (one.completesQuoteId === quote.id ? [one.id] : [])));
    ids.add(quote.id);
    const sum = (isCounted: (transfer: TransferRow) => boolean) =>
      own
        .filter((transfer) => ids.has(transfer.quoteId ?? "") && transfer.token === quote.token && isCounted(transfer))
        .reduce((total, { baseUnits }) => total + baseUnits, 0n);
    if (sum(({ status }) => status === "confirmed") >= quote.baseUnits)
      found.push(`${what} is not paid, though ${quote.baseUnits} of ${quote.currency} is confirmed for it`);
    const isOpen = order.status === "pending" || order.status === "expired";
    if (isOpen && sum(({ status, matchedMs }) => status !== "dropped" && matchedMs !== null) >= quote.baseUnits)
      found.push(`${what} is not confirming, though ${quote.baseUnits} of ${quote.currency} arrived for it`);
  }
  return found;
}

function holdViolations(world: World, before: Snapshot, quote: QuoteRow): string[] {
  const found: string[] = [];
  const known = before.quotes.get(quote.id);
  const what = `The hold of ${name(quote.orderId)} on ${quote.baseUnits} of ${quote.currency} on ${quote.network}`;
  if (known?.untilMs !== quote.untilMs || known.createdMs !== quote.createdMs) {
    const other = [...world.holds.values()].find(
      (hold) => hold.orderId !== quote.orderId && isSameAmount(hold, quote) && isOverlapping(hold, quote),
    );
    if (other)
      found.push(
        `${what} overlaps that of ${name(other.orderId)} on ${other.baseUnits} of ${other.currency} on ${other.network}`,
      );
  }
  if (known && quote.untilMs < known.untilMs && !mayEndEarlier(world, quote))
    found.push(`${what} ends at ${iso(quote.untilMs)} instead of ${iso(known.untilMs)}`);
  if (quote.releasedMs !== null && known && known.releasedMs === null) {
    const cursor = world.snapshot.cursors.get(quote.network);
    if (quote.releasedMs < quote.untilMs + BEFORE_HOLD_MS)
      found.push(`${what} was released at ${iso(quote.releasedMs)}, too early`);
    if (!cursor?.isClosed && (cursor?.timeMs ?? 0) < quote.untilMs)
      found.push(`${what} was released before its network was read to its end`);
  }
  return found;
}

function isOverlapping(one: QuoteRow, other: QuoteRow): boolean {
  return Math.max(one.createdMs, other.createdMs) - BEFORE_HOLD_MS < Math.min(one.untilMs, other.untilMs);
}

/**
 * Returns true if a hold may end early. Only the hold of the shared quote that settled its order may end early, and not before the order
 * expires.
 */
function mayEndEarlier({ snapshot, nowMs }: World, quote: QuoteRow): boolean {
  const order = snapshot.orders.get(quote.orderId);
  const isSettled = order?.status === "paid" && quote.kind === "shared";
  return isSettled && quote.untilMs >= order.expiresMs && quote.untilMs >= nowMs;
}

/** Returns the invalid changes to orders between two snapshots. */
function changes(before: Snapshot, { orders }: Snapshot): string[] {
  return [...before.orders.values()].flatMap((old) => {
    const order = orders.get(old.id);
    if (!order) return old.status === "expired" || old.status === "cancelled" ? [] : [`Order ${name(old.id)} is gone`];
    const found: string[] = [];
    if (order.version < old.version) found.push(`The version of ${name(old.id)} went back`);
    const isOther = order.status !== old.status || order.exception !== old.exception;
    if (isOther && order.version === old.version) found.push(`${name(old.id)} changed under one version`);
    if (old.status === "paid" && order.status !== "paid") found.push(`${name(old.id)} was paid and is ${order.status}`);
    return found;
  });
}

function totalViolations({ orders, quotes, totals }: Snapshot): string[] {
  const paid = new Map<string, { paid: number; units: bigint }>();
  for (const order of orders.values()) {
    const quote = quotes.get(order.quoteId ?? "");
    if (order.status !== "paid" || !quote) continue;
    const key = `${order.merchantId} ${quote.network} ${quote.currency}`;
    const before = paid.get(key) ?? { paid: 0, units: 0n };
    paid.set(key, { paid: before.paid + 1, units: before.units + order.paidUnits });
  }
  return [...new Set([...paid.keys(), ...totals.keys()])].flatMap((key) => {
    const [is, should] = [totals.get(key), paid.get(key)].map((one) => `${one?.paid ?? 0} orders, ${one?.units ?? 0n}`);
    return is === should ? [] : [`The hourly totals of ${key} are ${is}; its paid orders are ${should}`];
  });
}

const iso = (ms: number) => new Date(ms).toISOString();
