import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { raiseVersions } from "@/db/queries/orders/order-moves";
import { orders } from "@/db/schema";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";

const testDb = useTestDb();
const now = new Date("2026-11-20T10:00:00Z");

test("moves of an order that is no longer pending touch no index", async () => {
  const { db } = testDb.pool;
  const merchant = await seedMerchant(db, now);
  const address = await seedAddress(db, { merchantId: merchant.id }, now);
  const { id } = await seedOrder(db, { address, baseUnits: 5n }, now);
  const counts = await db.transaction(async (tx) => {
    const count = async () => {
      const [row] = await tx.execute<{ all: number; hot: number }>(sql`
        select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_xact_user_tables where relname = 'orders'`);
      return row;
    };
    await tx.update(orders).set({ status: "confirming" }).where(eq(orders.id, id));
    const before = await count();
    await tx.update(orders).set({ status: "paid", paidAt: now, paidUnits: 5n }).where(eq(orders.id, id));
    await raiseVersions(tx, [id], now);
    return { before, after: await count() };
  });
  expect((counts.after?.all ?? 0) - (counts.before?.all ?? 0)).toBe(2);
  expect((counts.after?.hot ?? 0) - (counts.before?.hot ?? 0)).toBe(2);
});
