import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { listEvents } from "@/db/queries/callbacks/events";
import { insertScannedTransfers } from "@/db/queries/transfers/observations";
import { countLost, dropTransfersAbove } from "@/db/queries/transfers/reorgs";
import { apiKeys, callbacks, cursors, events, orders, transfers } from "@/db/schema";
import type { Finality } from "@/lib/chains/endpoints/source";
import { OPT_IN_TYPES, type OptInType } from "@/lib/domain/keys/key-rules";
import { getNetwork } from "@/lib/domain/networks";
import { confirmTransfers } from "@/lib/ledger/confirm-transfers";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { chooseEvents, createApiKey, makeKeyDefault, revokeApiKey, rotateApiKey } from "@/lib/merchants/api-keys";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { expireOrders } from "@/lib/orders/expire-orders";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { takeBackTo } from "@/lib/watch/blocks/rewind-network";
import {
  seedAddress,
  seedCursor,
  seedManyOrders,
  seedMerchant,
  seedOrder,
  seedTransfer,
} from "@/testing/database/seed";
import { useShop } from "@/testing/database/shop";

const { db, shop, ctx, now, later } = useShop();
const keyContext = { appSecret: "a-secret-for-tests-that-is-long-enough", mode: "test" as const };
const ethereum = getNetwork("ethereum");
const price = 10_000_000n;
const notifyUrl = "https://shop.example.com/hook";

const person = () => ({ merchantId: shop.merchant.id, userId: "person", role: "owner" as const });
const choose = (types: readonly OptInType[], id = shop.merchant.keyId) =>
  chooseEvents(db(), { ...person(), id, types }, now);
const order = (change: Partial<Parameters<typeof seedOrder>[1]> = {}) =>
  seedOrder(
    db(),
    { address: shop.address, baseUnits: price, notifyUrl, apiKeyId: shop.merchant.keyId, ...change },
    now,
  );
const match = (at = now) => matchTransfers(db(), ctx, "ethereum", at);
const head = { height: 200, hash: "0x1", parentHash: "0x0", time: now, finalizedHeight: null };
const checker = (finality: Finality) => ({ heads: () => [], checkFinality: async () => finality }) as never;
const confirm = (at = now, finality: Finality = { kind: "final" }) =>
  confirmTransfers(db(), ctx, checker(finality), ethereum, head, at);
const expire = async (at = later(31)) => {
  await seedCursor(db(), "ethereum", at);
  return expireOrders(db(), ctx, at);
};
/** Returns the events of an order as the merchant receives them: type, status, exception and version. */
async function delivered(orderId: string): Promise<string[]> {
  const listed = await listEvents(db(), shop.merchant.id, 0, 100);
  return listed
    .map(({ body }) => JSON.parse(body))
    .filter(({ data }) => data.trade_id === orderId)
    .map(({ type, data }) => `${type} ${data.status} ${data.exception} ${data.version}`);
}
const countCallbacks = (orderId: string) => db().$count(callbacks, eq(callbacks.orderId, orderId));

test.each<[string, OptInType[], string[]]>([
  ["nothing", [], ["payment.confirmed paid late 4"]],
  ["expiry", ["order.expired"], ["order.expired expired null 2", "payment.confirmed paid late 4"]],
  [
    "everything",
    [...OPT_IN_TYPES],
    ["order.expired expired null 2", "payment.detected confirming null 3", "payment.confirmed paid late 4"],
  ],
])("an order that expires and is paid late has exactly the subscribed events: %s", async (_name, types, expected) => {
  await choose(types);
  const { id } = await order();
  expect(await expire()).toBe(1);
  await seedTransfer(db(), { address: shop.address, baseUnits: price, blockTime: later(32) }, later(32));
  await match(later(32));
  await confirm(later(40));
  await Promise.all([match(later(41)), confirm(later(41)), expire(later(41))]);
  expect(await delivered(id)).toEqual(expected);
  expect(await countCallbacks(id)).toBe(expected.length);
});

