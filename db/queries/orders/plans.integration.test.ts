import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Db } from "@/db/client";
import { listDepositPageRows } from "@/db/queries/deposits/deposit-page";
import { countFailingOf, forgetFailures } from "@/db/queries/many-rows";
import { listAddresses } from "@/db/queries/merchants/address-settings";
import { findLiveKey } from "@/db/queries/merchants/api-keys";
import { takeTokens } from "@/db/queries/merchants/rate-limits";
import { rememberRequestId } from "@/db/queries/merchants/request-ids";
import { listCheckoutRows } from "@/db/queries/orders/checkout";
import { listEndedHolds, releaseEndedHolds } from "@/db/queries/orders/holds";
import { listNearOrders } from "@/db/queries/orders/likely-orders";
import { insertOrder } from "@/db/queries/orders/order-creation";
import {
  listExpirableOrders,
  listFunds,
  listQuotes,
  lockOrders,
  moveUnpaid,
  updateOrders,
} from "@/db/queries/orders/order-moves";
import { findOrderDetailRow } from "@/db/queries/orders/orders";
import { countIntoTotals, listFailed, listTotals } from "@/db/queries/orders/totals";
import { listClaimPageRows } from "@/db/queries/refunds/claim-page";
import { findHolders, findMeantOrders, findUnmatchedReasons, listToMatch } from "@/db/queries/transfers/matches";
import { confirmObserved } from "@/db/queries/transfers/observations";
import { listMisdirected } from "@/db/queries/transfers/transfer-list";
import { transfers } from "@/db/schema";
import { createDb } from "@/db/session";
import { newId } from "@/lib/domain/id";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedCursor, seedMerchant, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const now = new Date();

/** A connection that records its statements, and scans a table sequentially only if no index can be used. */
let watched: { sql: postgres.Sql; db: Db; asked: { text: string; params: unknown[] }[] };
let merchant: Awaited<ReturnType<typeof seedMerchant>>;
let address: Awaited<ReturnType<typeof seedAddress>>;

beforeAll(async () => {
  const asked: (typeof watched)["asked"] = [];
  const sql = postgres(testDb.url, {
    max: 1,
    connection: { enable_seqscan: "off" },
    debug: (_connection, text, params) => asked.push({ text, params }),
  });
  watched = { sql, db: createDb(sql), asked };
  // The first statement makes the driver run its own initial queries on a new connection.
  await sql`select 1`;
  merchant = await seedMerchant(testDb.pool.db, now);
  address = await seedAddress(testDb.pool.db, { merchantId: merchant.id }, now);
  await seedCursor(testDb.pool.db, "ethereum", now);
});
afterAll(() => watched.sql.end());

/** Returns the plans of every statement that `run` sends, from EXPLAIN. */
async function plansOf(run: (db: Db) => Promise<unknown>): Promise<string[]> {
  watched.asked.length = 0;
  await run(watched.db);
  const asked = watched.asked.filter(({ text }) => /^\s*(select|with|insert|update|delete)/i.test(text));
  const plans: string[] = [];
  for (const { text, params } of asked) {
    const rows = await watched.sql.unsafe(`explain ${text}`, params as string[]);
    plans.push(rows.map((row) => String(row["QUERY PLAN"])).join("\n"));
  }
  expect(plans.length).toBeGreaterThan(0);
  return plans;
}

const change = {
  status: "expired" as const,
  exception: null,
  quoteId: "q",
  paidUnits: 0n,
  settledByTransferId: null,
  paidAt: null,
};
const observed = {
  id: "a",
  blockHash: "0x1",
  blockTime: new Date(0),
  token: "0x2",
  toAddress: "0x3",
  baseUnits: 1n,
  confirmations: 1,
};
const detail = { merchantId: "m", tradeId: "t", mchOrderId: "o" };

