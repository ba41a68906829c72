import { eq, sql } from "drizzle-orm";
import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { listEvents } from "@/db/queries/callbacks/events";
import { dropTransfersAbove } from "@/db/queries/transfers/reorgs";
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
import { moveOrder } from "@/lib/orders/move-order";
import { takeBackTo } from "@/lib/watch/blocks/rewind-network";
import { useTestDb } from "@/testing/database/clone";
import {
  seedAddress,
  seedCursor,
  seedManyOrders,
  seedMerchant,
  seedOrder,
  seedTransfer,
} from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }) };
const keyContext = { appSecret: "a-secret-for-tests-that-is-long-enough", mode: "test" as const };
const ethereum = getNetwork("ethereum");
const now = new Date("2026-01-01T12:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const price = 10_000_000n;
const notifyUrl = "https://shop.example.com/hook";

let merchant: Awaited<ReturnType<typeof seedMerchant>>;
let shared: Awaited<ReturnType<typeof seedAddress>>;

beforeEach(async () => {
  await db().execute(sql`truncate merchants, orders, quotes, audit_events, cursors cascade`);
  merchant = await seedMerchant(db(), now);
  shared = await seedAddress(db(), { merchantId: merchant.id }, now);
});

const person = () => ({ merchantId: merchant.id, userId: "person", role: "owner" as const });
const choose = (types: readonly OptInType[], id = merchant.keyId) =>
  chooseEvents(db(), { ...person(), id, types }, now);
const order = (change: Partial<Parameters<typeof seedOrder>[1]> = {}) =>
  seedOrder(db(), { address: shared, baseUnits: price, notifyUrl, apiKeyId: merchant.keyId, ...change }, now);
const match = (at = now) => matchTransfers(db(), ctx, "ethereum", at);
const head = { height: 200, hash: "0x1", parentHash: "0x0", time: now, finalizedHeight: null };
const checker = (finality: Finality) => ({ checkFinality: async () => finality }) as never;
const confirm = (at = now, finality: Finality = { kind: "final" }) =>
  confirmTransfers(db(), ctx, checker(finality), ethereum, head, at);
const expire = async (at = later(31)) => {
  await seedCursor(db(), "ethereum", at);
  return expireOrders(db(), ctx, at);
};
/** What was told of an order, as the merchant reads it: type, status, exception and version. */
async function told(orderId: string): Promise<string[]> {
  const listed = await listEvents(db(), merchant.id, 0, 100);
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
])("an order that expires and is paid late tells exactly what was asked for: %s", async (_name, types, expected) => {
  await choose(types);
  const { id } = await order();
  expect(await expire()).toBe(1);
  await seedTransfer(db(), { address: shared, baseUnits: price, blockTime: later(32) }, later(32));
  await match(later(32));
  await confirm(later(40));
  await Promise.all([match(later(41)), confirm(later(41)), expire(later(41))]);
  expect(await told(id)).toEqual(expected);
  expect(await countCallbacks(id)).toBe(expected.length);
});

test("a payment that a reorg takes back and that comes again is told again each time", async () => {
  await choose(OPT_IN_TYPES);
  const { id } = await order();
  await seedTransfer(db(), { address: shared, baseUnits: price }, now);
  await match();
  await confirm(now, { kind: "gone" });
  await match();
  await seedTransfer(db(), { address: shared, baseUnits: price, blockHeight: 101 }, now);
  await match();
  await confirm();
  expect(await told(id)).toEqual([
    "payment.detected confirming null 2",
    "payment.reversed pending null 3",
    "payment.detected confirming null 4",
    "payment.confirmed paid null 5",
  ]);
  expect(await countCallbacks(id)).toBe(4);
});

