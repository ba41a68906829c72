import { eq } from "drizzle-orm";
import pino from "pino";
import { afterEach, beforeEach } from "vitest";
import { blocks, cursors, transfers } from "@/db/schema";
import type { BlockSource } from "@/lib/chains/endpoints/source";
import { createEvmSource } from "@/lib/chains/evm/source";
import { getNetwork, getToken, type Network } from "@/lib/domain/networks";
import { type Scanner, scanNetwork } from "@/lib/watch/blocks/scan-network";
import { leaseNetwork } from "@/lib/watch/network-reader";
import { newScanMemory, type ScanStep } from "@/lib/watch/scan/scan-state";
import { verifyNetwork } from "@/lib/watch/verify/verify-network";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant } from "@/testing/database/seed";

const log = pino({ level: "silent" });
const MAX_STEPS = 500;

/** A scanner with a local chain of 20 blocks that it has read, a database and one receiving address; recreated for every test. */
export interface ScannerWorld {
  chain: TestChain;
  /** The source of blocks; replaceable, to put a different endpoint in front of the chain. */
  source: BlockSource;
  scanner: Scanner;
  shop: Awaited<ReturnType<typeof seedAddress>>;
}

/**
 * Recreates the scanner, its local chain and its receiving address before each test. Call it once at the top of a test file or of a
 * describe block.
 */
export function useScanner(networkOrId: string | Network = "ethereum") {
  const testDb = useTestDb();
  const network = typeof networkOrId === "string" ? getNetwork(networkOrId) : networkOrId;
  const world = {} as ScannerWorld;
  const now = () => new Date();
  const db = () => testDb.pool.db;
  const newScanner = (owner = "one"): Scanner => ({
    owner,
    memory: newScanMemory(),
    log,
    publicUrl: "https://pay.example.com",
  });
  const step = (scanner = world.scanner) => scanNetwork(db(), world.source, network, scanner, now());

  /** Scans until the head is reached. */
  async function catchUp(scanner = world.scanner): Promise<ScanStep[]> {
    const steps: ScanStep[] = [];
    do {
      await leaseNetwork(db(), network.id, scanner.owner);
      steps.push(await step(scanner));
    } while (!steps.at(-1)?.isCaughtUp && steps.length < MAX_STEPS);
    return steps;
  }

  async function verify(at = now()): Promise<number> {
    const head = await world.source.head();
    return verifyNetwork(db(), world.source, network, world.scanner, head, at);
  }

  /** Resets the cursor to a block; the ledger does not change. */
  async function goBackTo(height: number): Promise<void> {
    const block = await world.source.block({ height });
    if (!block) throw new Error(`There is no block ${height}`);
    const index = { height, hash: block.hash, blockTime: block.time };
    await db().update(cursors).set(index).where(eq(cursors.network, network.id));
  }

  /** Deletes all state of the network, as if it had never been read. */
  async function forget(): Promise<void> {
    for (const table of [cursors, blocks, transfers]) await db().delete(table);
  }

  beforeEach(async () => {
    await empty(db(), "merchants", "orders", "quotes", "audit_events", "transfers", "blocks", "cursors");
    world.chain = await startTestChain(network);
    world.source = sourceOf(world.chain.node.url);
    world.scanner = newScanner();
    world.shop = await seedAddress(
      db(),
      { merchantId: (await seedMerchant(db(), now())).id, network: network.id },
      now(),
    );
    await world.chain.mine(20);
    await catchUp();
  });
  afterEach(() => world.chain.stop());

  const sourceOf = (...urls: string[]) => createEvmSource(network, { urls, now });
  return {
    world,
    network,
    usdt: getToken(network, "USDT").contract,
    usdc: getToken(network, "USDC").contract,
    db,
    now,
    step,
    catchUp,
    verify,
    forget,
    goBackTo,
    newScanner,
    sourceOf,
    ledger: () => db().select().from(transfers).orderBy(transfers.blockHeight, transfers.position),
    cursor: async () => (await db().select().from(cursors).where(eq(cursors.network, network.id)))[0],
    keptHeights: async () =>
      (await db().select({ height: blocks.height }).from(blocks).orderBy(blocks.height)).map(({ height }) => height),
  };
}