describe("frequent statements read by an index", () => {
  test.each<[string, (db: Db) => Promise<unknown>]>([
    ["the key of a request", (db) => findLiveKey(db, { macs: ["mac"], keyHash: "hash" }, now)],
    ["an order by its id", (db) => findOrderDetailRow(db, { id: "t" })],
    ["an order by trade_id", (db) => findOrderDetailRow(db, { merchantId: "m", tradeId: "t" }, { id: "k", now })],
    [
      "an order by mch_order_id",
      (db) => findOrderDetailRow(db, { merchantId: "m", mchOrderId: "o" }, { id: "k", now }),
    ],
    ["an order by both", (db) => findOrderDetailRow(db, detail, { id: "k", now })],
    ["what payment pages show", (db) => listCheckoutRows(db, ["t", "u"])],
    ["a page of receiving addresses with their load", (db) => listAddresses(db, merchant.id, null, 50)],
    ["what was meant for an order and does not count", (db) => listMisdirected(db, merchant.id, "t")],
    ["orders that expire", (db) => listExpirableOrders(db, now, 200)],
    ["orders to move", (db) => lockOrders(db, ["a", "b"])],
    ["the quotes of orders that move", (db) => listQuotes(db, ["a", "b"])],
    ["the funds of orders that move", (db) => listFunds(db, ["a", "b"])],
    ["writing moves", (db) => updateOrders(db, [{ order: { id: "a", version: 1 }, change }], now)],
    ["moving orders for which nothing counts", (db) => moveUnpaid(db, ["a", "b"], ["expired"], now)],
    ["confirming transfers", (db) => confirmObserved(db, [observed], now)],
    ["the totals of a month", (db) => listTotals(db, merchant.id, { since: now, step: "day" })],
    ["counting what was made", (db) => countIntoTotals(db, "orders", now)],
    ["counting callbacks", (db) => countIntoTotals(db, "callbacks", now)],
    ["callbacks that were given up", (db) => listFailed(db, merchant.id, { since: now, step: "day" })],
    ["forgetting that rows failed", (db) => forgetFailures(db, "match", ["a", "b"])],
    ["how much of a merchant fails", (db) => countFailingOf(db, merchant.id, now)],
    ["transfers to match", (db) => listToMatch(db, "ethereum", now, 200)],
    ["amounts that are held no longer", (db) => listEndedHolds(db, now, 10)],
    ["giving them up", (db) => releaseEndedHolds(db, [{ id: "a", orderId: "b", merchantId: "c" }], now)],
    [
      "the id of a signed request",
      (db) => rememberRequestId(db, { apiKeyId: merchant.keyId, requestId: newId(now) }, now, now),
    ],
  ])("%s", async (_what, run) => {
    for (const plan of await plansOf(run)) {
      // These tables have one row for each network.
      expect(plan.replaceAll(/Seq Scan on (cursors|total_cursors)/g, "")).not.toContain("Seq Scan");
      expect(plan).toMatch(/Index|Insert|pg_stat_get_activity/);
    }
  });

  test("the quote that a transfer pays, why none does, and the orders it may be meant for", async () => {
    const { id } = await seedTransfer(testDb.pool.db, { address, baseUnits: 5n }, now);
    const [transfer] = (await testDb.pool.db.select().from(transfers)).filter((row) => row.id === id);
    if (!transfer) throw new Error("the transfer was not stored");
    const other = { network: "bsc", token: transfer.token, baseUnits: 5n };
    const looks = [
      (db: Db) => findHolders(db, [id]),
      (db: Db) => findUnmatchedReasons(db, [{ id, elsewhere: [other] }]),
      (db: Db) => findMeantOrders(db, [{ id, elsewhere: [other] }]),
      (db: Db) => listNearOrders(db, merchant.id, [transfer]),
    ];
    for (const look of looks)
      for (const plan of await plansOf(look)) expect(plan).not.toMatch(/Seq Scan on (?!other|token)/);
  });
});

describe("functions of the database read by an index", () => {
  /** Returns the tables that were scanned sequentially in a transaction. */
  async function scanned(run: (db: Db) => Promise<unknown>): Promise<string[]> {
    // Flushes the counts of earlier reads of this connection.
    await watched.db.execute("select pg_stat_force_next_flush()");
    return watched.db.transaction(async (tx) => {
      await run(tx);
      const rows = await tx.execute<{ name: string }>(
        "select relname as name from pg_stat_xact_user_tables where seq_scan > 0",
      );
      return rows.map(({ name }) => name);
    });
  }

  const newOrder = (mchOrderId: string) => ({
    id: newId(now),
    quoteId: newId(now),
    apiKeyId: merchant.keyId,
    merchantId: merchant.id,
    mchOrderId,
    network: "ethereum",
    currency: "USDT" as const,
    token: "0xdac17f958d2ee523a2206206994597c13d831ec7",
    amountUnits: 7_000_000n,
    unitsPerStep: 1n,
    expiresInSeconds: null,
    notifyUrl: null,
    redirectUrl: null,
    locale: null,
  });

  test("making an order, at a free price and at a crowded one", async () => {
    for (let index = 0; index < 10; index++) {
      const tables = await scanned((db) => insertOrder(db, newOrder(`plan-${index}`), now));
      expect(tables).toEqual([]);
    }
  });

  test("taking tokens", async () => {
    expect(await scanned((db) => takeTokens(db, { key: "k", burst: 10, intervalMs: 100 }, 1, now))).toEqual([]);
  });
});

test.each<[string, (db: Db, ids: readonly string[]) => Promise<unknown>]>([
  ["payment pages", listCheckoutRows],
  ["deposit pages", listDepositPageRows],
  ["claim pages", listClaimPageRows],
])("the statement of %s is planned once, for any number of ids", async (_what, list) => {
  watched.asked.length = 0;
  for (let count = 1; count <= 12; count++)
    await list(
      watched.db,
      Array.from({ length: count }, (_, index) => `id-${index}`),
    );
  const text = watched.asked.at(-1)?.text ?? "";
  const [plans] = await watched.sql`
    select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements where statement = ${text}`;
  // PostgreSQL plans the first five calls with their values.
  expect(plans?.["custom"]).toBe(5);
  expect(plans?.["generic"]).toBeGreaterThan(5);
});
