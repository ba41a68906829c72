import { unlinkTransfer } from "@/lib/ledger/unlink-transfer";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { BOTH } from "@/testing/properties/command";
import { covers, fits } from "@/testing/properties/holds";
import { findViolations, trueMs } from "@/testing/properties/invariants";
import { name, perform } from "@/testing/properties/perform";
import { unfinishedRefunds } from "@/testing/properties/refunds";
import type { OrderRow, TransferRow } from "@/testing/properties/snapshot";
import { ALL_ENDPOINTS, type World } from "@/testing/properties/world";

const ROUNDS = 3;
const ROUND_MS = 90_000;
/** The time after the end of the last hold within which it must be released, and within which an old refund is checked again. */
const COOL_DOWN_MS = 610_000;

/**
 * Ends all faults and advances time until the state no longer changes. Every order must then have a final status, every amount must be
 * released, and every transfer must be linked to its order or have a reason for being unmatched.
 * @returns the broken invariants
 */
export async function closingViolations(world: World): Promise<string[]> {
  const stuck = await closeLostNetworks(world);
  if (stuck.length > 0) return stuck;
  for (const one of world.chains) one.fault = null;
  for (const network of [0, 1]) await perform(world, { do: "reopen", network, crash: null });
  world.restart();
  for (let rounds = 0; rounds < ROUNDS; rounds++) await round(world, rounds < 2 ? ROUND_MS : 1_000);
  const lastMs = Math.max(...[...world.snapshot.quotes.values()].map(({ untilMs }) => untilMs), world.nowMs);
  for (let rounds = 0; rounds < 2; rounds++)
    await round(world, rounds === 0 ? lastMs - world.nowMs + COOL_DOWN_MS : ROUND_MS);
  const before = await world.refresh();
  return [
    ...findViolations(world, before),
    ...unfinished(world),
    ...misplaced(world),
    ...unfinishedRefunds(world),
    ...(await invalidBodies(world)),
  ];
}

/**
 * Advances time while closed networks do not respond. Their orders expire, or a user unlinks them or marks them as paid if they are
 * confirming.
 * @returns the broken invariants
 */
async function closeLostNetworks(world: World): Promise<string[]> {
  const closed = world.chains.filter(({ network }) => world.snapshot.cursors.get(network.id)?.isClosed);
  if (closed.length === 0) return [];
  for (const one of world.chains)
    one.fault = closed.includes(one) ? { endpoint: ALL_ENDPOINTS, fault: { kind: "silent" } } : null;
  const ids = new Set(closed.map(({ network }) => network.id));
  world.restart();
  for (let rounds = 0; rounds < 3; rounds++) await round(world, ROUND_MS);
  const lastMs = Math.max(...[...world.snapshot.orders.values()].map(({ expiresMs }) => expiresMs), world.nowMs);
  await round(world, lastMs - world.nowMs + COOL_DOWN_MS);
  const isLost = ({ network }: OrderRow) => network !== null && ids.has(network);
  const confirming = [...world.snapshot.orders.values()].filter(({ status }) => status === "confirming");
  for (const [index, order] of confirming.entries()) await decide(world, order, index % 2 === 0);
  const before = await world.refresh();
  const open = [...world.snapshot.orders.values()].filter(
    ({ status }) => status === "pending" || status === "confirming",
  );
  return [
    ...findViolations(world, before),
    ...open.filter(isLost).map(({ id, status }) => `Order ${name(id)} is ${status} though its network is closed`),
  ];
}

async function decide(world: World, { id: orderId, merchantId }: OrderRow, isPaid: boolean): Promise<void> {
  const { actor } = world.merchantOf(merchantId);
  const reason = "decided by a user";
  if (isPaid) {
    await markOrderPaid(world.db, world.context, actor, { orderId, reason }, world.now());
    return;
  }
  for (const transfer of world.snapshot.transfers.filter((one) => one.orderId === orderId))
    await unlinkTransfer(world.db, world.context, actor, { transferId: transfer.id, orderId, reason }, world.now());
}

