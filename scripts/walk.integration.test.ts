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

const api = useTestApi({ callbackAllowCidrs: ["127.0.0.0/8"] });
const db = () => api.pool.db;
const network = getNetwork("ethereum");
const { contract } = getToken(network, "USDT");
const log = pino({ level: "silent" });
const now = () => new Date();
const MOST_ROUNDS = 50;

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
    { urls: [chain.node.url], now, onTrouble: endpoints.note },
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

/** From the node through scan, match and confirm to the callback that the shop has acknowledged. */
async function deliver(order: string): Promise<void> {
  const sender = createCallbackSender(db(), senderContext(db(), now, { sign }));
  for (let round = 0; round < MOST_ROUNDS; round++) {
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

/** Prints a walk, and fails where it is longer than it may be, or where whoever counts did not see its ends. */
function expectWalk(name: string, files: readonly string[], most: number, ends: readonly string[]): void {
  const list = files.join("\n");
  console.log(`${name}: ${files.length} files\n${list}`);
  expect(files).toEqual(expect.arrayContaining([...ends]));
  expect(files.length, list).toBeLessThanOrEqual(most);
}

test("an order is created in at most 20 files", async () => {
  await create("first", 1);
  const files = await filesEntered(() => create("second", 2));
  const ends = ["app/api/v1/pay/sdk/order/add/route.ts", "db/queries/orders/order-creation.ts"];
  expectWalk("order/add", files, 20, ends);
});

test("a transfer gets from the node to its callback in at most 51 files", async () => {
  const first = await create("third", 3);
  await pay(3_000_000n);
  await deliver(first);
  const second = await create("fourth", 4);
  await pay(4_000_000n);
  const files = await filesEntered(() => deliver(second));
  const ends = ["lib/chains/endpoints/rpc.ts", "lib/orders/move-order.ts", "lib/outbound/guarded-post.ts"];
  expectWalk("a transfer to its callback", files, 51, ends);
});