test("on an address of its own: a part, the rest, more, and more again", async () => {
  await choose(OPT_IN_TYPES);
  const own = await seedAddress(db(), { merchantId: merchant.id, kind: "dedicated" }, now);
  const { id } = await order({ address: own });
  for (const [index, baseUnits] of [4_000_000n, 6_000_000n, 1n, 2n].entries()) {
    await seedTransfer(db(), { address: own, baseUnits, blockHeight: 100 + index }, now);
    await match();
    await confirm();
  }
  const types = (await told(id)).map((line) => line.split(" ").slice(0, 3).join(" "));
  expect(types).toEqual([
    "payment.underpaid pending underpaid",
    "payment.detected confirming null",
    "payment.confirmed paid null",
    "payment.overpaid paid overpaid",
    "payment.overpaid paid overpaid",
  ]);
});

test("a part that a reorg takes back is told", async () => {
  await choose(OPT_IN_TYPES);
  const own = await seedAddress(db(), { merchantId: merchant.id, kind: "dedicated" }, now);
  const { id } = await order({ address: own });
  await seedTransfer(db(), { address: own, baseUnits: 4_000_000n }, now);
  await match();
  await dropTransfersAbove(db(), "ethereum", 99);
  await match();
  expect((await told(id)).map((line) => line.split(" ")[0])).toEqual(["payment.underpaid", "payment.reversed"]);
});

test("a confirmed payment that a deeper reorg takes back leaves its order paid, and is told once", async () => {
  await choose(OPT_IN_TYPES);
  const { id } = await order();
  const { id: transferId } = await seedTransfer(db(), { address: shared, baseUnits: price }, now);
  await match();
  await confirm();
  await seedCursor(db(), "ethereum", now, 120);
  await db().update(cursors).set({ leaseOwner: "one", leaseUntil: sql`now() + interval '1 minute'` });
  const ancestor = { height: 90, hash: "0x90", parentHash: "0x89", time: now };
  const rewind = (height: number, hash: string) => ({ ...ctx, owner: "one", cursor: { height, hash } });
  const lost = [{ id: transferId }];
  expect(await takeBackTo(db(), ethereum, rewind(120, "0x00"), ancestor, lost, now)).toEqual(ancestor);
  expect(await takeBackTo(db(), ethereum, rewind(90, "0x90"), ancestor, lost, now)).toEqual(ancestor);
  expect((await told(id)).slice(2)).toEqual(["payment.reversed paid null 4"]);
});

test.each<[string, OptInType[], number]>([
  ["who hears of payments that are taken back", OPT_IN_TYPES.filter((type) => type !== "payment.overpaid"), 1],
  ["nobody else", OPT_IN_TYPES.filter((type) => type !== "payment.reversed"), 0],
])("a confirmed payment that was taken back and comes again is told once more to %s", async (_who, types, times) => {
  await choose(types);
  const { id } = await order();
  const pay = (blockHeight: number) => seedTransfer(db(), { address: shared, baseUnits: price, blockHeight }, now);
  const { id: transferId } = await pay(100);
  await match();
  await confirm();
  const before = (await told(id)).length;
  for (const status of ["seen", "confirmed"] as const) {
    await db().update(transfers).set({ status }).where(eq(transfers.id, transferId));
    await moveOrder(db(), ctx, id, { type: "fundsChanged" }, later(1));
    await moveOrder(db(), ctx, id, { type: "fundsChanged" }, later(1));
  }
  const again = (await told(id)).slice(before);
  expect(again.map((line) => line.split(" ").slice(0, 3).join(" "))).toEqual(
    Array(times).fill("payment.confirmed paid null"),
  );
});

test("each further part that is final and leaves an order short is told, once", async () => {
  await choose(["payment.underpaid"]);
  const own = await seedAddress(db(), { merchantId: merchant.id, kind: "dedicated" }, now);
  const { id } = await order({ address: own });
  for (const [index, baseUnits] of [4_000_000n, 1n, 2n, 6_000_000n].entries()) {
    await seedTransfer(db(), { address: own, baseUnits, blockHeight: 100 + index }, now);
    await match();
    await confirm();
    await match();
  }
  expect((await told(id)).map((line) => line.split(" ")[0])).toEqual([
    ...Array(3).fill("payment.underpaid"),
    "payment.confirmed",
  ]);
});

