import { type CallbackShop, startCallbackShop } from "@/chaos/callback-shop";
import type { ChaosChain } from "@/chaos/chains/chain";
import { createOtherChains, type OtherChains } from "@/chaos/chains/other-chains";
import { startSolanaChaosChain } from "@/chaos/chains/solana-chain";
import { startEvmChaosChain } from "@/chaos/chains/start-evm-chain";
import { startTronChaosChain } from "@/chaos/chains/tron-chain";
import { type ChaosDatabase, startChaosDatabase } from "@/chaos/database";
import { type FaultProxy, startFaultProxy } from "@/chaos/faults/fault-proxy";
import { openOwnSource, ownSourcesOf, walletAccounts } from "@/chaos/own-addresses";
import { createRandom, type Random } from "@/chaos/plan/random";
import { addSellerAddress, createSeller, SELLERS, type Seller, type SellerName } from "@/chaos/sellers";
import { startWorkerFleet, type WorkerFleet } from "@/chaos/worker-fleet";
import { type DbPool, openDb } from "@/db/client";
import { NETWORKS, type Network } from "@/lib/domain/networks";

/** The components of a run. All of them are real, and used by this run only. */
export interface World {
  pool: DbPool;
  database: ChaosDatabase;
  chains: readonly ChaosChain[];
  /** The endpoints that the workers use, by network. */
  endpoints: ReadonlyMap<string, readonly FaultProxy[]>;
  fleet: WorkerFleet;
  shop: CallbackShop;
  sellers: Readonly<Record<SellerName, Seller>>;
  otherChains: OtherChains;
  stop(): Promise<void>;
}

export const APP_SECRET = "a-secret-that-lives-as-long-as-this-run";
/** The ways in which Solana can be read at the start of a run. The service selects one based on the number of addresses. */
export const SOLANA_READINGS = ["accounts", "blocks"] as const;
export type SolanaReading = (typeof SOLANA_READINGS)[number];

export const WORKERS = 2;
/** The number of idle addresses, which is high enough that the service reads whole blocks. */
const IDLE_ADDRESSES = 30;
const MAX_SEED = 2 ** 31 - 1;
/** The seed of the other chains, whose properties do not matter. */
const OTHER_SEED = 1;
/** The networks of the test. Its EVM networks cover finality by depth, by tag and by time; other EVM networks would repeat one of these. */
const NETWORK_IDS = ["ethereum", "bsc", "optimism", "tron", "solana"];
/** The network whose payments need more than one agreeing endpoint. */
const QUORUM = { network: "ethereum", endpoints: 3, agreeing: 2 };

/**
 * Starts the database, chains, endpoints, merchants, their server and the workers. If a component fails to start, the components that have
 * already started are stopped.
 */
export async function startWorld(random: Random, solana: SolanaReading): Promise<World> {
  const started: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end();
  };
  const own = <T extends { stop(): Promise<unknown> }>(part: T): T => {
    started.push(() => part.stop());
    return part;
  };
  try {
    const database = own(await startChaosDatabase());
    const pool = openDb(database.url, { work: "none", applicationName: "stablegate-chaos" });
    started.push(() => pool.close());
    const chains: ChaosChain[] = [];
    for (const network of NETWORKS.filter(({ id }) => NETWORK_IDS.includes(id)))
      chains.push(own(await startChain(network, random)));
    const endpoints = new Map<string, FaultProxy[]>();
    for (const { network, urls, rewrite } of chains) {
      const proxies = urls.map((url) => startFaultProxy(url, rewrite));
      endpoints.set(network.id, (await Promise.all(proxies)).map(own));
    }
    const otherChains = own(createOtherChains((network) => startChain(network, createRandom(OTHER_SEED))));
    const sellers = await createSellers(pool, chains, random, solana);
    const secretOf = (path: string) => SELLERS.find((name) => path === `/${name}`);
    const shop = own(await startCallbackShop((path) => sellers[secretOf(path) ?? "shared"].secret, random));
    const fleet = own(await startWorkerFleet(WORKERS, workerEnv(database.url, endpoints)));
    return { pool, database, chains, endpoints, fleet, shop, sellers, otherChains, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startChain(network: Network, random: Random): Promise<ChaosChain> {
  switch (network.family) {
    case "evm": {
      const endpoints = network.id === QUORUM.network ? QUORUM.endpoints : 2;
      return startEvmChaosChain(network, { endpoints, owners: walletAccounts("evm"), hasReceivers: true });
    }
    case "tron":
      return startTronChaosChain(network, { owners: walletAccounts("tron") });
    case "solana":
      return startSolanaChaosChain(network, createRandom(random.int(0, MAX_SEED)));
  }
}

async function createSellers(
  { db }: DbPool,
  chains: readonly ChaosChain[],
  random: Random,
  solana: SolanaReading,
): Promise<World["sellers"]> {
  const now = new Date();
  const made = await Promise.all(
    SELLERS.map(async (name) => [name, await createSeller(db, APP_SECRET, name, now)] as const),
  );
  const sellers = Object.fromEntries(made) as Record<SellerName, Seller>;
  for (const siblings of Map.groupBy(chains, ({ network }) => network.family).values()) {
    const idle = siblings[0]?.network.family === "solana" && solana === "blocks" ? IDLE_ADDRESSES : 0;
    for (const seller of [sellers.shared, sellers.shared, sellers.brief, ...Array<Seller>(idle).fill(sellers.idle)]) {
      const address = siblings[0]?.newAddress(random) ?? "";
      for (const { network } of siblings)
        await addSellerAddress(db, APP_SECRET, seller, { network: network.id, address }, now);
    }
    const networks = siblings.map(({ network }) => network);
    for (const source of networks[0] ? ownSourcesOf(networks[0]) : []) {
      const shared = siblings[0]?.newAddress(random) ?? "";
      await openOwnSource(db, APP_SECRET, { source, seller: sellers[source], networks, shared }, now);
    }
  }
  return sellers;
}

function workerEnv(databaseUrl: string, endpoints: ReadonlyMap<string, readonly FaultProxy[]>): Record<string, string> {
  const urls = [...endpoints].map(([id, proxies]) => [
    `${id.toUpperCase()}_RPC_URLS`,
    proxies.map(({ url }) => url).join(","),
  ]);
  return {
    ...Object.fromEntries(urls),
    [`${QUORUM.network.toUpperCase()}_QUORUM`]: String(QUORUM.agreeing),
    DATABASE_URL: databaseUrl,
    IDLE_READING: "often",
    APP_SECRET,
    PUBLIC_URL: "http://localhost:3000",
    CALLBACK_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
  };
}

/**
 * Returns the chain of a network.
 * @throws Error if the run does not include it
 */
export function chainOf(world: World, id: string): ChaosChain {
  const chain = world.chains.find(({ network }) => network.id === id);
  if (!chain) throw new Error(`There is no local chain of ${id}`);
  return chain;
}
