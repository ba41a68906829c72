import pino from "pino";
import { beforeEach } from "vitest";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";

interface Shop {
  merchant: Awaited<ReturnType<typeof seedMerchant>>;
  /** The merchant's shared address on Ethereum. */
  address: Awaited<ReturnType<typeof seedAddress>>;
}

/**
 * Provides a test file with a database, the context of use cases, and a fixed time. The database has one merchant with a shared address,
 * both recreated before each test, and no orders. Call it once at the top of the file; read `shop` inside tests.
 */
export function useShop() {
  const testDb = useTestDb();
  const db = () => testDb.pool.db;
  const now = new Date("2026-01-01T12:00:00Z");
  const shop = {} as Shop;

  beforeEach(async () => {
    await empty(db(), "merchants", "orders", "quotes", "audit_events", "cursors");
    shop.merchant = await seedMerchant(db(), now);
    shop.address = await seedAddress(db(), { merchantId: shop.merchant.id }, now);
  });

  return {
    testDb,
    db,
    shop,
    now,
    ctx: { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }), appSecret: TEST_APP_SECRET },
    later: (minutes: number) => new Date(now.getTime() + minutes * 60_000),
  };
}