test("a payment that a reorg removes and that is included again is reported each time", async () => {
  await choose(OPT_IN_TYPES);
  const { id } = await order();
  await seedTransfer(db(), { address: shop.address, baseUnits: price }, now);
  await match();
  await confirm(now, { kind: "gone" });
  await match();
  await seedTransfer(db(), { address: shop.address, baseUnits: price, blockHeight: 101 }, now);
  await match();
  await confirm();
  expect(await delivered(id)).toEqual([
    "payment.detected confirming null 2",
    "payment.reversed pending null 3",
    "payment.detected confirming null 4",
    "payment.confirmed paid null 5",
  ]);
  expect(await countCallbacks(id)).toBe(4);
});

test("on a dedicated address: a part, the missing amount, more, and more again; no dust, before or after", async () => {
  await choose(OPT_IN_TYPES);
  const own = await seedAddress(db(), { merchantId: shop.merchant.id, kind: "dedicated" }, now);
  const { id } = await order({ address: own });
  for (const [index, baseUnits] of [99_999n, 4_000_000n, 6_000_000n, 1n, 2n].entries()) {
    await seedTransfer(db(), { address: own, baseUnits, blockHeight: 100 + index }, now);
    await match();
    await confirm();
  }
  const types = (await delivered(id)).map((line) => line.split(" ").slice(0, 3).join(" "));
  expect(types).toEqual([
    "payment.underpaid pending underpaid",
    "payment.detected confirming null",
    "payment.confirmed paid null",
    "payment.overpaid paid overpaid",
    "payment.overpaid paid overpaid",
  ]);
});

test("a partial payment that a reorg removes is reported", async () => {
  await choose(OPT_IN_TYPES);
  const own = await seedAddress(db(), { merchantId: shop.merchant.id, kind: "dedicated" }, now);
  const { id } = await order({ address: own });
  await seedTransfer(db(), { address: own, baseUnits: 4_000_000n }, now);
  await match();
  await dropTransfersAbove(db(), "ethereum", 99);
  await match();
  expect((await delivered(id)).map((line) => line.split(" ")[0])).toEqual(["payment.underpaid", "payment.reversed"]);
});

/** Simulates a reorg that replaces the blocks above 90 and removes these confirmed transfers, and scans it twice. */
async function reorg(lost: readonly { id: string }[]): Promise<void> {
  await seedCursor(db(), "ethereum", now, 120);
  await db().update(cursors).set({ leaseOwner: "one", leaseUntil: sql`now() + interval '1 minute'` });
  const ancestor = { height: 90, hash: "0x90", parentHash: "0x89", time: now };
  for (const cursor of [{ height: 120, hash: "0x00" }, ancestor])
    expect(await takeBackTo(db(), ethereum, { ...ctx, owner: "one", cursor }, ancestor, lost, now)).toEqual(ancestor);
}

/** Creates an order with a confirmed payment, and a scan that finds the payment again at a height. */
async function paidOrder(types: readonly OptInType[]) {
  await choose(types);
  const { id } = await order();
  const {
    id: transferId,
    fromAddress,
    toAddress,
    ...row
  } = await seedTransfer(db(), { address: shop.address, baseUnits: price }, now);
  await match();
  await confirm();
  const isAgainAt = (blockHeight: number) => {
    const found = { ...row, from: fromAddress, to: toAddress, blockHeight, blockHash: `0x${blockHeight}` };
    return insertScannedTransfers(db(), [found], new Map([[toAddress, shop.address.id]]), now);
  };
  return { id, transferId, isAgainAt };
}

test("a confirmed payment that a deeper reorg removes leaves its order paid, and is reported once", async () => {
  const { id, transferId } = await paidOrder(OPT_IN_TYPES);
  await reorg([{ id: transferId }]);
  expect((await delivered(id)).slice(2)).toEqual(["payment.reversed paid null 4"]);
});

