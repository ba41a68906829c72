import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { listAddresses } from "@/db/queries/merchants/address-settings";
import { auditEvents, orders, quotes, receivingAddresses } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import type { ListCursor } from "@/lib/domain/list-cursor";
import {
  addAddress,
  findUnverifiedAddresses,
  labelAddress,
  listCheckedAddresses,
  pauseAddress,
  removeAddress,
  resumeAddress,
} from "@/lib/merchants/addresses";
import { listFilterNetworks } from "@/lib/merchants/filter-networks";
import { addressMac } from "@/lib/merchants/vault";
import { createMerchantWithOwner } from "@/lib/users/register";
import { useTestDb } from "@/testing/database/clone";
import { tamperAddress } from "@/testing/database/seed";
import { inSentences } from "@/testing/problem-sentences";

const now = new Date("2026-03-01T10:00:00Z");
const context = { appSecret: "a secret of at least 32 characters" };
const database = useTestDb();

let shop: { merchantId: string; userId: string };
let stranger: { merchantId: string; userId: string };
beforeAll(async () => {
  const owner = { name: "Tea House", email: "owner@example.com", password: "correct horse battery" };
  shop = await createMerchantWithOwner(database.pool.db, owner, now);
  stranger = await createMerchantWithOwner(database.pool.db, { ...owner, email: "other@example.com" }, now);
});

let count = 0x1000;
const freshAddress = () => `0x${"0".repeat(36)}${(count++).toString(16)}`;
const add = (address: string, changes: Partial<Parameters<typeof addAddress>[2]> = {}) =>
  addAddress(
    database.pool.db,
    context,
    { ...shop, network: "ethereum", address, kind: "shared", label: "", ...changes },
    now,
  );
const added = async (address: string) => {
  const answer = await add(address);
  if ("errors" in answer) throw new Error(JSON.stringify(answer.errors));
  return answer;
};
const row = async (id: string) =>
  (await database.pool.db.select().from(receivingAddresses)).find((candidate) => candidate.id === id);

test("an address is stored in its canonical form with a MAC over its identity", async () => {
  const answer = await add("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", { network: "BEP20", label: " Safe " });
  if ("errors" in answer) throw new Error("refused");
  const stored = await row(answer.id);
  expect(stored).toMatchObject({
    network: "bsc",
    address: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
    label: "Safe",
    kind: "shared",
  });
  expect(stored && addressMac(context.appSecret, stored)).toBe(stored?.mac);
});

test("a mistyped address, a token contract and an unknown network are refused with a message", async () => {
  expect(inSentences(await add("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"))).toMatchObject({
    errors: [{ field: "address", message: expect.stringContaining("do not match its checksum") }],
  });
  expect(inSentences(await add("0xdAC17F958D2ee523a2206206994597C13D831ec7"))).toMatchObject({
    errors: [{ field: "address", message: expect.stringContaining("USDT contract") }],
  });
  expect(await add(freshAddress(), { network: "dogecoin" })).toMatchObject({ errors: [{ field: "network" }] });
});

test("an address is added once per network, also by two concurrent users", async () => {
  const address = freshAddress();
  const answers = await Promise.all([add(address), add(address), add(address, { network: "bsc" })]);
  expect(answers.filter((answer) => "id" in answer)).toHaveLength(2);
  expect(inSentences(await add(address))).toMatchObject({ errors: [{ message: expect.stringContaining("already") }] });
});

test("another merchant's address is refused without naming the merchant", async () => {
  const address = freshAddress();
  await added(address);
  const answer = await add(address, stranger);
  expect(answer).toMatchObject({ errors: [{ field: "address" }] });
  expect(JSON.stringify(answer)).not.toMatch(/already|another|merchant|Tea House/i);
});

test("an address that was changed in the database shows itself", async () => {
  const { id } = await added(freshAddress());
  const hasInvalidMac = async () =>
    (await listCheckedAddresses(database.pool.db, context, shop.merchantId, null, 100)).rows.find(
      (one) => one.id === id,
    )?.hasInvalidMac;
  expect(await hasInvalidMac()).toBe(false);
  const { db } = database.pool;
  await tamperAddress(db, id, freshAddress());
  expect(await hasInvalidMac()).toBe(true);
});

test("an address that was changed in the database stays paused, for any user; another merchant's is not found", async () => {
  const { db } = database.pool;
  const { id } = await added(freshAddress());
  await pauseAddress(db, { ...shop, id }, now);
  expect(await resumeAddress(db, context, { ...stranger, id }, now)).toBe("gone");
  await tamperAddress(db, id, freshAddress());
  expect(await resumeAddress(db, context, { ...shop, id }, now)).toBe("tampered");
  expect((await row(id))?.pausedAt).toEqual(now);
  const resumed = (await db.select().from(auditEvents)).filter((event) => event.action === "address.resumed");
  expect(resumed.map((event) => event.detail["addressId"])).not.toContain(id);
});

