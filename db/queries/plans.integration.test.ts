import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Db } from "@/db/client";
import { listExpirableOrders } from "@/db/queries/expirable-orders";
import { listFunds, listQuotes, lockOrder } from "@/db/queries/order-moves";
import { releaseQuotes } from "@/db/queries/quotes";
import { confirmTransfer, listFinalizable } from "@/db/queries/transfer-confirmations";
import { findLiveQuote, findUnmatchedReason, listUnjudged, type StoredTransfer } from "@/db/queries/transfer-matches";
import { transfers } from "@/db/schema";
import { useTestDb } from "@/db/testing";
import { explain } from "@/db/testing-explain";
import { seedAddress, seedCursor, seedMerchant, seedOrder, seedTransfer } from "@/db/testing-seed";

const testDb = useTestDb();
const now = new Date("2026-01-01T12:00:00Z");
let transfer: StoredTransfer;
let orderId: string;

beforeAll(async () => {
  const { db, sql } = testDb.pool;
  const merchant = await seedMerchant(db, now);
  const address = await seedAddress(db, { merchantId: merchant.id }, now);
  await seedCursor(db, "ethereum", now);
  const model = await seedOrder(db, { address, baseUnits: 1n }, now);
  await seedTransfer(db, { address, baseUnits: 1n }, now);
  await sql`insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', 'o' || n, 'mch_order_id', 'o' || n,
      'expires_at', o.expires_at + n * interval '1 minute', 'quote_id', o.quote_id))).*
    from orders o, generate_series(2, 5000) n where o.id = ${model.id}`;
  await sql`insert into quotes select (jsonb_populate_record(q, jsonb_build_object('id', 'q' || n, 'order_id', 'o' || n,
      'base_units', 1000 + n, 'reserved_until', q.reserved_until + n * interval '1 minute'))).*
    from quotes q, generate_series(2, 5000) n where q.order_id = ${model.id}`;
  await sql`insert into transfers select (jsonb_populate_record(t, jsonb_build_object('id', 't' || n, 'tx_id', 't' || n,
      'order_id', 'o' || n, 'judged_at', now(), 'status', case when n % 50 = 0 then 'seen' else 'confirmed' end,
      'block_height', n))).*
    from transfers t, generate_series(2, 5000) n`;
  orderId = (await seedOrder(db, { address, baseUnits: 51n }, now)).id;
  const { id } = await seedTransfer(db, { address, baseUnits: 51n }, now);
  transfer = (await db.select().from(transfers).where(eq(transfers.id, id)))[0] as StoredTransfer;
  await sql`analyze`;
});

const elsewhere = [{ network: "bsc", token: "0x0", baseUnits: 51n }];
const cases: [string, (db: Db) => Promise<unknown>, string[]][] = [
  ["transfers to judge", (db) => listUnjudged(db, "ethereum", 10), ["transfers_unjudged_idx"]],
  [
    "the quote a transfer pays",
    (db) => findLiveQuote(db, transfer),
    ["quotes_live_amount_key", "quotes_live_dedicated_key"],
  ],
  [
    "why a transfer pays nothing",
    (db) => findUnmatchedReason(db, transfer, elsewhere),
    ["quotes_address_idx", "quotes_live_amount_key"],
  ],
  ["transfers that became final", (db) => listFinalizable(db, "ethereum", 100, 10), ["transfers_open_idx"]],
  ["confirming a transfer", (db) => confirmTransfer(db, { id: "none", blockHash: "0x0" }, 1, now), []],
  [
    "orders to expire",
    (db) => listExpirableOrders(db, new Date(now.getTime() + 3_600_000), 10),
    ["orders_expiring_idx", "quotes_order_id_idx"],
  ],
  ["an order to move", (db) => lockOrder(db, orderId), ["orders_pkey"]],
  ["the quotes of an order", (db) => listQuotes(db, orderId), ["quotes_order_id_idx"]],
  ["the transfers of an order", (db) => listFunds(db, orderId), ["transfers_order_id_idx"]],
  ["quotes whose time is over", (db) => releaseQuotes(db, { dueBefore: now }, now), ["quotes_reserved_until_idx"]],
  ["quotes of a settled order", (db) => releaseQuotes(db, { orderId }, now), ["quotes_order_id_idx"]],
];

test.each(cases)("an index serves: %s", async (_name, run, indexes) => {
  const facts = await explain(testDb.pool.sql, run);
  expect(facts.scanned.filter((table) => table !== "cursors" && table !== "amount_windows")).toEqual([]);
  expect(facts.indexes).toEqual(expect.arrayContaining(indexes));
});

test("a statement that no index serves is caught", async () => {
  const facts = await explain(testDb.pool.sql, (db) => db.execute("select * from transfers where from_address = 'x'"));
  expect(facts.scanned).toEqual(["transfers"]);
});
