import { randomBytes } from "node:crypto";
import { PublicKey } from "@solana/web3.js";
import { sql } from "drizzle-orm";
import { recordCalls, replay } from "@/bench/catch-up/call-recorder";
import { startBlockChain } from "@/bench/catch-up/evm-day";
import type { LocalChain } from "@/bench/catch-up/local-day";
import { startSolanaChain } from "@/bench/catch-up/solana-day";
import { seedAddress, seedManyOrders } from "@/bench/rpc/made-orders";
import type { Line, Row } from "@/bench/table/line";
import { linesOrWhy } from "@/bench/table/run-parts";
import { openLikeWorker, startWorld, type World } from "@/bench/world";
import type { Db } from "@/db/client";
import { transfers } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { getNetwork, type Network } from "@/lib/domain/networks";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { createLog } from "@/lib/log";
import { createNetworkReader, leaseNetwork, type NetworkReader } from "@/lib/watch/network-reader";

const TRANSFERS = 76;
const ADDRESSES = [1, 10_000];
const ORDERS = [1, 1_000, 100_000];
const WARM_UPS = 2;
const ROUNDS = 7;
const STRANGERS = 5;
const OWNER = "bench";
const LOG = createLog("bench", "fatal");
const CTX = { publicUrl: "https://pay.example.com", log: LOG };

/** A way of reading a network. */
interface RpcProtocol {
  name: string;
  network: string;
  start: (network: Network) => Promise<LocalChain>;
  urlOf?: (rpcUrl: string) => string;
  /** The number of transfers in one of the chain's payments. */
  each: number;
}

const RPC_PROTOCOLS: readonly RpcProtocol[] = [
  { name: "Ethereum", network: "ethereum", start: startBlockChain, each: 1 },
  { name: "TRON via JSON-RPC", network: "tron", start: startBlockChain, each: 1 },
  {
    name: "TRON via HTTP",
    network: "tron",
    start: startBlockChain,
    each: 1,
    urlOf: (url) => url.replace(/\/jsonrpc$/, ""),
  },
  { name: "Solana", network: "solana", start: startSolanaChain, each: 2 },
];

/** The chain of one family, and the ledger into which its transfers are read. */
interface Scene {
  world: World;
  /** The connections of the reader. */
  db: Db;
  network: Network;
  protocol: RpcProtocol;
  chain: LocalChain;
  address: Awaited<ReturnType<typeof seedAddress>>;
  strangers: readonly string[];
  clock: { ms: number };
  /** The number of payments to `address` since the ledger was emptied. */
  paid: number;
}

/**
 * Measures the time from the node's head to the matched order, for a block with 76 transfers of the watched tokens, one of them a payment.
 * Repeats this with few and with many orders and addresses, and compares it with the same calls alone.
 */
export async function measureScans(): Promise<Line[]> {
  const lines: Line[] = [];
  for (const protocol of RPC_PROTOCOLS)
    lines.push(...(await linesOrWhy("scan", `${protocol.name}, a block`, () => measurePart(protocol))));
  return lines;
}

/** Measures one family with its own ledger and chain. */
async function measurePart(protocol: RpcProtocol): Promise<Line[]> {
  const world = await startWorld();
  const pool = openLikeWorker(world);
  const network = getNetwork(protocol.network);
  const chain = await protocol.start(network);
  try {
    return await measureProtocol(await open(world, pool.db, network, protocol, chain));
  } finally {
    await chain.stop();
    await pool.close();
    await world.close();
  }
}

async function open(world: World, db: Db, network: Network, protocol: RpcProtocol, chain: LocalChain): Promise<Scene> {
  const clock = { ms: Date.now() };
  const cursor = { merchantId: world.merchantId, network: network.id, address: chain.newAddress() };
  const address = await seedAddress(world.pool.db, cursor, new Date(clock.ms));
  const strangers = Array.from({ length: STRANGERS }, chain.newAddress);
  const scene: Scene = { world, db, network, protocol, chain, address, strangers, clock, paid: 0 };
  await pass(scene, 40);
  return scene;
}