test("every address that was changed in the database is reported, from any page of the list", async () => {
  const { db } = database.pool;
  const owner = { name: "Book shop", email: "books@example.com", password: "correct horse battery" };
  const books = await createMerchantWithOwner(db, owner, now);
  const made: string[] = [];
  for (let index = 0; index < 5; index++) {
    const answer = await add(freshAddress(), { ...books, network: index < 3 ? "bsc" : "polygon" });
    if ("id" in answer) made.push(answer.id);
  }
  const page = (cursor: ListCursor) => listCheckedAddresses(db, context, books.merchantId, cursor, 2);
  const idsOf = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id);
  const first = await page(null);
  const newest = made.toSorted().reverse();
  expect(idsOf(first)).toEqual(newest.slice(0, 2));
  expect(first).toMatchObject({ newer: null, older: { after: newest[1] } });
  const second = await page(first.older);
  expect(idsOf(second)).toEqual(newest.slice(2, 4));
  expect(idsOf(await page(second.older))).toEqual(newest.slice(4));
  expect(idsOf(await page(second.newer))).toEqual(newest.slice(0, 2));
  const oldest = newest.at(-1) ?? "";
  await db.update(receivingAddresses).set({ kind: "dedicated" }).where(eq(receivingAddresses.id, oldest));
  expect(await findUnverifiedAddresses(db, context, books.merchantId)).toMatchObject({
    count: 1,
    rows: [{ id: oldest, hasInvalidMac: true }],
  });
  expect(await findUnverifiedAddresses(db, context, stranger.merchantId)).toEqual({ count: 0, rows: [] });
});

test("filters offer the networks that are on, and those that were, where the merchant had an address", async () => {
  const { db } = database.pool;
  const owner = { name: "Old shop", email: "old@example.com", password: "correct horse battery" };
  const old = await createMerchantWithOwner(db, owner, now);
  const answer = await add(freshAddress(), { ...old, network: "avalanche" });
  if (!("id" in answer)) throw new Error("The address was refused");
  await removeAddress(db, { ...old, id: answer.id }, now);
  const rpcUrls = new Map([
    ["tron", []],
    ["ethereum", []],
  ]);
  const names = await listFilterNetworks(db, { rpcUrls }, old.merchantId);
  expect(names.map(({ id }) => id)).toEqual(["ethereum", "avalanche", "tron"]);
});

test("an address is paused, resumed, named and removed; removing it keeps the row", async () => {
  const { id } = await added(freshAddress());
  const one = { ...shop, id };
  expect(await pauseAddress(database.pool.db, one, now)).toBe(true);
  expect((await row(id))?.pausedAt).toEqual(now);
  expect(await resumeAddress(database.pool.db, context, one, now)).toBe("resumed");
  expect(await labelAddress(database.pool.db, { ...one, label: "Cold wallet" }, now)).toBe(true);
  expect(await row(id)).toMatchObject({ pausedAt: null, label: "Cold wallet" });
  expect(await removeAddress(database.pool.db, { ...stranger, id }, now)).toBe(false);
  expect(await removeAddress(database.pool.db, one, now)).toBe(true);
  expect((await row(id))?.removedAt).toEqual(now);
  expect(
    (await listAddresses(database.pool.db, shop.merchantId, null, 100)).rows.map((listed) => listed.id),
  ).not.toContain(id);
  const events = (await database.pool.db.select().from(auditEvents)).filter(
    (event) => event.detail["addressId"] === id,
  );
  expect(events.map((event) => event.action).sort()).toEqual([
    "address.added",
    "address.labelled",
    "address.paused",
    "address.removed",
    "address.resumed",
  ]);
});

test("a removed address comes back as the same row; with open payments it keeps its kind", async () => {
  const { id, address } = await added(freshAddress());
  await insertLiveQuote(id, address);
  expect(
    (await listAddresses(database.pool.db, shop.merchantId, null, 100)).rows.find((one) => one.id === id)?.liveQuotes,
  ).toBe(1);
  await removeAddress(database.pool.db, { ...shop, id }, now);
  expect(inSentences(await add(address, { kind: "dedicated" }))).toMatchObject({
    errors: [{ message: expect.stringContaining("Add it as shared") }],
  });
  expect(await add(address)).toMatchObject({ id });
  expect(await row(id)).toMatchObject({ removedAt: null, kind: "shared" });
});

async function insertLiveQuote(receivingAddressId: string, address: string) {
  const orderId = newId(now);
  const quoteId = newId(now);
  const common = { network: "ethereum", currency: "USDT" as const, createdAt: now };
  await database.pool.db.transaction(async (tx) => {
    await tx.insert(orders).values({
      ...common,
      id: orderId,
      merchantId: shop.merchantId,
      mchOrderId: orderId,
      amountUnits: 5n,
      quoteId,
      status: "pending",
      expiresAt: now,
      changedAt: now,
    });
    await tx.insert(quotes).values({
      ...common,
      id: quoteId,
      merchantId: shop.merchantId,
      orderId,
      receivingAddressId,
      token: "0xdac17f958d2ee523a2206206994597c13d831ec7",
      address,
      kind: "shared",
      baseUnits: 5n,
      microUnits: 5n,
      family: "evm",
      reservedUntil: now,
    });
  });
}
