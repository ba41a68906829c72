import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Db } from "@/db/client";
import { createInstallationMetrics } from "@/lib/metrics/installation-metrics";
import { useTestDb } from "@/testing/database/clone";
import { recordStatements } from "@/testing/database/record-statements";
import { seedAddress, seedCursor, seedManyOrders, seedMerchant } from "@/testing/database/seed";

const ORDERS = 100_000;
const OPEN = 500;
/** The tables that grow with the number of orders. All others have one row for each network, endpoint and day. */
const LARGE = ["orders", "quotes", "transfers", "callbacks", "events"];
const now = new Date("2026-03-01T10:00:00Z");
const testDb = useTestDb();

/** Inserts a hundred thousand orders, each with a transfer and a callback. All but five hundred can no longer change. */
beforeAll(async () => {
  const { db } = testDb.pool;
  const { id: merchantId } = await seedMerchant(db, now);
  const address = await seedAddress(db, { merchantId }, now);
  await seedCursor(db, "ethereum", now);
  await seedManyOrders(db, { address, first: 1, count: ORDERS }, now);
  const at = sql`${now.toISOString()}::timestamptz`;
  const each = sql`from generate_series(1, ${ORDERS}::int) n`;
  const isOpen = sql`n <= ${OPEN}::int`;
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`update orders set status = 'paid', paid_at = ${at} where amount_units > ${OPEN}::int`);
    await tx.execute(
      sql`update quotes set released_at = reserved_until + interval '1 hour' where base_units > ${OPEN}::int`,
    );
    await tx.execute(sql`
      insert into transfers (id, merchant_id, network, tx_id, position, currency, token, from_address, to_address, base_units, block_height,
        block_hash, block_time, status, receiving_address_id, matched_at, seen_at, unmatched_reason)
      select 'transfer-' || n, ${merchantId}, 'ethereum', 'tx-' || n, '0', 'USDT', '0x1', '0x2', '0x3', n, n, '0x4', ${at}, 'confirmed',
        ${address.id}, ${at}, ${at}, case when ${isOpen} then 'noOrder' end ${each}`);
    await tx.execute(sql`
      insert into callbacks (id, merchant_id, order_id, type, url, origin, body, status, next_attempt_at, created_at)
      select 'callback-' || n, ${merchantId}, 'many-' || n, 'payment.confirmed', 'https://a.example/', 'https://a.example', '{}',
        case when ${isOpen} then 'pending' else 'delivered' end, case when ${isOpen} then ${at} end, ${at} ${each}`);
  });
  await db.execute(sql`vacuum analyze`);
});

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Returns every scan of a large table by `run`, from PostgreSQL's query plans. */
async function readsOf(run: (db: Db) => Promise<unknown>): Promise<(PlanNode & { looked: number })[]> {
  const { db, sent } = recordStatements(testDb.pool.sql);
  await run(db);
  expect(sent.length).toBeGreaterThanOrEqual(6);
  const reads: (PlanNode & { looked: number })[] = [];
  for (const { query, params } of sent) {
    const [row] = await testDb.pool.sql.unsafe(`explain (analyze, format json) ${query}`, params as never[]);
    for (const { Plan } of (row?.["QUERY PLAN"] ?? []) as { Plan: PlanNode }[])
      for (const node of nodesOf(Plan)) {
        const looked = (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
        const isOfLarge =
          LARGE.includes(node["Relation Name"] ?? "") ||
          /^(?:transfers|callbacks|quotes|orders)_/.test(node["Index Name"] ?? "");
        if (isOfLarge) reads.push({ ...node, looked });
      }
  }
  return reads;
}

test("the metrics of an installation with a hundred thousand orders read only open ones", async () => {
  const reads = await readsOf((db) => createInstallationMetrics(db, ["ethereum"])(now));
  expect(reads.length).toBeGreaterThanOrEqual(6);
  for (const { "Node Type": type, "Relation Name": table, looked } of reads) {
    expect(`${type} ${table}`).not.toContain("Seq Scan");
    expect(looked, `${type} ${table}`).toBeLessThanOrEqual(OPEN);
  }
  const text = await createInstallationMetrics(testDb.pool.db, ["ethereum"])(now);
  expect(text).toContain(`stablegate_reservations_held ${OPEN}`);
  expect(text).toContain(`stablegate_unmatched_transfers ${OPEN}`);
  expect(text).toContain(`stablegate_callbacks_due ${OPEN}`);
});