async function round(world: World, afterMs: number): Promise<void> {
  world.pass(afterMs);
  for (const one of world.chains) world.mine(one, 1);
  for (const { network } of world.chains) await world.watch(network.id, true);
  await perform(world, { do: "answer", network: BOTH, crash: null });
  await perform(world, { do: "tick", crash: null });
  await world.refresh();
}

function unfinished({ snapshot }: World): string[] {
  const open = [...snapshot.orders.values()].filter(({ status }) => status === "pending" || status === "confirming");
  const held = [...snapshot.quotes.values()].filter(({ releasedMs }) => releasedMs === null);
  return [
    ...open.map(({ id, status }) => `Order ${name(id)} is ${status} for ever`),
    ...held.map(({ orderId, baseUnits, network }) => `${name(orderId)} holds ${baseUnits} on ${network} for ever`),
  ];
}

/** Compares the ledger with the chains. */
function misplaced(world: World): string[] {
  const { transfers } = world.snapshot;
  const missing = world.chains.flatMap(({ network, chain }) =>
    chain.all().flatMap(({ transaction, block }) => {
      const own = transaction.sends.filter(({ to }) => world.isReceiving(to));
      const found = transfers.filter(({ txId }) => txId === transaction.id);
      if (found.length !== own.length)
        return [`${network.id} has ${own.length} transfers in ${transaction.id}, the ledger ${found.length}`];
      return found.flatMap((row) => {
        const isThere = row.status === "confirmed" && row.lostMs === null && row.blockHash === block.hash;
        return isThere ? misplacedRow(world, row) : [`Transfer ${row.txId} is final, and ${row.status} in the ledger`];
      });
    }),
  );
  const forged = transfers
    .filter(({ status, lostMs }) => status !== "dropped" && lostMs === null)
    .filter(({ network, txId }) => world.chain(network).chain.find(txId) === null)
    .map(({ txId, status }) => `Transfer ${txId} is on no chain, and ${status} in the ledger`);
  return [...missing, ...forged];
}

/**
 * Returns a violation if a transfer does not belong to the order whose hold covered it, unless a user or an earlier cancellation decided
 * otherwise.
 */
function misplacedRow(world: World, row: TransferRow): string[] {
  const isDecided = row.isAssigned || row.isSweep || row.unlinkedMs !== null || row.reason === "refund";
  if (isDecided || world.chain(row.network).chain.inclusions(row.txId).length > 1) return [];
  const at = trueMs(world, row);
  // A transfer that was seen before the hold was created was already unmatched, although the hold covers the two minutes before it.
  const hold = [...world.snapshot.quotes.values()].find(
    (quote) => fits(quote, row) && covers(quote, at) && firstReadAt(world, quote.id) <= firstReadAt(world, row.id),
  );
  if (!hold || row.orderId === hold.orderId || world.cancelled.has(hold.orderId)) return [];
  const outcome = row.orderId ? `counts for ${name(row.orderId)}` : `is unmatched (${row.reason})`;
  return [`Transfer ${row.txId} of ${row.baseUnits} was sent to the hold of ${name(hold.orderId)}, but ${outcome}`];
}

const firstReadAt = ({ firstRead }: World, id: string) => firstRead.get(id) ?? 0;

/** Returns the invalid bodies of stored events. Callbacks send these bodies. */
async function invalidBodies({ sql, snapshot }: World): Promise<string[]> {
  const events = await sql<{ order_id: string; type: string; version: number; body: string }[]>`
    select order_id, type, version, body from events where order_id is not null`;
  return events.flatMap(({ order_id: orderId, type, version, body }) => {
    const { type: reported, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> };
    const isOfOrder = data["trade_id"] === orderId && data["version"] === version && reported === type;
    const isPaid = type !== "payment.confirmed" || data["status"] === "paid";
    const isKnown = version <= (snapshot.orders.get(orderId)?.version ?? 0);
    return isOfOrder && isPaid && isKnown ? [] : [`The body of ${type} of ${name(orderId)} is ${body}`];
  });
}
