import { eq } from "drizzle-orm";
import { startReceiver } from "@/bench/callbacks";
import { startBlockChain } from "@/bench/catch-up/evm-day";
import type { LocalChain } from "@/bench/catch-up/local-day";
import { seedAddress, seedOrder } from "@/bench/rpc/made-orders";
import type { Line } from "@/bench/table/line";
import { startWorkerProcess } from "@/bench/web-process";
import { startWorld, type World } from "@/bench/world";
import { findCursor } from "@/db/queries/networks/cursors";
import { callbacks, transfers } from "@/db/schema";
import { getNetwork } from "@/lib/domain/networks";
import { jsonRpc } from "@/sandbox/nodes/json-rpc";
import { pollMs } from "@/workers/watch-network";

const NETWORK = getNetwork("ethereum");
const PAYMENTS = 20;
const BLOCK_MS = 2_000;
const PAY_EVERY_MS = 1_500;
const LOOK_MS = 10;
const DEADLINE_MS = 180_000;
/** The longest time from a block to its callback, beyond the polling interval. */
const MAX_OVERHEAD_MS = 150;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Measures the time from the block that makes a payment final until its callback is received: by polling, and with a node that announces its
 * blocks. A real worker reads a chain that produces blocks by itself.
 */
export async function measureLatency(): Promise<Line[]> {
  const poll = { what: "final block → callback", limitMs: pollMs(NETWORK) + MAX_OVERHEAD_MS, isAnnounced: false };
  const announced = { what: "announced final block → callback", limitMs: MAX_OVERHEAD_MS, isAnnounced: true };
  return [...(await measureWay(poll)), ...(await measureWay(announced))];
}

/** A way in which the worker notices a block. */
interface Way {
  what: string;
  limitMs: number;
  /** True if the node announces its blocks over a WebSocket. */
  isAnnounced: boolean;
}

async function measureWay({ what, limitMs, isAnnounced }: Way): Promise<Line[]> {
  const world = await startWorld();
  const chain = await startBlockChain(NETWORK, BLOCK_MS);
  const receiver = await startReceiver(1);
  // Anvil serves WebSockets on the port of its JSON-RPC.
  const urls = isAnnounced ? [chain.rpcUrl, chain.rpcUrl.replace(/^http/, "ws")] : [chain.rpcUrl];
  const worker = await startWorkerProcess(world.databaseUrl, [`${NETWORK.id}=${urls.join()}`]);
  const blocks = watchBlocks(chain);
  try {
    await payOrders(world, chain, `${receiver.origins[0]}/paid`);
    const waits = await waitForCallbacks(world, receiver.arrived, blocks.seenAt);
    const sorted = waits.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
    const beyond = `${MAX_OVERHEAD_MS} ms`;
    const limit = { what: isAnnounced ? beyond : `the poll interval, and ${beyond}`, value: limitMs };
    const row = { part: "latency", unit: "ms", limit, better: "less" } as const;
    return [
      { ...row, what: `${what}, median of ${PAYMENTS}`, ours: at(0.5) },
      { ...row, what: `${what}, slowest`, ours: at(1) },
    ];
  } finally {
    await blocks.stop();
    await worker.stop();
    receiver.close();
    await chain.stop();
    await world.close();
  }
}

/** Records when the node first reached each height. */
function watchBlocks({ rpcUrl }: LocalChain) {
  const seenAt = new Map<number, number>();
  let isOver = false;
  const loop = async () => {
    while (!isOver) {
      const height = Number(await jsonRpc(rpcUrl, "eth_blockNumber", []));
      if (!seenAt.has(height)) seenAt.set(height, performance.now());
      await sleep(LOOK_MS);
    }
  };
  const done = loop();
  return {
    seenAt,
    stop: () => {
      isOver = true;
      return done.catch(() => {});
    },
  };
}

/** Creates orders with the amounts 1, 3, 5 …, and pays each once in the network's first token. */
async function payOrders({ pool: { db }, merchantId, apiKeyId }: World, chain: LocalChain, notifyUrl: string) {
  const cursor = { merchantId, network: NETWORK.id, address: chain.newAddress() };
  const address = await seedAddress(db, cursor, new Date());
  const amounts = Array.from({ length: PAYMENTS }, (_, index) => BigInt(2 * index + 1));
  for (const baseUnits of amounts) await seedOrder(db, { address, baseUnits, notifyUrl, apiKeyId }, new Date());
  // The worker starts with the block that is final at that time, so it must have read the chain before the orders are paid.
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    if ((await findCursor(db, NETWORK.id))?.caughtUpAt) break;
    if (performance.now() > deadline) throw new Error("the worker has not read the chain");
    await sleep(100);
  }
  for (let index = 0; index < PAYMENTS; index++) {
    await chain.pay(2 * index, address.address);
    await sleep(PAY_EVERY_MS);
  }
}

async function waitForCallbacks(
  { pool: { db } }: World,
  arrivals: ReadonlyMap<string, { at: number }>,
  seenAt: ReadonlyMap<number, number>,
): Promise<number[]> {
  const deadline = performance.now() + DEADLINE_MS;
  const depth = NETWORK.finality.depth;
  for (;;) {
    const rows = await db
      .select({ id: callbacks.id, height: transfers.blockHeight })
      .from(callbacks)
      .innerJoin(transfers, eq(transfers.orderId, callbacks.orderId))
      .where(eq(callbacks.type, "payment.confirmed"));
    const waits = rows.flatMap(({ id, height }) => {
      const arrived = arrivals.get(id)?.at;
      const final = seenAt.get(height + depth - 1);
      return arrived === undefined || final === undefined ? [] : [arrived - final];
    });
    if (waits.length === PAYMENTS) return waits;
    if (performance.now() > deadline) throw new Error(`${waits.length} of ${PAYMENTS} callbacks arrived`);
    await sleep(200);
  }
}
