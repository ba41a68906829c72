import { and, eq } from "drizzle-orm";
import { recordCalls, replay } from "@/bench/catch-up/call-recorder";
import { compareLedger, type Found } from "@/bench/catch-up/compare-ledger";
import { startBlockChain } from "@/bench/catch-up/evm-day";
import { blocksOfDay, type LocalChain } from "@/bench/catch-up/local-day";
import { runUnbuilt } from "@/bench/catch-up/run-unbuilt";
import { startSolanaChain } from "@/bench/catch-up/solana-day";
import type { Db } from "@/db/client";
import { findCursor } from "@/db/queries/networks/cursors";
import { accountCursors, blocks, cursors, familyAddresses, receivingAddresses, transfers } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import type { Network } from "@/lib/domain/networks";
import { createLog } from "@/lib/log";
import { createNetworkReader, leaseNetwork, type NetworkReader } from "@/lib/watch/network-reader";

/** The result of catching up after a pause: the blocks that were read, and the speed compared with the node's own. */
export interface CaughtUp {
  network: Network;
  /** The number of blocks (slots) by which the ledger advanced. */
  blocks: number;
  transfers: number;
  seconds: number;
  /** The number of JSON-RPC calls by method. */
  calls: Map<string, number>;
  /** The duration of the same calls without the ledger, in seconds. */
  bareSeconds: number;
  /** The differences between ledger and chain; empty if every transfer was found exactly once. */
  problems: string[];
}

/** The number of payments on a busy merchant's day. */
const PAYMENTS = 2_000;
const ADDRESSES = 10;
/**
 * The time by which the reader's clock is ahead. A day passes within seconds, but its blocks have timestamps a second apart, and
 * timestamps in the future are invalid.
 */
const MAX_AHEAD_MS = 5 * 86_400_000;
const OWNER = "bench";
const RENEW_MS = 3_000;
const LOG = createLog("bench", "fatal");
/** A placeholder MAC. It is never verified, because no order is created at these addresses. */
const MAC = "bench";

interface Options {
  /** The maximum number of blocks per log query, if the node limits it. */
  maxBlocks?: number;
  /** The number of blocks and payments of a shorter day. */
  day?: { blocks: number; payments: number };
}

/**
 * Simulates a day on a network while no worker runs, then measures the reader of a newly started worker as it catches up. The network's
 * ledger is empty afterward.
 */
export async function measureCatchUp(
  { db, merchantId }: { db: Db; merchantId: string },
  network: Network,
  { maxBlocks, day = { blocks: blocksOfDay(network), payments: PAYMENTS } }: Options = {},
): Promise<CaughtUp> {
  const chain = await (network.family === "solana" ? startSolanaChain(network) : startBlockChain(network));
  try {
    const receivers = await addAddresses(db, merchantId, network, chain);
    await catchUp(db, network, openReader(db, network, chain.rpcUrl));
    const payments = await chain.passDay({ ...day, receivers });
    const url = maxBlocks ? await startNarrowNode(chain.rpcUrl, maxBlocks) : chain.rpcUrl;
    const measured = await measure(db, network, url);
    return { network, ...measured, problems: compareLedger(payments, await found(db, network)) };
  } finally {
    await chain.stop();
    await forget(db, network);
  }
}

async function measure(db: Db, network: Network, url: string): Promise<Omit<CaughtUp, "network" | "problems">> {
  const reader = openReader(db, network, url);
  const from = await heightOf(db, network);
  const startedAt = performance.now();
  const { counts, waves } = await recordCalls(() => catchUp(db, network, reader));
  const seconds = (performance.now() - startedAt) / 1_000;
  const read = (await heightOf(db, network)) - from;
  const count = (await found(db, network)).length;
  return { blocks: read, transfers: count, seconds, calls: counts, bareSeconds: (await replay(waves)) / 1_000 };
}

/** Starts a node with a limited log query range. It ends with this process. */
async function startNarrowNode(url: string, maxBlocks: number): Promise<string> {
  const { address } = await runUnbuilt("The node of a free plan", "catch-up/narrow-node.ts", [url, String(maxBlocks)]);
  return `http://${address}`;
}

async function addAddresses(db: Db, merchantId: string, network: Network, chain: LocalChain): Promise<string[]> {
  const receivers = Array.from({ length: ADDRESSES }, chain.newAddress);
  const now = new Date();
  const { family } = network;
  const cursor = { merchantId, network: network.id, family, kind: "shared" as const, mac: MAC, createdAt: now };
  await db.insert(familyAddresses).values(receivers.map((address) => ({ family, address, merchantId })));
  await db.insert(receivingAddresses).values(receivers.map((address) => ({ id: newId(now), ...cursor, address })));
  return receivers;
}

function openReader(db: Db, network: Network, url: string): NetworkReader {
  const options = { urls: [url], now: () => new Date(Date.now() + MAX_AHEAD_MS) };
  return createNetworkReader(db, network, options, { owner: OWNER, publicUrl: "https://pay.example.com", log: LOG });
}

/** Reads up to the head and renews the lease regularly, like a worker. */
async function catchUp(db: Db, network: Network, reader: NetworkReader): Promise<void> {
  let leasedAt = Number.NEGATIVE_INFINITY;
  for (let isCaughtUp = false; !isCaughtUp; ) {
    if (performance.now() - leasedAt >= RENEW_MS) {
      leasedAt = performance.now();
      await leaseNetwork(db, network.id, OWNER);
    }
    ({ isCaughtUp } = await reader.step(new Date()));
  }
}

async function heightOf(db: Db, network: Network): Promise<number> {
  return (await findCursor(db, network.id))?.height ?? 0;
}

async function found(db: Db, network: Network): Promise<Found[]> {
  return db.select().from(transfers).where(eq(transfers.network, network.id));
}

async function forget(db: Db, { id }: Network): Promise<void> {
  await db.delete(transfers).where(eq(transfers.network, id));
  await db.delete(accountCursors).where(eq(accountCursors.network, id));
  await db.delete(blocks).where(eq(blocks.network, id));
  await db.delete(cursors).where(eq(cursors.network, id));
  await db.delete(receivingAddresses).where(and(eq(receivingAddresses.network, id), eq(receivingAddresses.mac, MAC)));
}
