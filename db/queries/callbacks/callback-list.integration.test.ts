import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import {
  countFailedCallbacks,
  findCallback,
  listCallbacks,
  listPausedOrigins,
} from "@/db/queries/callbacks/callback-list";
import { callbackAttempts, callbackOrigins, callbacks } from "@/db/schema";
import { type CallbackFilter, originsOf } from "@/lib/domain/callbacks/filter";
import { newId } from "@/lib/domain/id";
import type { ListCursor } from "@/lib/domain/list-cursor";
import { createdSpan } from "@/lib/domain/list-filter";
import { useTestDb } from "@/testing/database/clone";
import { explain } from "@/testing/database/explain";
import { seedMerchant } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const COUNT = 5_000;
const PAGE = 50;
const start = new Date("2026-03-01T00:00:00Z");
const moment = (index: number) => new Date(start.getTime() + index * 600_000);

let merchantId: string;
let rows: ReturnType<typeof rowOf>[];

/** Returns a test row. Failed callbacks are rare; other hosts and types are rarer. */
function rowOf(index: number) {
  const status =
    index % 50 === 7 ? ("failed" as const) : index % 500 === 3 ? ("pending" as const) : ("delivered" as const);
  const origin = index % 400 === 7 ? "https://rare.example.com:8443" : "https://shop.example.com";
  return {
    id: `evt_${newId(moment(index))}`,
    merchantId,
    orderId: `order${index}`,
    createdAt: moment(index),
    status,
    origin,
    type: index % 300 === 7 ? ("order.expired" as const) : ("payment.confirmed" as const),
    url: `${origin}/paid`,
    body: "{}",
    attempts: 1,
    seriesAttempts: 1,
    nextAttemptAt: status === "pending" ? moment(COUNT) : null,
  };
}

beforeAll(async () => {
  merchantId = (await seedMerchant(db(), start)).id;
  const other = (await seedMerchant(db(), start)).id;
  rows = Array.from({ length: COUNT }, (_, index) => rowOf(index));
  await db().transaction(async (tx) => {
    await tx.execute("set local session_replication_role = replica");
    for (let at = 0; at < COUNT; at += 1_000) await tx.insert(callbacks).values(rows.slice(at, at + 1_000));
    const theirs = rows.slice(0, 50).map((row) => ({ ...row, id: `evt_${newId(row.createdAt)}`, merchantId: other }));
    await tx.insert(callbacks).values(theirs);
    const number = { merchantId, number: 1, httpStatus: 500 };
    const newest = rows.slice(-60);
    await tx.insert(callbackAttempts).values(
      newest.map(({ id, createdAt }, index) => ({
        ...number,
        callbackId: id,
        startedAt: createdAt,
        durationMs: index,
      })),
    );
  });
  await db().execute("analyze callbacks");
});

function fits(row: (typeof rows)[number], filter: CallbackFilter): boolean {
  const { since, before } = createdSpan(filter);
  return (
    (filter.status === undefined || row.status === filter.status) &&
    (filter.type === undefined || row.type === filter.type) &&
    (filter.host === undefined || originsOf(filter.host).includes(row.origin)) &&
    (since === null || row.createdAt >= since) &&
    (before === null || row.createdAt < before)
  );
}

const DAY = fc.nat(36).map((days) =>
  moment(days * 144)
    .toISOString()
    .slice(0, 10),
);
const FILTER: fc.Arbitrary<CallbackFilter> = fc.record(
  {
    status: fc.constantFrom("pending", "delivered", "failed"),
    type: fc.constantFrom("payment.confirmed", "order.expired", "order.cancelled"),
    host: fc.constantFrom("shop.example.com", "rare.example.com:8443", "nowhere.example.com"),
    from: DAY,
    to: DAY,
  },
  { requiredKeys: [] },
);

