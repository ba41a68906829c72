import { eq } from "drizzle-orm";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRandom } from "@/chaos/plan/random";
import { cursors, transfers } from "@/db/schema";
import { type BlockSource, ChainError } from "@/lib/chains/endpoints/source";
import { createTronSource } from "@/lib/chains/tron/source";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { getNetwork, type Network } from "@/lib/domain/networks";
import { scanNetwork } from "@/lib/watch/blocks/scan-network";
import { leaseNetwork } from "@/lib/watch/network-reader";
import { newScanMemory } from "@/lib/watch/scan/scan-state";
import { verifyNetwork } from "@/lib/watch/verify/verify-network";
import {
  startTronChain,
  startTronProxy,
  TRON_USDT,
  type TronChain,
  type TronFault,
  type TronProxy,
} from "@/testing/chains/tron";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant } from "@/testing/database/seed";

const network = getNetwork("tron");
const log = pino({ level: "silent" });
const testDb = useTestDb();
const MAX_STEPS = 400;
const SECOND = 1_000;

let chain: TronChain;
let json: TronProxy;
let http: TronProxy;
let shop: string;
let clock: number;
const now = () => new Date(clock);
const db = () => testDb.pool.db;

beforeEach(async () => {
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "transfers", "blocks", "cursors");
  clock = Date.now();
  chain = await startTronChain();
  [json, http] = await Promise.all([startTronProxy(chain.node.url), startTronProxy(chain.node.url)]);
  const { id: merchantId } = await seedMerchant(db(), now());
  shop = (await seedAddress(db(), { merchantId, network: network.id }, now())).address;
  await chain.mine(3);
});
afterEach(async () => {
  await Promise.all([json.stop(), http.stop()]);
  await chain.stop();
});

/** Scans to the head; a round without a trusted response is tried again a little later. */
async function catchUp(source: BlockSource, memory = newScanMemory()): Promise<void> {
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    await leaseNetwork(db(), network.id, "one");
    clock += SECOND;
    try {
      const step = await scanNetwork(
        db(),
        source,
        network,
        { owner: "one", publicUrl: "https://pay.example.com", memory, log },
        now(),
      );
      if (step.isCaughtUp) return;
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
    }
  }
  throw new Error("the head was not reached");
}

const ledger = async () =>
  (await db().select().from(transfers).orderBy(transfers.baseUnits)).map(({ baseUnits, status, position, txId }) => ({
    baseUnits,
    status,
    position,
    txId,
  }));

const source = () => createTronSource(network, { urls: [json.jsonRpcUrl, http.url], now, timeoutMs: 2_000 });

/**
 * Creates faults for both endpoints: about every third call fails, in various ways. If exactly every third call failed, the same call
 * could fail forever.
 */
function flaky(seed: number): TronFault {
  const random = createRandom(seed);
  return async ({ name }, pass, response) => {
    if (!random.chance(1 / 3)) return pass();
    if (name === "gettransactioninfobyblocknum") return [];
    const isDown = random.chance(0.5);
    if (isDown) response.statusCode = 502;
    return isDown ? "<html>" : null;
  };
}

