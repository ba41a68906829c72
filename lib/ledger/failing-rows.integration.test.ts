import { eq, isNull, sql } from "drizzle-orm";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { countFailingByNetwork, countFailingOf } from "@/db/queries/many-rows";
import { failingRows, orders, quotes, transfers } from "@/db/schema";
import { ChainError, type Finality, type FinalityChecker, type KnownTransfer } from "@/lib/chains/endpoints/source";
import { getNetwork } from "@/lib/domain/networks";
import { confirmTransfers } from "@/lib/ledger/confirm-transfers";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { expireOrders } from "@/lib/orders/expire-orders";
import { releaseHolds } from "@/lib/orders/release-holds";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedCursor, seedMerchant, seedOrder, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const reported: Record<string, unknown>[] = [];
const log = pino({ level: "error" }, { write: (line: string) => void reported.push(JSON.parse(line)) });
const ctx = { publicUrl: "https://pay.example.com", log };
const now = new Date("2026-01-01T12:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const head = { height: 1_000, hash: "0x1", parentHash: "0x0", time: now, finalizedHeight: null };
const ethereum = getNetwork("ethereum");

let address: Awaited<ReturnType<typeof seedAddress>>;
let merchantId: string;
beforeEach(async () => {
  reported.length = 0;
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "cursors", "failing_rows");
  merchantId = (await seedMerchant(db(), now)).id;
  address = await seedAddress(db(), { merchantId }, now);
});
afterEach(repair);

const order = (units: bigint) => seedOrder(db(), { address, baseUnits: units }, now);
const transfer = (units: bigint) => seedTransfer(db(), { address, baseUnits: units }, now);
const statusOf = async ({ id }: { id: string }) =>
  (await db().select().from(orders).where(eq(orders.id, id)))[0]?.status;

/** Makes every later write to this row fail. */
async function breakRow(
  table: "orders" | "transfers" | "quotes",
  { id }: { id: string },
  name = "broken",
): Promise<void> {
  await testDb.owner.db.execute(sql`create or replace function refuse() returns trigger language plpgsql as $$
    begin raise exception 'this row is broken: a secret stands in it'; end $$`);
  await testDb.owner.db.execute(
    sql.raw(
      `create trigger ${name} before update on ${table} for each row when (old.id = '${id}') execute function refuse()`,
    ),
  );
}

async function repair(): Promise<void> {
  await testDb.owner.db.execute(sql`drop trigger if exists broken on orders`);
  await testDb.owner.db.execute(sql`drop trigger if exists broken on transfers`);
  await testDb.owner.db.execute(sql`drop trigger if exists broken on quotes`);
}

function checkerThat(finality_: (transfer: KnownTransfer) => Finality): FinalityChecker {
  const rest = { problem: async () => null, warning: () => null, quorumMiss: () => null, mistrust: () => {} };
  return { ...rest, heads: () => [], checkFinality: async (known) => finality_(known) };
}
const confirm = (at = now, checker = checkerThat(() => ({ kind: "final" }))) =>
  confirmTransfers(db(), ctx, checker, ethereum, head, at);

test("a transfer that cannot be matched does not block others, is reported by its id, and is retried later", async () => {
  const bad = await order(1_000n);
  const good = await order(2_000n);
  const broken = await transfer(1_000n);
  await transfer(2_000n);
  await breakRow("transfers", broken);
  expect(await matchTransfers(db(), ctx, "ethereum", now)).toBe(1);
  expect([await statusOf(bad), await statusOf(good)]).toEqual(["pending", "confirming"]);
  expect(reported).toMatchObject([{ task: "match", id: broken.id, failures: 1 }]);
  expect(JSON.stringify(reported)).not.toContain("secret");
  expect(await countFailingOf(db(), merchantId, now)).toBe(1);
  expect(await countFailingByNetwork(db(), now)).toEqual(new Map([["ethereum", 1]]));

  expect(await matchTransfers(db(), ctx, "ethereum", later(0.01))).toBe(0);
  expect(reported).toHaveLength(1);
  await matchTransfers(db(), ctx, "ethereum", later(1));
  expect(reported).toMatchObject([{ failures: 1 }, { failures: 2 }]);

  await repair();
  expect(await matchTransfers(db(), ctx, "ethereum", later(10))).toBe(1);
  expect(await statusOf(bad)).toBe("confirming");
  expect(await db().select().from(failingRows)).toEqual([]);
});

test("each further failure waits longer, up to a quarter of an hour, and the row is never abandoned", async () => {
  await order(1_000n);
  const broken = await transfer(1_000n);
  await breakRow("transfers", broken);
  const waits: number[] = [];
  for (let at = now, tries = 0; tries < 14; tries++) {
    await matchTransfers(db(), ctx, "ethereum", at);
    const [row] = await db().select().from(failingRows);
    if (!row) throw new Error("the failure was not kept");
    waits.push((row.retryAt.getTime() - at.getTime()) / 1_000);
    at = row.retryAt;
  }
  expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40]);
  expect(waits.at(-1)).toBe(900);
});

test("an order that cannot be moved keeps its transfer unconfirmed, and all others are paid in the same round", async () => {
  const bad = await order(1_000n);
  const good = [await order(2_000n), await order(3_000n), await order(4_000n)];
  const broken = await transfer(1_000n);
  for (const units of [2_000n, 3_000n, 4_000n]) await transfer(units);
  await matchTransfers(db(), ctx, "ethereum", now);
  await breakRow("orders", bad);
  expect(await confirm()).toBe(3);
  expect(await Promise.all(good.map(statusOf))).toEqual(["paid", "paid", "paid"]);
  expect(await statusOf(bad)).toBe("confirming");
  const [unconfirmed] = await db().select().from(transfers).where(eq(transfers.id, broken.id));
  expect(unconfirmed?.status).toBe("seen");
  expect(reported).toMatchObject([{ task: "confirm", id: broken.id }]);
  await repair();
  expect(await confirm(later(1))).toBe(1);
  expect(await statusOf(bad)).toBe("paid");
});

