import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { ChaosChain } from "@/chaos/chains/chain";
import { type Fault, type FaultProxy, startFaultProxy } from "@/chaos/faults/fault-proxy";
import { createRandom } from "@/chaos/plan/random";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { useTestDb } from "@/testing/database/clone";
import { empty, WATCHED } from "@/testing/database/empty";
import { seedAddress, seedMerchant } from "@/testing/database/seed";
import { type Settings, WatchedNetwork } from "@/testing/watch/watched-network";

const random = createRandom(20_261_120);

/** The tables that are emptied when reading continues after the previous test, because restarting it is expensive. */
const ONWARDS = ["merchants", "orders", "quotes", "audit_events", "transfers", "callbacks"];

/** The number of blocks that are kept between tests, larger than the depth of any reorg in a test. */
const BLOCKS_KEPT = 20;
/** The number of receiving addresses: with two, one transaction can pay two orders. */
const RECEIVERS = 2;

/** The options of the network reader for all tests of a file. */
interface Reading {
  /** The number of token accounts up to which histories are read instead of blocks; defaults to the worker's number. */
  maxAccounts?: number;
  /** True if each test continues on the chain of the previous one, because a new start is expensive. */
  goesOn?: boolean;
}

export type FaultyEndpoints = ReturnType<typeof useFaultyEndpoints>;

/** Provides a local chain with faulty endpoints, and a ledger; created once for all tests of a file. */
export function useFaultyEndpoints(start: () => Promise<ChaosChain>, { goesOn = false, ...reading }: Reading = {}) {
  const testDb = useTestDb();
  const world = {} as { chain: ChaosChain };
  const proxies: FaultProxy[] = [];

  beforeAll(async () => {
    world.chain = await start();
    // The number of blocks in a minute is determined by the blocks' own times.
    world.chain.setBlockMs?.(world.chain.network.blockMs);
  });
  afterAll(() => world.chain.stop());
  afterEach(async () => {
    await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
  });

  /** Starts a proxy in front of the node; `which` selects the URL if there are several kinds. */
  async function endpoint(which = 0): Promise<FaultProxy> {
    const { urls, rewrite } = world.chain;
    const proxy = await startFaultProxy(urls[which] ?? "", rewrite);
    proxies.push(proxy);
    return proxy;
  }

  /** Starts a worker that reads the network, with its own clock and an empty ledger. */
  async function watch(urls: readonly string[], settings: Settings = {}): Promise<WatchedNetwork> {
    const { db } = testDb.pool;
    await empty(db, ...(goesOn ? ONWARDS : WATCHED));
    // The second read starts at the lowest stored block. Without this deletion, it would have to read the blocks of all previous tests.
    await db.execute(sql`delete from blocks where height < (select max(height) from blocks) - ${BLOCKS_KEPT}`);
    const { network } = world.chain;
    const merchantId = (await seedMerchant(db, new Date())).id;
    const addresses = [];
    for (let count = 0; count < RECEIVERS; count++) {
      const address = canonicalAddress(network.family, world.chain.newAddress(random));
      addresses.push(await seedAddress(db, { merchantId, network: network.id, address }, new Date()));
    }
    const watched = new WatchedNetwork(world.chain, db, addresses, urls, { ...reading, ...settings });
    await watched.rounds(2);
    return watched;
  }

  return { world, start, endpoint, watch };
}

/** Returns a fault with a new random sequence. */
export function beginFault(make: (chance: ReturnType<typeof createRandom>) => Fault): Fault {
  return make(createRandom(random.int(0, 2 ** 31)));
}
