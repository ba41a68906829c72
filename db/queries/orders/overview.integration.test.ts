import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { findFirstSteps } from "@/db/queries/orders/overview";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedManyOrders, seedMerchant } from "@/testing/database/seed";

const now = new Date("2026-03-01T10:00:00Z");
const COUNT = 5_000;
const database = useTestDb();

test("the first steps of a merchant need no more reads when other merchants have many orders", async () => {
  const { db } = database.pool;
  const merchantIds: string[] = [];
  for (const first of [1, COUNT + 1]) {
    const merchantId = (await seedMerchant(db, now)).id;
    const address = await seedAddress(db, { merchantId }, now);
    await seedManyOrders(db, { address, first, count: COUNT }, now);
    await db.execute(sql`
      insert into hourly_totals (merchant_id, hour, network, currency, paid)
      select ${merchantId}, ${now.toISOString()}::timestamptz - n * interval '1 hour', 'ethereum', 'USDT', 1
      from generate_series(1, ${COUNT}::integer) n`);
    merchantIds.push(merchantId);
  }
  await db.execute(sql`analyze`);
  for (const merchantId of merchantIds)
    await db.transaction(async (tx) => {
      expect(await findFirstSteps(tx, merchantId, now)).toMatchObject({ hasOrder: true, hasPaidOrder: true });
      const [row] = await tx.execute<{ count: number }>(sql`
        select sum(seq_tup_read + idx_tup_fetch)::integer as count from pg_stat_xact_user_tables
        where relid in ('orders'::regclass, 'hourly_totals'::regclass)`);
      expect(row?.count).toBeLessThan(100);
    });
});