test("an unexpected response about one transfer does not block others", async () => {
  const bad = await order(1_000n);
  const good = await order(2_000n);
  const broken = await transfer(1_000n);
  await transfer(2_000n);
  await matchTransfers(db(), ctx, "ethereum", now);
  const checker = checkerThat(({ txId }) => {
    if (txId === broken.txId) throw new TypeError("Cannot convert undefined to a BigInt");
    return { kind: "final" };
  });
  expect(await confirm(now, checker)).toBe(1);
  expect([await statusOf(bad), await statusOf(good)]).toEqual(["confirming", "paid"]);
  expect(await confirm(later(1))).toBe(1);
  expect(await statusOf(bad)).toBe("paid");
});

test("endpoints that are silent about one transfer do not block others; when all are silent, the round ends", async () => {
  const bad = await order(1_000n);
  const good = await order(2_000n);
  const broken = await transfer(1_000n);
  await transfer(2_000n);
  await matchTransfers(db(), ctx, "ethereum", now);
  const silentOnOne = checkerThat(({ txId }) => {
    if (txId === broken.txId) throw new ChainError("unavailable", "HTTP 500");
    return { kind: "final" };
  });
  expect(await confirm(now, silentOnOne)).toBe(1);
  expect([await statusOf(bad), await statusOf(good)]).toEqual(["confirming", "paid"]);
  for (let more = 0; more < 10; more++) await transfer(2_000n);
  await matchTransfers(db(), ctx, "ethereum", now);
  let asked = 0;
  const silent = checkerThat(() => {
    asked += 1;
    throw new ChainError("unavailable", "no answer");
  });
  await expect(confirm(now, silent)).rejects.toThrow("no answer");
  expect(asked).toBeLessThan(5);
  expect(await db().select().from(failingRows)).toEqual([]);
});

test("an order that cannot expire holds up none of those that expire with it, nor the setting free of amounts", async () => {
  const many = [];
  for (let units = 1_000n; units < 1_007n; units++) many.push(await order(units));
  await seedCursor(db(), "ethereum", later(31));
  const [bad] = many.slice(3);
  if (!bad) throw new Error("there are seven");
  await breakRow("orders", bad);
  expect(await expireOrders(db(), ctx, later(31))).toBe(6);
  expect((await Promise.all(many.map(statusOf))).filter((status) => status === "pending")).toHaveLength(1);
  expect(reported).toMatchObject([{ task: "expire", id: bad.id }]);
  expect(await expireOrders(db(), ctx, later(31))).toBe(0);
  expect(reported).toHaveLength(1);
  await repair();
  expect(await expireOrders(db(), ctx, later(32))).toBe(1);
  expect(await countFailingOf(db(), merchantId, later(32))).toBe(0);
});

test("a hold that cannot be released keeps none of those that end with it", async () => {
  const many = [];
  for (let units = 1_000n; units < 1_007n; units++) many.push(await order(units));
  const end = later(31 + 180 + 3);
  await seedCursor(db(), "ethereum", end);
  expect(await expireOrders(db(), ctx, end)).toBe(7);
  const bad = many[3];
  if (!bad) throw new Error("there are seven");
  await breakRow("quotes", { id: bad.quoteId });
  expect(await releaseHolds(db(), ctx, end)).toBe(6);
  const held = () => db().select({ id: quotes.id }).from(quotes).where(isNull(quotes.releasedAt));
  expect(await held()).toEqual([{ id: bad.quoteId }]);
  expect(reported).toMatchObject([{ task: "release", id: bad.quoteId, failures: 1 }]);
  expect(await countFailingOf(db(), merchantId, end)).toBe(1);
  expect(await releaseHolds(db(), ctx, end)).toBe(0);
  expect(reported).toHaveLength(1);
  await repair();
  expect(await releaseHolds(db(), ctx, new Date(end.getTime() + 60_000))).toBe(1);
  expect(await held()).toEqual([]);
  expect(await db().select().from(failingRows)).toEqual([]);
});

test("where one of many transfers cannot be matched, all others are, and a round is bounded however many fail", async () => {
  const broken = [];
  for (let units = 1_000n; units < 1_020n; units++) {
    await order(units);
    const sent = await transfer(units);
    if (units % 7n === 0n) broken.push(sent.id);
  }
  for (const id of broken) await breakRow("transfers", { id }, `broken_${id}`);
  expect(await matchTransfers(db(), ctx, "ethereum", now)).toBe(20 - broken.length);
  expect(reported.map(({ id }) => id).sort()).toEqual(broken.sort());
  for (const id of broken) await testDb.owner.db.execute(sql.raw(`drop trigger broken_${id} on transfers`));
});

test("a transfer that cannot be matched keeps only those orders open that it could pay", async () => {
  const meant = await order(1_000n);
  const other = await order(2_000n);
  const broken = await transfer(1_000n);
  await breakRow("transfers", broken);
  await matchTransfers(db(), ctx, "ethereum", now);
  await seedCursor(db(), "ethereum", later(31));
  expect(await expireOrders(db(), ctx, later(31))).toBe(1);
  expect([await statusOf(meant), await statusOf(other)]).toEqual(["pending", "expired"]);
});
