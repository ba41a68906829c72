import { readFileSync } from "node:fs";
import path from "node:path";
import { eq } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callbacks } from "@/db/schema";
import { createCallbackSender } from "@/lib/callbacks/callback-sender";
import { createCallbackSigner, type SignCallback } from "@/lib/callbacks/sign-callback";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { createNetworkReader } from "@/lib/watch/network-reader";
import { answerWith, type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { senderContext, signingContext } from "@/testing/callbacks/seed";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { seedAddress } from "@/testing/database/seed";
import { filesEntered } from "@/testing/walk";
import { useTestApi } from "@/testing/web";
import { createEndpointLog } from "@/workers/endpoint-log";
import { createNetworkWatcher, type NetworkWatcher } from "@/workers/watch-network";

/**
 * `npm run walks`: prints the files whose functions are entered while an order is created, and while a payment is credited and its
 * callback delivered. V8 counts the calls on the second run of each, so that caches are warm.
 */
const api = useTestApi({ callbackAllowCidrs: ["127.0.0.0/8"] });
const db = () => api.pool.db;
const network = getNetwork("ethereum");
const { contract } = getToken(network, "USDT");
const log = pino({ level: "silent" });
const now = () => new Date();
const MAX_ROUNDS = 50;

let chain: TestChain;
let shop: Receiver;
let watcher: NetworkWatcher;
let address: string;
let sign: SignCallback;

beforeAll(async () => {
  chain = await startTestChain(network);
  sign = createCallbackSigner(db(), signingContext);
  shop = await startReceiver(answerWith(200));
  ({ address } = await seedAddress(db(), { merchantId: api.merchant.id }, now()));
  const endpoints = createEndpointLog([chain.node.url], now);
  const reader = createNetworkReader(
    db(),
    network,
    { urls: [chain.node.url], now, onEndpointError: endpoints.note },
    { owner: "one", publicUrl: "https://pay.example.com", log },
  );
  const ctx = { publicUrl: "https://pay.example.com", log };
  watcher = createNetworkWatcher({ db: db(), ctx, reader, network, owner: "one", now, endpoints: endpoints.read });
  await watcher.keepLease();
  await chain.mine(5);
  await watcher.watch();
});
afterAll(() => Promise.all([chain.stop(), shop.close()]));

async function create(number: string, amount: number): Promise<string> {
  const body = {
    currency: "USDT",
    network: "ethereum",
    amount,
    mch_order_id: number,
    notify_url: `${shop.origin}/paid`,
  };
  const { status, body: answer } = await api.post("/order/add", body);
  expect(status).toBe(200);
  return String(answer.data?.["trade_id"]);
}

/** Runs worker and callback sender until the merchant has acknowledged the callback. */
async function deliver(order: string): Promise<void> {
  const sender = createCallbackSender(db(), senderContext(db(), now, { sign }));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await watcher.keepLease();
    await watcher.watch();
    if ((await sender.tick()) > 0) break;
  }
  await sender.drain();
  expect(await db().select().from(callbacks).where(eq(callbacks.orderId, order))).toMatchObject([
    { status: "delivered" },
  ]);
}

async function pay(baseUnits: bigint): Promise<void> {
  await chain.pay(contract, address, baseUnits);
  await chain.mine(20);
}

/**
 * Prints the executed files by folder. Fails if `files` does not contain all of `ends`, the files with which the operation must start and
 * end.
 */
function report(name: string, files: readonly string[], ends: readonly string[]): void {
  expect(files).toEqual(expect.arrayContaining([...ends]));
  const lines = files.reduce((sum, file) => sum + readFileSync(file, "utf8").split("\n").length - 1, 0);
  const folders = Map.groupBy(files, (file) => path.dirname(file));
  const rows = [...folders].map(([folder, inside]) => {
    const names = inside.map((file) => path.basename(file, path.extname(file)));
    return `  ${folder}: ${names.join(", ")}`;
  });
  process.stdout.write(`${name}: ${files.length} files, ${lines} lines\n${rows.join("\n")}\n`);
}

test("an order is created", async () => {
  await create("first", 1);
  const files = await filesEntered(() => create("second", 2));
  const ends = ["app/api/v1/pay/sdk/order/add/route.ts", "db/queries/orders/order-creation.ts"];
  report("order/add, from the entry point to SQL and back", files, ends);
});

test("a transfer is credited and its callback is delivered", async () => {
  const first = await create("third", 3);
  await pay(3_000_000n);
  await deliver(first);
  const second = await create("fourth", 4);
  await pay(4_000_000n);
  const files = await filesEntered(() => deliver(second));
  const ends = ["lib/chains/endpoints/rpc.ts", "lib/orders/move-order.ts", "lib/outbound/guarded-post.ts"];
  report("a transfer on Ethereum, from the node to its delivered callback", files, ends);
});