async function measureProtocol(scene: Scene): Promise<Row[]> {
  const rows: Row[] = [];
  const { db } = scene;
  for (const addresses of ADDRESSES) {
    await addAddresses(scene, addresses - 1);
    const urls = [scene.protocol.urlOf?.(scene.chain.rpcUrl) ?? scene.chain.rpcUrl];
    const options = { urls, now: () => new Date(scene.clock.ms) };
    const reader = createNetworkReader(db, scene.network, options, { owner: OWNER, ...CTX });
    for (const [index, orders] of ORDERS.entries()) {
      const before = index === 0 ? 0 : (ORDERS[index - 1] ?? 0);
      if (index === 0) await empty(scene);
      const range = { address: scene.address, first: before + 1, count: orders - before };
      await seedManyOrders(db, range, new Date(scene.clock.ms));
      await db.execute(sql`analyze orders, quotes`);
      const { ms, bareMs, calls } = await rounds(scene, reader);
      rows.push({
        part: "scan",
        unit: "ms",
        ours: ms,
        better: "less",
        what: `${scene.protocol.name}, a block: ${count(orders, "order")}, ${count(addresses, "address", "addresses")}`,
        limit: { what: `the same ${calls} calls alone`, value: bareMs },
      });
    }
    await requireAllFound(scene);
  }
  return rows;
}

async function empty(scene: Scene): Promise<void> {
  await scene.world.pool.db.execute(sql`truncate orders, quotes, transfers cascade`);
  scene.paid = 0;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** Returns the medians over several blocks. */
async function rounds(scene: Scene, reader: NetworkReader) {
  const { db } = scene;
  const [times, single, calls]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    await payBlock(scene);
    await leaseNetwork(db, scene.network.id, OWNER);
    const beganAt = performance.now();
    const {
      value: ms,
      waves,
      counts,
    } = await recordCalls(async () => {
      await read(scene, reader);
      await matchTransfers(db, CTX, scene.network.id, new Date(scene.clock.ms));
      return performance.now() - beganAt;
    });
    const bareMs = await replay(waves);
    if (round < WARM_UPS) continue;
    times.push(ms);
    single.push(bareMs);
    calls.push([...counts.values()].reduce((sum, of) => sum + of, 0));
  }
  return { ms: median(times), bareMs: median(single), calls: median(calls) };
}

async function read({ clock }: Scene, reader: NetworkReader): Promise<void> {
  for (;;) {
    const step = await reader.step(new Date(clock.ms));
    if (step.isCaughtUp || step.kind === "idle") return;
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Produces a block of transfers, the last of which pays the receiving address. */
async function payBlock(scene: Scene): Promise<void> {
  const { chain, protocol, strangers, address } = scene;
  const payments = TRANSFERS / protocol.each;
  for (let index = 1; index < payments; index++) await chain.pay(index, strangers[index % STRANGERS] ?? "");
  // Payments with an even index use the network's first token.
  await chain.pay(2 * scene.paid++, address.address);
  await pass(scene, 1);
}

async function pass({ chain, clock, network }: Scene, blocks: number): Promise<void> {
  clock.ms += Math.max(1_000, blocks * network.blockMs);
  await chain.pass(blocks, Math.floor(clock.ms / 1_000));
}

/** Throws if a payment is missing from the ledger, because the speed of a reader that misses payments is meaningless. */
async function requireAllFound(scene: Scene): Promise<void> {
  const { world, network, paid, clock, chain, protocol } = scene;
  const { db } = world.pool;
  await pass(scene, 40);
  const urls = [protocol.urlOf?.(chain.rpcUrl) ?? chain.rpcUrl];
  const options = { urls, now: () => new Date(clock.ms) };
  await leaseNetwork(db, network.id, OWNER);
  await read(scene, createNetworkReader(db, network, options, { owner: OWNER, ...CTX }));
  const rows = await db.select({ txId: transfers.txId }).from(transfers);
  if (rows.length !== paid) throw new Error(`${protocol.name}: ${rows.length} of ${paid} payments are in the ledger`);
}

/** The age of receiving addresses; those of the last minutes are read again at each step. */
const ADDRESS_AGE_MS = 3_600_000;

/** Adds receiving addresses without payments. */
async function addAddresses({ world, network, clock }: Scene, many: number): Promise<void> {
  if (many === 0) return;
  const { db } = world.pool;
  const createdAt = new Date(clock.ms - ADDRESS_AGE_MS);
  const at = createdAt.toISOString();
  const rows = Array.from({ length: many }, () => ({ id: newId(createdAt), address: someAddress(network) }));
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given(id text, address text)`;
  const { merchantId } = world;
  await db.execute(sql`
    insert into family_addresses (family, address, merchant_id) select ${network.family}, address, ${merchantId} from ${given}`);
  await db.execute(sql`
    insert into receiving_addresses (id, merchant_id, network, family, address, kind, mac, created_at)
    select id, ${merchantId}, ${network.id}, ${network.family}, address, 'shared', 'bench', ${at}::timestamptz from ${given}`);
}

function someAddress({ family }: Network): string {
  return family === "solana" ? new PublicKey(randomBytes(32)).toBase58() : `0x${randomBytes(20).toString("hex")}`;
}