test("a confirmed payment that a reorg only moves to another block is not reported again", async () => {
  const { id, isAgainAt } = await paidOrder(OPT_IN_TYPES);
  await reorg([]);
  expect(await isAgainAt(101)).toBe(1);
  await match();
  expect(await confirm()).toBe(0);
  expect((await delivered(id)).map((line) => line.split(" ")[0])).toEqual(["payment.detected", "payment.confirmed"]);
});

test.each<[string, OptInType[], string[]]>([
  ["subscribers to reversed payments", ["payment.reversed"], ["payment.reversed", "payment.confirmed"]],
  ["no other merchant", OPT_IN_TYPES.filter((type) => type !== "payment.reversed"), []],
])(
  "a lost payment that is included again is reported once more when it is final, to %s",
  async (_who, types, expected) => {
    const { id, transferId, isAgainAt } = await paidOrder(types);
    const before = (await delivered(id)).length;
    await reorg([{ id: transferId }]);
    expect([await isAgainAt(101), await isAgainAt(101)]).toEqual([1, 0]);
    await match();
    expect(await countLost(db(), shop.merchant.id)).toBe(1);
    expect((await delivered(id)).length - before).toBe(Math.min(expected.length, 1));
    expect([await confirm(), await confirm()]).toEqual([1, 0]);
    expect((await delivered(id)).slice(before).map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual(
      expected.map((type) => `${type} paid`),
    );
    expect(await countLost(db(), shop.merchant.id)).toBe(0);
  },
);

test.each<[string, () => Promise<unknown>]>([
  ["by the scan", () => reorg([])],
  ["by the last look before it is final", () => confirm(now, { kind: "gone" })],
])("a lost payment that comes again and is taken back again stays lost: found %s", async (_by, takeBack) => {
  const { id, transferId, isAgainAt } = await paidOrder(["payment.reversed"]);
  await reorg([{ id: transferId }]);
  await isAgainAt(101);
  await takeBack();
  await match();
  expect(await confirm()).toBe(0);
  expect(await countLost(db(), shop.merchant.id)).toBe(1);
  expect(await delivered(id)).toEqual(["payment.confirmed paid null 3", "payment.reversed paid null 4"]);
});

test("each further final part that leaves an order short is reported once", async () => {
  await choose(["payment.underpaid"]);
  const own = await seedAddress(db(), { merchantId: shop.merchant.id, kind: "dedicated" }, now);
  const { id } = await order({ address: own });
  for (const [index, baseUnits] of [4_000_000n, 1n, 2n, 6_000_000n].entries()) {
    await seedTransfer(db(), { address: own, baseUnits, blockHeight: 100 + index }, now);
    await match();
    await confirm();
    await match();
  }
  expect((await delivered(id)).map((line) => line.split(" ")[0])).toEqual([
    ...Array(3).fill("payment.underpaid"),
    "payment.confirmed",
  ]);
});

test("parts that become final together are reported together: once for the first, once for the others", async () => {
  await choose(["payment.underpaid"]);
  const own = await seedAddress(db(), { merchantId: shop.merchant.id, kind: "dedicated" }, now);
  const { id } = await order({ address: own });
  for (const [index, baseUnits] of [4_000_000n, 1_000_000n, 500_000n].entries()) {
    await seedTransfer(db(), { address: own, baseUnits, blockHeight: 100 + index }, now);
    await match();
  }
  expect(await confirm()).toBe(3);
  await match();
  const paid = (await listEvents(db(), shop.merchant.id, 0, 100)).map(({ body }) => JSON.parse(body).data.paid_amount);
  expect([await delivered(id), paid]).toEqual([
    ["payment.underpaid pending underpaid 2", "payment.underpaid pending underpaid 5"],
    [0, 5.5],
  ]);
});

test("manual actions: a cancellation is reported; an order marked as paid was never detected", async () => {
  await choose(OPT_IN_TYPES);
  const cancelled = await order();
  const marked = await order({ baseUnits: price + 1n });
  await cancelOrder(db(), ctx, person(), cancelled.id, now);
  await cancelOrder(db(), ctx, person(), cancelled.id, now);
  await markOrderPaid(db(), ctx, person(), { orderId: marked.id, reason: "cash" }, now);
  expect(await delivered(cancelled.id)).toEqual(["order.cancelled cancelled null 2"]);
  expect(await delivered(marked.id)).toEqual(["payment.confirmed paid manual 2"]);
});

test("the key that created the order decides, then its successors, then the merchant's default", async () => {
  const issue = async (name: string, types: readonly OptInType[]) => {
    const { id } = await createApiKey(db(), keyContext, { ...person(), name, mustSign: false }, later(-1));
    await choose(types, id);
    return id;
  };
  await choose([], shop.merchant.keyId);
  await makeKeyDefault(db(), { ...person(), id: shop.merchant.keyId }, now);
  const asking = await issue("asking", ["order.cancelled"]);
  const silent = await issue("silent", []);
  let units = price;
  const cancelled = async (apiKeyId: string | undefined) => {
    units += 1n;
    const { id } = await order({ baseUnits: units, ...(apiKeyId ? { apiKeyId } : {}) });
    if (!apiKeyId) await db().update(orders).set({ apiKeyId: null }).where(eq(orders.id, id));
    await cancelOrder(db(), ctx, person(), id, now);
    return (await delivered(id)).length;
  };
  expect([await cancelled(asking), await cancelled(silent), await cancelled(undefined)]).toEqual([1, 0, 0]);
  const rotated = await rotateApiKey(db(), keyContext, { ...person(), id: asking, overlapHours: 1 }, now);
  expect(await cancelled(asking)).toBe(1);
  await choose([], rotated?.id);
  expect(await cancelled(asking)).toBe(0);
  await choose(["order.cancelled"], shop.merchant.keyId);
  await revokeApiKey(db(), { ...person(), id: silent }, now);
  await revokeApiKey(db(), { ...person(), id: rotated?.id ?? "" }, now);
  await db().update(apiKeys).set({ endsAt: now }).where(eq(apiKeys.id, asking));
  expect([await cancelled(asking), await cancelled(undefined)]).toEqual([1, 1]);
});

test("without an address for callbacks the events are listed all the same", async () => {
  await choose(["order.cancelled"]);
  const { id } = await seedOrder(db(), { address: shop.address, baseUnits: price, apiKeyId: shop.merchant.keyId }, now);
  await cancelOrder(db(), ctx, person(), id, now);
  expect([await delivered(id), await countCallbacks(id)]).toEqual([["order.cancelled cancelled null 2"], 0]);
});

test("many that expire together are reported each, and only to subscribers", async () => {
  await seedManyOrders(db(), { address: shop.address, first: 1, count: 300 }, now);
  await db().update(orders).set({ apiKeyId: shop.merchant.keyId, notifyUrl });
  const stranger = await seedMerchant(db(), now);
  const theirs = await seedAddress(db(), { merchantId: stranger.id }, now);
  await seedOrder(db(), { address: theirs, baseUnits: price }, now);
  await choose(["order.expired"]);
  expect(await expire()).toBe(301);
  expect([await db().$count(events), await db().$count(callbacks)]).toEqual([300, 300]);
  expect(await db().$count(events, eq(events.version, 2))).toBe(300);
});

test("an event commits or rolls back with its change", async () => {
  await choose(OPT_IN_TYPES);
  const { id } = await order();
  const failing = db().transaction(async (tx) => {
    await cancelOrder(tx, ctx, person(), id, now);
    throw new Error("taken back");
  });
  await expect(failing).rejects.toThrow("taken back");
  expect([await delivered(id), await db().$count(transfers)]).toEqual([[], 0]);
});
