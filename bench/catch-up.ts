import { encodeFunctionData } from "viem";
import { z } from "zod";
import type { World } from "@/bench/world";
import { findCursor } from "@/db/queries/cursors";
import { receivingAddresses, transfers } from "@/db/schema";
import { logFilter } from "@/lib/chains/evm-logs";
import { canonicalAddress } from "@/lib/domain/address";
import { newId } from "@/lib/domain/id";
import { getNetwork, type Network } from "@/lib/domain/networks";
import { createLog } from "@/lib/log";
import { leaseNetwork } from "@/lib/transfers/lease-network";
import { createNetworkReader, type NetworkReader } from "@/lib/transfers/network-reader";
import { startEvmNode } from "@/sandbox/evm-node";
import { jsonRpc } from "@/sandbox/json-rpc";
import { TEST_TOKEN_ABI } from "@/sandbox/token/install";
import { startTronNode } from "@/sandbox/tron-node";

/** What was read after a pause, and how fast beside the node's own speed. */
export interface CaughtUp {
  network: Network;
  /** Blocks of a day, and how many of them were mined here. */
  dayBlocks: number;
  blocks: number;
  transfers: number;
  blocksPerSecond: number;
  /** Of the rate that the same log queries alone have. */
  share: number;
}

interface Node {
  rpcUrl: string;
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** A local node mines ever more slowly: a day of the fast chains would take hours. */
const MOST_BLOCKS = 7_200;
const PAYMENTS = 20;
const BLOCKS_PER_CALL = 100;
const OWNER = "bench";
const RECEIVER = `0x${"cd".repeat(20)}` as const;

/** A day's blocks of a network (or as many as a local node mines in time), mined while nobody watched, read by the very reader of the worker. */
export async function measureCatchUp(world: World, networkId: string): Promise<CaughtUp> {
  const network = getNetwork(networkId);
  const { db } = world.pool;
  const node = await startNode(network);
  try {
    const place = { merchantId: world.merchantId, network: networkId, address: RECEIVER, kind: "shared" as const };
    await db.insert(receivingAddresses).values({ id: newId(new Date()), ...place, mac: "", createdAt: new Date() });
    const options = { urls: [node.rpcUrl], now: () => new Date() };
    const log = createLog("bench", "fatal");
    const reader = createNetworkReader(db, network, options, { owner: OWNER, log });
    await catchUp(world, network, reader);
    const dayBlocks = Math.round(DAY_MS / network.blockMs);
    const blocks = Math.min(dayBlocks, MOST_BLOCKS);
    await mineDay(node, network, blocks);
    const startedAt = performance.now();
    const heights = await catchUp(world, network, reader);
    const tookMs = performance.now() - startedAt;
    const aloneMs = await queryAlone(node, network, heights);
    const found = await db.$count(transfers);
    const rates = { blocksPerSecond: (blocks / tookMs) * 1_000, share: aloneMs / tookMs };
    return { network, dayBlocks, blocks, transfers: found, ...rates };
  } finally {
    await node.stop();
    await db.delete(transfers);
  }
}

async function startNode(network: Network): Promise<Node> {
  if (network.family === "tron") {
    const node = await startTronNode({ blockMs: null });
    const call: Node["call"] = (method, params = []) => jsonRpc(node.controlUrl, method, params);
    return { rpcUrl: node.jsonRpcUrl, call, stop: node.stop };
  }
  const node = await startEvmNode(network, { blockMs: null });
  return { rpcUrl: node.url, call: node.call, stop: node.stop };
}

/** Payments are spread over the day. */
async function mineDay(node: Node, network: Network, blocks: number): Promise<void> {
  const [from] = z.array(z.string()).parse(await node.call("eth_accounts"));
  const to = canonicalAddress(network.family, network.tokens[0]?.contract ?? "");
  const step = Math.floor(blocks / PAYMENTS);
  for (let sent = 0; sent < PAYMENTS; sent++) {
    const data = encodeFunctionData({ abi: TEST_TOKEN_ABI, functionName: "mint", args: [RECEIVER, BigInt(sent + 1)] });
    await node.call("eth_sendTransaction", [{ from, to, data, gas: "0x7a120" }]);
    await mine(node, step);
  }
  await mine(node, Math.max(1, blocks - step * PAYMENTS));
}

/** A few at a time: one call for many would take longer than a call may take. */
async function mine(node: Node, blocks: number): Promise<void> {
  for (let left = blocks; left > 0; left -= BLOCKS_PER_CALL)
    await node.call("anvil_mine", [`0x${Math.min(left, BLOCKS_PER_CALL).toString(16)}`]);
}

/** @returns the heights of the cursor after each step */
async function catchUp({ pool }: World, network: Network, reader: NetworkReader): Promise<number[]> {
  const heights: number[] = [];
  for (let isCaughtUp = false; !isCaughtUp; ) {
    await leaseNetwork(pool.db, network.id, OWNER);
    ({ isCaughtUp } = await reader.step(new Date()));
    heights.push((await findCursor(pool.db, network.id))?.height ?? 0);
  }
  return heights;
}

/** The same ranges once more, asked of the node and thrown away. */
async function queryAlone(node: Node, network: Network, heights: readonly number[]): Promise<number> {
  const startedAt = performance.now();
  for (const [index, to] of heights.entries()) {
    const from = (heights[index - 1] ?? 0) + 1;
    if (to < from) continue;
    await jsonRpc(node.rpcUrl, "eth_getLogs", [logFilter(network, { from, to }, new Set([RECEIVER]))]);
  }
  return performance.now() - startedAt;
}
