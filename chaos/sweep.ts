import { and, eq, inArray } from "drizzle-orm";
import type { ChaosChain } from "@/chaos/chains/chain";
import { type CreatedOrder, persist } from "@/chaos/create-orders";
import { PAYING_ACCOUNTS, walletKey } from "@/chaos/own-addresses";
import type { Random } from "@/chaos/plan/random";
import type { OwnSource } from "@/chaos/plan/steps";
import type { World } from "@/chaos/world";
import { receivingAddresses } from "@/db/schema";
import { RECEIVER_FACTORY, sweepCalldata } from "@/lib/domain/addresses/receiver";

const MAX_SWEPT = 5;

/** A sweep of an address, as it was sent. */
export interface Swept {
  network: string;
  source: OwnSource;
  address: string;
}

/**
 * Sweeps some addresses of a network, regardless of the state of their orders. Receivers are swept in one transaction from any account,
 * and addresses of the wallet once each, with their own key.
 * @param before the earlier sweeps
 * @returns the new sweeps
 */
export async function sweep(
  world: World,
  chain: ChaosChain,
  { source, created, before }: { source: OwnSource; created: Iterable<CreatedOrder>; before: readonly Swept[] },
  random: Random,
): Promise<Swept[]> {
  const { owners, network } = chain;
  if (!owners) return [];
  const isOnce = source === "xpub";
  const used = [...created].filter((order) => order.source === source && order.plan.network === network.id);
  const swept = new Set(before.flatMap((one) => (isOnce && one.network === network.id ? [one.address] : [])));
  const addresses = [...new Set(used.map(({ address }) => address))].filter((address) => !swept.has(address));
  const some = random.shuffled(addresses).slice(0, MAX_SWEPT);
  if (some.length === 0) return [];
  const { indexes, treasury } = await persist(() => findOwnAddresses(world, source, network.id, some));
  const isSendable = (address: string) => !isOnce || (indexes.get(address) ?? 0) < PAYING_ACCOUNTS;
  const known = some.filter((address) => indexes.has(address) && isSendable(address));
  const asSwept = (address: string): Swept => ({ network: network.id, source, address });
  if (!isOnce) {
    const salts = known.flatMap((address) => indexes.get(address) ?? []);
    const tokens = network.tokens.map(({ contract }) => contract);
    await owners.call(RECEIVER_FACTORY, sweepCalldata(treasury, salts, tokens));
    return known.map(asSwept);
  }
  const sent: Swept[] = [];
  for (const address of known) {
    const full = await fullest(chain, address);
    if (!full) continue;
    const key = walletKey(network.family === "tron" ? "tron" : "evm", indexes.get(address) ?? 0);
    await owners.sendAs(key, { ...full, to: treasury });
    sent.push(asSwept(address));
  }
  return sent;
}

async function findOwnAddresses({ pool, sellers }: World, source: OwnSource, network: string, addresses: string[]) {
  const isSellers = and(
    eq(receivingAddresses.merchantId, sellers[source].merchantId),
    eq(receivingAddresses.network, network),
  );
  const own = await pool.db
    .select()
    .from(receivingAddresses)
    .where(and(isSellers, inArray(receivingAddresses.address, addresses)));
  const [shared] = await pool.db
    .select()
    .from(receivingAddresses)
    .where(and(isSellers, eq(receivingAddresses.kind, "shared")));
  if (!shared) throw new Error(`The merchant with ${source} addresses has no shared one on ${network}`);
  return { indexes: new Map(own.map((row) => [row.address, row.sourceIndex ?? 0])), treasury: shared.address };
}

/** Returns a token with a balance at an address. */
async function fullest({ owners, network }: ChaosChain, address: string) {
  for (const { currency } of network.tokens) {
    const baseUnits = (await owners?.held(address, currency)) ?? 0n;
    if (baseUnits > 0n) return { currency, baseUnits };
  }
  return null;
}
