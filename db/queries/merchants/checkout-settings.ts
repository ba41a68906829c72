import { eq, sql } from "drizzle-orm";
import { type Db, runPrepared } from "@/db/client";
import { merchantCheckouts, merchants } from "@/db/schema";

export type CheckoutSettings = typeof merchantCheckouts.$inferSelect;

/** Returns the brand of a merchant's payment pages, or null if it was never set. */
export async function findCheckoutSettings(db: Db, merchantId: string): Promise<CheckoutSettings | null> {
  const [row] = await db.select().from(merchantCheckouts).where(eq(merchantCheckouts.merchantId, merchantId));
  return row ?? null;
}

/** Returns the brand of a merchant's payment pages, locked against changes until this transaction ends; null if it was never set. */
export async function lockCheckoutSettings(db: Db, merchantId: string): Promise<CheckoutSettings | null> {
  await db.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, merchantId)).for("no key update");
  return findCheckoutSettings(db, merchantId);
}

/** Stores the branding of a merchant's payment pages as the next version. */
export async function writeCheckoutSettings(
  db: Db,
  { merchantId, ...settings }: Omit<CheckoutSettings, "version" | "updatedAt">,
  now: Date,
): Promise<void> {
  const change = { ...settings, updatedAt: now };
  await db
    .insert(merchantCheckouts)
    .values({ merchantId, version: 1, ...change })
    .onConflictDoUpdate({
      target: merchantCheckouts.merchantId,
      set: { ...change, version: sql`${merchantCheckouts.version} + 1` },
    });
}

const FIND_LOGO = `
  select b.logo from orders o join merchant_checkouts b on b.merchant_id = o.merchant_id where o.id = $1`;

/** Returns the logo of an order's merchant, a WebP in base64, or null. */
export async function findOrderLogo(db: Db, orderId: string): Promise<string | null> {
  const [row] = await runPrepared<{ logo: string | null }>(db, FIND_LOGO, [orderId]);
  return row?.logo ?? null;
}