test("what a person does: cancelled is told; an order marked as paid was never detected", async () => {
  await choose(OPT_IN_TYPES);
  const [cancelled, marked] = [await order(), await order({ baseUnits: price + 1n })];
  await cancelOrder(db(), ctx, person(), cancelled.id, now);
  await cancelOrder(db(), ctx, person(), cancelled.id, now);
  await markOrderPaid(db(), ctx, person(), { orderId: marked.id, reason: "cash" }, now);
  expect(await told(cancelled.id)).toEqual(["order.cancelled cancelled null 2"]);
  expect(await told(marked.id)).toEqual(["payment.confirmed paid manual 2"]);
});

test("the key that made the order says, then its successors, then the merchant's default one", async () => {
  const issue = async (name: string, types: readonly OptInType[]) => {
    const { id } = await createApiKey(db(), keyContext, { ...person(), name, mustSign: false }, later(-1));
    await choose(types, id);
    return id;
  };
  await choose([], merchant.keyId);
  await makeKeyDefault(db(), { ...person(), id: merchant.keyId }, now);
  const asking = await issue("asking", ["order.cancelled"]);
  const silent = await issue("silent", []);
  let units = price;
  const cancelled = async (apiKeyId: string | undefined) => {
    units += 1n;
    const { id } = await order({ baseUnits: units, ...(apiKeyId ? { apiKeyId } : {}) });
    if (!apiKeyId) await db().update(orders).set({ apiKeyId: null }).where(eq(orders.id, id));
    await cancelOrder(db(), ctx, person(), id, now);
    return (await told(id)).length;
  };
  expect([await cancelled(asking), await cancelled(silent), await cancelled(undefined)]).toEqual([1, 0, 0]);
  const rotated = await rotateApiKey(db(), keyContext, { ...person(), id: asking, overlapHours: 1 }, now);
  expect(await cancelled(asking)).toBe(1);
  await choose([], rotated?.id);
  expect(await cancelled(asking)).toBe(0);
  await choose(["order.cancelled"], merchant.keyId);
  await revokeApiKey(db(), { ...person(), id: silent }, now);
  await revokeApiKey(db(), { ...person(), id: rotated?.id ?? "" }, now);
  await db().update(apiKeys).set({ endsAt: now }).where(eq(apiKeys.id, asking));
  expect([await cancelled(asking), await cancelled(undefined)]).toEqual([1, 1]);
});

test("without an address for callbacks the events are listed all the same", async () => {
  await choose(["order.cancelled"]);
  const { id } = await seedOrder(db(), { address: shared, baseUnits: price, apiKeyId: merchant.keyId }, now);
  await cancelOrder(db(), ctx, person(), id, now);
  expect([await told(id), await countCallbacks(id)]).toEqual([["order.cancelled cancelled null 2"], 0]);
});

test("many that expire at once are told each, and only to those who asked", async () => {
  await seedManyOrders(db(), { address: shared, first: 1, count: 300 }, now);
  await db().update(orders).set({ apiKeyId: merchant.keyId, notifyUrl });
  const stranger = await seedMerchant(db(), now);
  const theirs = await seedAddress(db(), { merchantId: stranger.id }, now);
  await seedOrder(db(), { address: theirs, baseUnits: price }, now);
  await choose(["order.expired"]);
  expect(await expire()).toBe(301);
  expect([await db().$count(events), await db().$count(callbacks)]).toEqual([300, 300]);
  expect(await db().$count(events, eq(events.version, 2))).toBe(300);
});

test("an event stands and falls with its change", async () => {
  await choose(OPT_IN_TYPES);
  const { id } = await order();
  const failing = db().transaction(async (tx) => {
    await cancelOrder(tx, ctx, person(), id, now);
    throw new Error("taken back");
  });
  await expect(failing).rejects.toThrow("taken back");
  expect([await told(id), await db().$count(transfers)]).toEqual([[], 0]);
});
