import { eq, sql } from "drizzle-orm";
import { recordCalls } from "@/bench/catch-up/call-recorder";
import { startBlockChain } from "@/bench/catch-up/evm-day";
import type { LocalChain } from "@/bench/catch-up/local-day";
import { runUnbuilt } from "@/bench/catch-up/run-unbuilt";
import { seedAddress, seedManyOrders } from "@/bench/rpc/made-orders";
import type { Line } from "@/bench/table/line";
import { openLikeWorker, startWorld, type World } from "@/bench/world";
import { orders, transfers } from "@/db/schema";
import { getNetwork } from "@/lib/domain/networks";
import { confirmTransfers, MAX_CONCURRENCY, newConfirmMemory } from "@/lib/ledger/confirm-transfers";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { createLog } from "@/lib/log";
import { createNetworkReader, leaseNetwork } from "@/lib/watch/network-reader";

const TRANSFERS = 10_000;
const A_BLOCK = 100;
const LATENCY_MS = 100;
const PROBES = 20;
const NETWORK = getNetwork("ethereum");
const LOG = createLog("bench", "fatal");
const OWNER = "bench";
const CTX = { publicUrl: "https://pay.example.com", log: LOG };

/**
 * Measures the confirmation of ten thousand payments that became final together, each for its own order, through a node that is 100 ms
 * away. The limit is the duration of the calls alone, with the same concurrency.
 */
export async function measureConfirming(): Promise<Line[]> {
  const world = await startWorld();
  const pool = openLikeWorker(world);
  const chain = await startBlockChain(NETWORK);
  const slow = await runUnbuilt("The distant node", "bare/slow-node.ts", [chain.rpcUrl, String(LATENCY_MS)]);
  try {
    const clock = { ms: Date.now() };
    await pay(world, chain, clock);
    const now = () => new Date(clock.ms);
    const { db } = pool;
    const reader = (url: string) => createNetworkReader(db, NETWORK, { urls: [url], now }, { owner: OWNER, ...CTX });
    const head = await readAll(world, reader(chain.rpcUrl), now());
    const far = reader(`http://${slow.address}`);
    const latencyMs = await measureLatency(`http://${slow.address}`);
    const memory = newConfirmMemory();
    const { value: ms, counts } = await recordCalls(async () => {
      const beganAt = performance.now();
      do await confirmTransfers(db, CTX, far.checker, NETWORK, head, now(), memory);
      while (memory.hasMore);
      return performance.now() - beganAt;
    });
    await requireAllPaid(world);
    const calls = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const row = { part: "confirm", better: "less" } as const;
    return [
      {
        ...row,
        what: `${TRANSFERS} final transfers confirmed, ${latencyMs.toFixed(0)} ms from their node`,
        unit: "s",
        ours: ms / 1_000,
        limit: {
          what: `${calls} calls × latency ÷ ${MAX_CONCURRENCY} at once`,
          value: (calls * latencyMs) / MAX_CONCURRENCY / 1_000,
        },
      },
      {
        ...row,
        what: "calls per transfer",
        unit: "calls",
        ours: calls / TRANSFERS,
        limit: { what: "its receipt", value: 1 },
      },
    ];
  } finally {
    await Promise.all([slow.stop(), chain.stop(), pool.close()]);
    await world.close();
  }
}

/** Creates orders with the amounts 1, 2, 3 …, and pays the orders with odd amounts in the network's first token. */
async function pay({ pool: { db }, merchantId }: World, chain: LocalChain, clock: { ms: number }): Promise<void> {
  const cursor = { merchantId, network: NETWORK.id, address: chain.newAddress() };
  const address = await seedAddress(db, cursor, new Date(clock.ms));
  const many = { address, first: 1, count: 2 * TRANSFERS };
  const pass = async (blocks: number) => {
    clock.ms += blocks * NETWORK.blockMs;
    await chain.pass(blocks, Math.floor(clock.ms / 1_000));
  };
  await pass(10);
  await seedManyOrders(db, many, new Date(clock.ms));
  await db.execute(sql`analyze orders, quotes`);
  for (let index = 0; index < TRANSFERS; index++) {
    await chain.pay(2 * index, address.address);
    if ((index + 1) % A_BLOCK === 0) await pass(1);
  }
  await pass(200);
}

/**
 * Reads all blocks into the ledger, through the node without added latency.
 * @returns the head
 */
async function readAll({ pool: { db } }: World, reader: ReturnType<typeof createNetworkReader>, now: Date) {
  for (;;) {
    await leaseNetwork(db, NETWORK.id, OWNER);
    const step = await reader.step(now);
    if (step.isCaughtUp || step.kind === "idle") break;
  }
  while ((await matchTransfers(db, CTX, NETWORK.id, now)) > 0);
  await db.execute(sql`analyze transfers`);
  return reader.head();
}

/** Returns the duration of a call in milliseconds, without other load. */
async function measureLatency(url: string): Promise<number> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
  const times: number[] = [];
  for (let probe = 0; probe < PROBES; probe++) {
    const beganAt = performance.now();
    const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    await response.arrayBuffer();
    times.push(performance.now() - beganAt);
  }
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

async function requireAllPaid({ pool: { db } }: World): Promise<void> {
  const confirmed = await db.$count(transfers, eq(transfers.status, "confirmed"));
  const paid = await db.$count(orders, eq(orders.status, "paid"));
  if (confirmed !== TRANSFERS || paid !== TRANSFERS)
    throw new Error(`${confirmed} of ${TRANSFERS} transfers were confirmed, and ${paid} orders paid`);
}
