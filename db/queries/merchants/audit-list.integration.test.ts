import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { listAuditEvents, readAllAuditEvents } from "@/db/queries/merchants/audit-list";
import { auditEvents } from "@/db/schema";
import { type AuditAction, type AuditFilter, actionsOf, SERVICE } from "@/lib/domain/audit/audit";
import { newId } from "@/lib/domain/id";
import type { ListCursor } from "@/lib/domain/list-cursor";
import { createdSpan } from "@/lib/domain/list-filter";
import { useTestDb } from "@/testing/database/clone";
import { explain } from "@/testing/database/explain";
import { seedMerchant } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const COUNT = 4_000;
const start = new Date("2026-03-01T00:00:00Z");
const moment = (index: number) => new Date(start.getTime() + index * 600_000);

let merchantId: string;
let rows: ReturnType<typeof rowOf>[];

/** Returns a test row. Most rows are about orders; actions of users are rare. */
function rowOf(index: number) {
  const manual = index % 80 === 7;
  const action: AuditAction = manual ? (index % 160 === 7 ? "address.paused" : "api_key.renamed") : "order.paid";
  return {
    id: newId(moment(index)),
    merchantId,
    action,
    at: moment(index),
    userId: manual ? (index % 240 === 7 ? "ann" : "ben") : null,
    orderId: manual ? null : `order${index}`,
    detail: manual ? { addressId: `address${index}` } : { from: "confirming" },
  };
}

beforeAll(async () => {
  merchantId = (await seedMerchant(db(), start)).id;
  const other = (await seedMerchant(db(), start)).id;
  rows = Array.from({ length: COUNT }, (_, index) => rowOf(index));
  for (let at = 0; at < COUNT; at += 1_000)
    await db()
      .insert(auditEvents)
      .values(rows.slice(at, at + 1_000));
  // Inserts rows of a different shop that is many times larger.
  await db().execute(sql`
    insert into audit_events (id, merchant_id, user_id, order_id, action, detail, at)
    select left(id, 26) || lpad(n::text, 2, '0'), ${other}, user_id, order_id, action, detail, at
    from audit_events, generate_series(1, 12) n`);
  await db().execute("analyze audit_events");
});

function fits(row: (typeof rows)[number], filter: AuditFilter): boolean {
  const { since, before } = createdSpan(filter);
  return (
    (filter.who === undefined || (row.userId ?? SERVICE) === filter.who) &&
    (actionsOf(filter)?.includes(row.action) ?? true) &&
    (filter.text === undefined || row.orderId === filter.text || row.detail.addressId === filter.text) &&
    (since === null || row.at >= since) &&
    (before === null || row.at < before)
  );
}

const DAY = fc.nat(28).map((days) =>
  moment(days * 144)
    .toISOString()
    .slice(0, 10),
);
const FILTER: fc.Arbitrary<AuditFilter> = fc.record(
  {
    who: fc.constantFrom("ann", "ben", SERVICE, "unknown"),
    group: fc.constantFrom("orders", "keys", "addresses", "files"),
    text: fc.constantFrom("address7", "order3", "nothing"),
    from: DAY,
    to: DAY,
  },
  { requiredKeys: [] },
);

async function turnPages(filter: AuditFilter): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: ListCursor = null; ; ) {
    const page: Awaited<ReturnType<typeof listAuditEvents>> = await listAuditEvents(
      db(),
      merchantId,
      filter,
      cursor,
      900,
    );
    ids.push(...page.rows.map(({ id }) => id));
    if (!page.older) return ids;
    cursor = page.older;
  }
}

test("pages and files contain exactly the filtered entries of this shop, in order", async () => {
  await fc.assert(
    fc.asyncProperty(FILTER, async (filter) => {
      const expected = rows
        .filter((row) => fits(row, filter))
        .map(({ id }) => id)
        .toReversed();
      expect(await turnPages(filter)).toEqual(expected);
      const file: string[] = [];
      for await (const some of readAllAuditEvents(db(), merchantId, filter)) file.push(...some.map(({ id }) => id));
      expect(file).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});

test.each<[AuditFilter, RegExp]>([
  [{}, /merchant_id/],
  [{ who: "ann" }, /user_id/],
  [{ group: "keys" }, /merchant_id/],
  [{ text: "nothing" }, /merchant_id/],
  [{ from: "2026-03-05", to: "2026-03-06" }, /merchant_id/],
])("the list of %o walks along an index", async (filter, index) => {
  const facts = await explain(testDb.pool.sql, (one) => listAuditEvents(one, merchantId, filter, null, 50));
  expect(facts.scanned).toEqual([]);
  expect(facts.indexes.join(" ")).toMatch(index);
});