async function turnPages(filter: CallbackFilter): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: ListCursor = null; ; ) {
    const page: Awaited<ReturnType<typeof listCallbacks>> = await listCallbacks(db(), merchantId, filter, cursor, 900);
    ids.push(...page.rows.map(({ id }) => id));
    if (!page.older) return ids;
    cursor = page.older;
  }
}

test("pages contain exactly the filtered rows, in order, with the count of failed ones", async () => {
  await fc.assert(
    fc.asyncProperty(FILTER, async (filter) => {
      const expected = rows.filter((row) => fits(row, filter)).map(({ id }) => id);
      expect(await turnPages(filter)).toEqual(expected.toReversed());
      const failed = rows.filter((row) => fits(row, { ...filter, status: "failed" })).length;
      expect(await countFailedCallbacks(db(), merchantId, filter)).toBe(failed);
    }),
    { numRuns: 20 },
  );
});

test.each<CallbackFilter>([{}, { status: "failed" }])(
  "the way back from the second page of %o is the first",
  async (filter) => {
    const first = await listCallbacks(db(), merchantId, filter, null, PAGE);
    const second = await listCallbacks(db(), merchantId, filter, first.older, PAGE);
    const back = await listCallbacks(db(), merchantId, filter, second.newer, PAGE);
    expect(back.rows.map(({ id }) => id).toSorted()).toEqual(first.rows.map(({ id }) => id).toSorted());
    expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(2 * PAGE);
  },
);

test("a page that reached its read limit reports until when it searched", async () => {
  const page = await listCallbacks(db(), merchantId, { status: "pending" }, null, PAGE);
  expect(page.rows.length).toBe(4);
  expect(page.lookedUntil).toEqual(rows[COUNT - 2_001]?.createdAt);
});

test("a row has the result of its last attempt, and no callback of another shop", async () => {
  const { rows: shown } = await listCallbacks(db(), merchantId, {}, null, 1);
  expect(shown).toMatchObject([{ durationMs: 59, origin: "https://shop.example.com" }]);
  const id = shown[0]?.id ?? "";
  expect(await findCallback(db(), merchantId, id)).toMatchObject({ id, tries: [{ httpStatus: 500 }] });
  expect(await findCallback(db(), "another", id)).toBeNull();
});

test("an origin that fails and fails is named, with how many wait for it", async () => {
  expect(await listPausedOrigins(db(), merchantId)).toEqual([]);
  const until = moment(COUNT);
  await db()
    .insert(callbackOrigins)
    .values([
      { origin: "https://shop.example.com", failures: 3, pausedUntil: until },
      { origin: "https://rare.example.com:8443", failures: 2, pausedUntil: until },
      { origin: "https://another.example.com", failures: 9, pausedUntil: until },
    ]);
  expect(await listPausedOrigins(db(), merchantId)).toEqual([
    { origin: "https://shop.example.com", failures: 3, pausedUntil: until, waiting: 10 },
  ]);
});

test.each<[string, CallbackFilter]>([
  ["nothing", {}],
  ["failed ones", { status: "failed" }],
  ["failed ones of days", { status: "failed", from: "2026-03-02", to: "2026-03-03", host: "rare.example.com:8443" }],
  ["a status, a type and a host", { status: "pending", type: "order.expired", host: "shop.example.com" }],
  ["days", { from: "2026-03-02", to: "2026-03-03" }],
])("%s: read by indexes with any table size, on the first page and the next", async (_name, filter) => {
  const { older } = await listCallbacks(db(), merchantId, {}, null, PAGE);
  const facts = await explain(testDb.pool.sql, async (watched) => {
    await listCallbacks(watched, merchantId, filter, null, PAGE);
    await listCallbacks(watched, merchantId, filter, older, PAGE);
    await countFailedCallbacks(watched, merchantId, filter);
    await listPausedOrigins(watched, merchantId);
  });
  expect(facts.scanned).toEqual([]);
  expect(facts.indexes).toEqual(
    expect.arrayContaining([filter.status === "failed" ? "callbacks_failed_idx" : "callbacks_merchant_id_idx"]),
  );
});
