import { beforeAll, expect, test } from "vitest";
import { listTransfers } from "@/db/queries/transfers/transfer-list";
import { transfers } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import type { ListCursor } from "@/lib/domain/list-cursor";
import type { TransferFilter } from "@/lib/domain/transfers/filter";
import { useTestDb } from "@/testing/database/clone";
import { explain } from "@/testing/database/explain";
import { seedAddress, seedMerchant, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const COUNT = 4_500;
const start = new Date("2026-03-01T00:00:00Z");
const minute = (number: number) => new Date(start.getTime() + number * 60_000);
const hex = (number: number, length: number) => `0x${number.toString(16).padStart(length, "0")}`;
/** A sender with more transfers than are read one by one. */
const BUSY = hex(0xb, 40);
let merchantId: string;
let wallet: string;

/** The oldest transfer is in USDC, one transfer in a thousand is unmatched, and half of all transfers come from one sender. */
beforeAll(async () => {
  const { db } = testDb.pool;
  merchantId = (await seedMerchant(db, start)).id;
  const address = await seedAddress(db, { merchantId }, start);
  wallet = address.address;
  const first = await seedTransfer(db, { address, baseUnits: 7n, currency: "USDC" }, start);
  const rows = Array.from({ length: COUNT }, (_, at) => ({
    ...first,
    id: newId(minute(at + 1)),
    seenAt: minute(at + 1),
    matchedAt: minute(at + 1),
    txId: hex(at + 1, 64),
    fromAddress: at % 2 ? hex(at + 0xf000, 40) : BUSY,
    currency: "USDT" as const,
    unmatchedReason: at % 1_000 === 999 ? ("no_such_amount" as const) : null,
  }));
  for (let from = 0; from < COUNT; from += 1_500) await db.insert(transfers).values(rows.slice(from, from + 1_500));
  await testDb.pool.sql`analyze transfers`;
});

async function turnPages(filter: TransferFilter, limit = 500) {
  const pages = [];
  for (let cursor: ListCursor = null; ; ) {
    const page = await listTransfers(testDb.pool.db, merchantId, filter, cursor, limit);
    pages.push(page);
    if (!page.older) return pages;
    cursor = page.older;
  }
}

test("a selective filter searches back to a limit, reports it, and continues from there", async () => {
  const pages = await turnPages({ currency: "USDC" });
  expect(pages.map(({ rows, lookedUntil }) => [rows.length, lookedUntil])).toEqual([
    [0, minute(COUNT - 2_000)],
    [0, minute(COUNT - 4_001)],
    [1, null],
  ]);
});

test.each<[string, () => TransferFilter, number]>([
  ["everything", () => ({}), COUNT + 1],
  ["those that wait for a person", () => ({ show: "unmatched" }), 4],
  ["a reason", () => ({ reason: "no_such_amount" }), 4],
  ["another reason", () => ({ reason: "late" }), 0],
  ["a network", () => ({ network: "ethereum" }), COUNT + 1],
  ["a transaction", () => ({ text: hex(77, 64) }), 1],
  ["a sender", () => ({ text: hex(0xf001, 40) }), 1],
  ["a busy sender", () => ({ text: BUSY }), COUNT / 2],
  ["the own address", () => ({ text: wallet }), COUNT + 1],
])("%s is found whole over all pages, and read by indexes", async (_name, filterOf, count) => {
  const filter = filterOf();
  const ids = (await turnPages(filter)).flatMap(({ rows }) => rows.map(({ id }) => id));
  expect(ids).toHaveLength(count);
  expect(ids).toEqual([...new Set(ids)].toSorted().reverse());
  const facts = await explain(testDb.pool.sql, (db) => listTransfers(db, merchantId, filter, null, 50));
  expect(facts.scanned).toEqual([]);
});