describe.each([
  ["healthy endpoints", undefined, undefined],
  ["json-rpc that always fails", (() => Promise.reject(new Error("down"))) as TronFault, undefined],
  ["http that always fails", undefined, (() => Promise.reject(new Error("down"))) as TronFault],
  [
    "http that lies about receipts",
    undefined,
    (({ name }, pass) => (name === "gettransactioninfobyblocknum" ? [] : pass())) as TronFault,
  ],
])("with %s", (_what, jsonFault, httpFault) => {
  test("the ledger is the chain's truth, block by block and after a pause, through a reorg", async () => {
    const reader = source();
    const memory = newScanMemory();
    await catchUp(reader, memory);
    [json.fault, http.fault] = [jsonFault, httpFault];
    const first = await chain.pay(shop, 1n);
    await chain.mine(2);
    await catchUp(reader, memory);
    expect(await ledger()).toEqual([{ baseUnits: 1n, status: "seen", position: `${TRON_USDT}:0`, txId: first }]);
    const lost = await chain.pay(shop, 2n);
    await chain.mine(2);
    await catchUp(reader, memory);
    await chain.reorg(2, false);
    await chain.mine(2);
    await catchUp(reader, memory);
    const batch = await chain.payAll([
      [shop, 3n],
      [shop, 4n],
    ]);
    await chain.fail(shop);
    await chain.mine(60);
    await catchUp(reader, memory);
    expect(await ledger()).toEqual([
      { baseUnits: 1n, status: "seen", position: `${TRON_USDT}:0`, txId: first },
      { baseUnits: 2n, status: "dropped", position: `${TRON_USDT}:0`, txId: lost },
      { baseUnits: 3n, status: "seen", position: `${TRON_USDT}:0`, txId: batch },
      { baseUnits: 4n, status: "seen", position: `${TRON_USDT}:1`, txId: batch },
    ]);
  });
});

test.each(["json-rpc", "http"])(
  "a transfer that was read over %s keeps its name, with any watched look-alikes",
  async (kind) => {
    const [lookAlike] = network.lookAlikes;
    const urls = [kind === "http" ? http.url : json.jsonRpcUrl];
    const watching = (lists: Partial<Network>) => createTronSource({ ...network, ...lists }, { urls, now });
    const reader = watching({});
    await catchUp(reader);
    const start = await reader.head();
    await chain.pay(shop, 1n);
    await chain.pay(shop, 2n, canonicalAddress("tron", lookAlike?.contract ?? ""));
    await chain.mine(8);
    await catchUp(reader);
    const before = await db().select().from(transfers).orderBy(transfers.baseUnits);
    expect(before).toMatchObject([{ currency: "USDT" }, { currency: null, status: "seen" }]);
    for (const lookAlikes of [[], network.lookAlikes]) {
      const cursor = { height: start.height, hash: start.hash, blockTime: start.time };
      await db().update(cursors).set(cursor).where(eq(cursors.network, network.id));
      await catchUp(watching({ lookAlikes }));
      expect(await db().select().from(transfers).orderBy(transfers.baseUnits)).toEqual(before);
    }
    const blind = watching({ tokens: [], lookAlikes: [] });
    for (const row of before)
      expect(await blind.checkFinality({ ...row, to: row.toAddress })).toEqual({ kind: "final" });
  },
);

test("endpoints of both kinds that alternately fail and forge hide no payment", async () => {
  const reader = source();
  const memory = newScanMemory();
  await catchUp(reader, memory);
  [json.fault, http.fault] = [flaky(1), flaky(2)];
  for (let unit = 1n; unit <= 8n; unit++) {
    await chain.pay(shop, unit);
    await chain.mine(2);
    await catchUp(reader, memory);
  }
  [json.fault, http.fault] = [undefined, undefined];
  await chain.mine();
  await catchUp(reader, memory);
  expect((await ledger()).map(({ baseUnits }) => baseUnits)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n]);
});

test("the second reading asks the HTTP API too, as many blocks at a time as it is read, and ends in one go", async () => {
  const reader = source();
  const memory = newScanMemory();
  await catchUp(reader, memory);
  http.fault = () => Promise.reject(new Error("down"));
  json.fault = ({ name }, pass) => (name === "eth_getLogs" ? [] : pass());
  const hidden = await chain.pay(shop, 1n);
  await chain.mine(60);
  await catchUp(reader, memory);
  expect(await ledger()).toEqual([]);
  http.fault = undefined;
  const healthy = source();
  const head = await healthy.head();
  expect(
    await verifyNetwork(
      db(),
      healthy,
      network,
      { owner: "one", publicUrl: "https://pay.example.com", memory, log },
      head,
      now(),
    ),
  ).toBe(1);
  expect(await ledger()).toMatchObject([{ txId: hidden, baseUnits: 1n }]);
  expect(memory.verifiedTo).toBe(head.finalizedHeight);
});
