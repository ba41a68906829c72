import { beforeAll, expect, test } from "vitest";
import { listOrderEvents } from "@/db/queries/merchants/audit-events";
import { findOrderPage, listOrderCallbacks } from "@/db/queries/orders/back-office";
import { listOrders } from "@/db/queries/orders/order-list";
import { addSettledStep, countFailedCallbacks, findFirstSteps } from "@/db/queries/orders/overview";
import { countUnmatched, findTransfer, listOrderTransfers, listTransfers } from "@/db/queries/transfers/transfer-list";
import { callbacks, hourlyTotals, orders, quotes, transfers } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import type { OrderFilter } from "@/lib/domain/orders/filter";
import type { OrderStatus } from "@/lib/domain/orders/order";
import type { TransferFilter } from "@/lib/domain/transfers/filter";
import { addAddress } from "@/lib/merchants/addresses";
import { createMerchantWithOwner } from "@/lib/users/register";
import { useTestDb } from "@/testing/database/clone";

const now = new Date("2026-03-01T10:00:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const hash = (number: number) => `0x${number.toString(16).padStart(64, "0")}`;
const WALLET = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
const SENDER = "0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359";
const TOKEN = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const database = useTestDb();

let merchantId: string;
let strangerId: string;
let addressId: string;
const ids: string[] = [];

beforeAll(async () => {
  const { db } = database.pool;
  const owner = { name: "Tea House", email: "owner@example.com", password: "correct horse battery" };
  const shop = await createMerchantWithOwner(db, owner, now);
  merchantId = shop.merchantId;
  strangerId = (await createMerchantWithOwner(db, { ...owner, email: "other@example.com" }, now)).merchantId;
  const form = { ...shop, network: "ethereum", address: WALLET, kind: "shared", label: "" } as const;
  const added = await addAddress(db, { appSecret: "a secret of at least 32 characters" }, form, now);
  if ("errors" in added) throw new Error("The address was refused");
  addressId = added.id;
  const statuses: OrderStatus[] = ["paid", "paid", "pending", "expired", "paid"];
  for (const [index, status] of statuses.entries())
    ids.push(await insertOrder(index, status, hoursAgo(index * 30 + 1)));
  await db.insert(hourlyTotals).values({ merchantId, hour: now, network: "ethereum", currency: "USDT", paid: 3 });
  await insertTransfer(1, { orderId: ids[0] ?? null, status: "confirmed" });
  await insertTransfer(2, { orderId: null, status: "confirmed" });
  await insertTransfer(3, { orderId: null, status: "dropped" });
});

async function insertOrder(index: number, status: OrderStatus, at: Date): Promise<string> {
  const id = newId(at);
  const quoteId = newId(at);
  const currency = index % 2 ? "USDC" : "USDT";
  const common = { network: "ethereum", currency, createdAt: at } as const;
  await database.pool.db.transaction(async (tx) => {
    await tx.insert(orders).values({
      ...common,
      id,
      merchantId,
      mchOrderId: `tea_${index}`,
      amountUnits: 10_000_000n,
      quoteId,
      status,
      paidUnits: status === "paid" ? 10_000_000n : 0n,
      paidAt: status === "paid" ? at : null,
      expiresAt: at,
      changedAt: at,
    });
    await tx.insert(quotes).values({
      ...common,
      id: quoteId,
      merchantId,
      orderId: id,
      receivingAddressId: addressId,
      token: TOKEN,
      address: WALLET,
      kind: "shared",
      baseUnits: 10_000_000n + BigInt(index),
      microUnits: 10_000_000n + BigInt(index),
      family: "evm",
      reservedUntil: new Date(at.getTime() - 120_000),
      releasedAt: at,
    });
  });
  const callback = { id: `evt_${id}`, orderId: id, merchantId, type: "payment.confirmed", body: "{}" } as const;
  const target = { url: "https://shop.example/cb", origin: "https://shop.example:443", createdAt: at };
  if (index < 2)
    await database.pool.db
      .insert(callbacks)
      .values({ ...callback, ...target, status: index === 0 ? "failed" : "delivered" });
  return id;
}

async function insertTransfer(number: number, fate: { orderId: string | null; status: "confirmed" | "dropped" }) {
  await database.pool.db.insert(transfers).values({
    ...fate,
    id: newId(hoursAgo(number)),
    merchantId,
    network: "ethereum",
    txId: hash(number),
    position: "0",
    currency: "USDT",
    token: TOKEN,
    fromAddress: SENDER,
    toAddress: WALLET,
    baseUnits: 10_000_000n,
    blockHeight: number,
    blockHash: hash(number),
    blockTime: now,
    receivingAddressId: addressId,
    unmatchedReason: fate.orderId ? null : "no_such_amount",
    matchedAt: now,
    seenAt: hoursAgo(number),
  });
}

const numbers = async (filter: OrderFilter) =>
  (await listOrders(database.pool.db, merchantId, filter, null, 10)).rows.map((row) => row.mchOrderId);

test("orders are listed newest first, page by page, forth and back", async () => {
  const { db } = database.pool;
  const first = await listOrders(db, merchantId, {}, null, 2);
  expect(first.rows.map((row) => row.mchOrderId)).toEqual(["tea_0", "tea_1"]);
  expect(first.newer).toBeNull();
  const second = await listOrders(db, merchantId, {}, first.older, 2);
  expect(second.rows.map((row) => row.mchOrderId)).toEqual(["tea_2", "tea_3"]);
  const last = await listOrders(db, merchantId, {}, second.older, 2);
  expect(last.rows.map((row) => row.mchOrderId)).toEqual(["tea_4"]);
  expect(last.older).toBeNull();
  const back = await listOrders(db, merchantId, {}, second.newer, 2);
  expect(back.rows).toEqual(first.rows);
  expect(back.newer).toBeNull();
  expect(back.older).toEqual(first.older);
});

test("orders are found by status, currency, callback, number, id, transaction and address", async () => {
  expect(await numbers({ status: "pending" })).toEqual(["tea_2"]);
  expect(await numbers({ currency: "USDC" })).toEqual(["tea_1", "tea_3"]);
  expect(await numbers({ network: "bsc" })).toEqual([]);
  expect(await numbers({ callback: "failed" })).toEqual(["tea_0"]);
  expect(await numbers({ text: "tea_3" })).toEqual(["tea_3"]);
  expect(await numbers({ text: "tea_" })).toHaveLength(5);
  expect(await numbers({ text: "ea_3" })).toEqual([]);
  expect(await numbers({ text: ids[4]?.toUpperCase() ?? "" })).toEqual(["tea_4"]);
  expect(await numbers({ text: hash(1) })).toEqual(["tea_0"]);
  expect(await numbers({ text: SENDER })).toEqual(["tea_0"]);
  expect(await numbers({ text: SENDER, callback: "delivered" })).toEqual([]);
  expect(await numbers({ text: WALLET.toUpperCase().replace("0X", "0x"), status: "paid" })).toHaveLength(3);
});

test("a percent sign or an underscore in a search is literal", async () => {
  expect(await numbers({ text: "%" })).toEqual([]);
  expect(await numbers({ text: "te%" })).toEqual([]);
  expect(await numbers({ text: "te__4" })).toEqual([]);
});

test("nothing of one merchant is shown to another", async () => {
  const { db } = database.pool;
  const id = ids[0] ?? "";
  expect((await listOrders(db, strangerId, {}, null, 10)).rows).toEqual([]);
  expect((await listTransfers(db, strangerId, {}, null, 10)).rows).toEqual([]);
  expect(await findOrderPage(db, strangerId, id)).toBeNull();
  expect(await listOrderCallbacks(db, strangerId, id)).toEqual([]);
  expect(await listOrderTransfers(db, strangerId, id)).toEqual([]);
  expect(await listOrderEvents(db, strangerId, id)).toEqual([]);
  expect(await countUnmatched(db, strangerId)).toBe(0);
  expect(await countFailedCallbacks(db, strangerId)).toBe(0);
  const { settled, ...steps } = await findFirstSteps(db, strangerId, now);
  expect(settled).toEqual([]);
  expect(Object.values(steps).every((isDone) => isDone === false)).toBe(true);
});

test("the ledger shows every transfer; unmatched ones wait, dropped ones do not", async () => {
  const { db } = database.pool;
  expect((await listTransfers(db, merchantId, {}, null, 10)).rows).toHaveLength(3);
  const waiting = await listTransfers(db, merchantId, { show: "unmatched" }, null, 10);
  expect(waiting.rows.map((row) => row.txId)).toEqual([hash(2)]);
  expect(await countUnmatched(db, merchantId)).toBe(1);
});

test("transfers are found by reason, network, currency, status, transaction and address", async () => {
  const { db } = database.pool;
  const found = async (filter: TransferFilter) =>
    (await listTransfers(db, merchantId, filter, null, 10)).rows.map((row) => row.txId);
  expect(await found({ reason: "no_such_amount" })).toEqual([hash(2)]);
  expect(await found({ reason: "late" })).toEqual([]);
  expect(await found({ network: "bsc" })).toEqual([]);
  expect(await found({ currency: "USDT", status: "dropped" })).toEqual([hash(3)]);
  expect(await found({ text: hash(1) })).toEqual([hash(1)]);
  expect(await found({ text: WALLET.toUpperCase().replace("0X", "0x"), status: "confirmed" })).toHaveLength(2);
  const [row] = (await listTransfers(db, merchantId, {}, null, 1)).rows;
  expect(await findTransfer(db, merchantId, row?.id ?? "")).toEqual(row);
  expect(await findTransfer(db, strangerId, row?.id ?? "")).toBeNull();
});

test("a first step that a user settles is stored once, for this shop only", async () => {
  const { db } = database.pool;
  await db
    .transaction(async (tx) => {
      await addSettledStep(tx, strangerId, "backup");
      await addSettledStep(tx, strangerId, "backup");
      await addSettledStep(tx, strangerId, "callback");
      expect((await findFirstSteps(tx, strangerId, now)).settled).toEqual(["backup", "callback"]);
      expect((await findFirstSteps(tx, merchantId, now)).settled).toEqual([]);
      tx.rollback();
    })
    .catch((error: unknown) => expect(String(error)).toContain("Rollback"));
});

test("the first steps follow the events", async () => {
  const { db } = database.pool;
  expect(await findFirstSteps(db, merchantId, now)).toEqual({
    hasAddress: true,
    hasContact: false,
    hasPlugin: false,
    settled: [],
    hasKey: false,
    hasOrder: true,
    hasPaidOrder: true,
    hasAnsweredCallback: true,
  });
  expect(await countFailedCallbacks(db, merchantId)).toBe(1);
});
