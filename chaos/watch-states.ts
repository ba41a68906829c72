import { and, eq, gt, inArray, isNull } from "drizzle-orm";
import type { ChaosPayment } from "@/chaos/chains/chain";
import { waitFor } from "@/chaos/wait";
import type { World } from "@/chaos/world";
import { cursors, orders, quotes, receivingAddresses, refundRequests, transfers } from "@/db/schema";
import type { WatchState } from "@/lib/domain/networks/watch-state";
import { createLog } from "@/lib/log";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { cancelRefund } from "@/lib/refunds/decide-refund";

/** The networks that were observed in each polling tier. */
export type StatesSeen = Record<WatchState, Set<string>>;

const CONTEXT = { publicUrl: "http://localhost:3000", log: createLog("chaos", "fatal") };
const STAYS_HELD_MS = 180_000;
/** The amounts of unexpected transfers: less than any order requests, and different for each polling tier. */
const UNASKED_UNITS = { asleep: 123n, drowsy: 124n };

/** Returns an empty set of networks for each polling tier. */
export function newStatesSeen(): StatesSeen {
  return { awake: new Set(), drowsy: new Set(), asleep: new Set() };
}

/** Records the current polling tier of each network. */
export async function noteStates({ pool }: World, seen: StatesSeen): Promise<Map<string, WatchState | null>> {
  const rows = await pool.db.select({ network: cursors.network, state: cursors.watchState }).from(cursors);
  for (const { network, state } of rows) if (state) seen[state].add(network);
  return new Map(rows.map(({ network, state }) => [network, state]));
}

/**
 * Waits until every network is dormant, which is its polling tier while there are no orders. An unexpected transfer arrives on each
 * network and must be found.
 * @returns descriptions of the problems
 */
export async function payWhileDormant(world: World, seen: StatesSeen): Promise<string[]> {
  return payUnasked(world, seen, () => "asleep", UNASKED_UNITS.asleep);
}

/**
 * Checks the polling tiers after the run: open orders and refunds are cancelled, while amounts remain reserved. Networks with a hold must be idle;
 * other networks can be in any tier. An unexpected transfer arrives on each network and must be found.
 * @returns descriptions of the problems
 */
export async function payWhileIdle(world: World, seen: StatesSeen): Promise<string[]> {
  const { db } = world.pool;
  const sellers = new Map(Object.values(world.sellers).map((seller) => [seller.merchantId, seller]));
  const ownerOf = (merchantId: string) =>
    ({ merchantId, userId: sellers.get(merchantId)?.userId ?? "", role: "owner" }) as const;
  for (const { id, merchantId } of await db.select().from(orders).where(eq(orders.status, "pending")))
    await cancelOrder(db, CONTEXT, ownerOf(merchantId), id, new Date());
  const isUnpaid = inArray(refundRequests.status, ["requested", "claimed", "approved"]);
  for (const { id, merchantId } of await db.select().from(refundRequests).where(isUnpaid))
    await cancelRefund(db, CONTEXT, ownerOf(merchantId), { id, reason: "" }, new Date());
  const isHeld = and(isNull(quotes.releasedAt), gt(quotes.reservedUntil, new Date(Date.now() + STAYS_HELD_MS)));
  const held = new Set((await db.select().from(quotes).where(isHeld)).map(({ network }) => network));
  return payUnasked(world, seen, (network) => (held.has(network) ? "drowsy" : null), UNASKED_UNITS.drowsy);
}

/**
 * Sends an unexpected transfer on each network and checks that it is found.
 * @param stateOf the polling tier that a network must reach before the transfer is sent; null: any
 */
async function payUnasked(
  world: World,
  seen: StatesSeen,
  stateOf: (network: string) => WatchState | null,
  baseUnits: bigint,
): Promise<string[]> {
  const networks = world.chains.map(({ network }) => network.id);
  const isThere = async () => {
    const states = await noteStates(world, seen);
    return networks.filter((network) => (stateOf(network) ?? states.get(network)) !== states.get(network));
  };
  const invalid = (await waitFor(isThere)).map((network) => `${network} did not become ${stateOf(network)}`);
  for (const chain of world.chains) {
    const payment = await unasked(world, chain.network.id, baseUnits);
    await chain.send([payment]);
    await chain.mine(1);
  }
  const isFound = async () => {
    const rows = await world.pool.db.select().from(transfers).where(eq(transfers.baseUnits, baseUnits));
    const found = new Set(rows.filter(({ orderId }) => orderId === null).map(({ network }) => network));
    const waited = world.chains.filter(({ network }) => !found.has(network.id));
    // On some chains, a block counts only once later blocks follow it.
    for (const chain of waited) await chain.mine(1);
    return waited.map(({ network }) => network.id);
  };
  const lost = await waitFor(isFound);
  return [...invalid, ...lost.map((network) => `an unexpected payment was not found on ${network}`)];
}

async function unasked(world: World, network: string, baseUnits: bigint): Promise<ChaosPayment> {
  const isShared = and(
    eq(receivingAddresses.network, network),
    eq(receivingAddresses.merchantId, world.sellers.shared.merchantId),
  );
  const [address] = await world.pool.db.select().from(receivingAddresses).where(isShared).limit(1);
  if (!address) throw new Error(`There is no shared address on ${network}`);
  return { currency: "USDT", to: address.address, baseUnits };
}
