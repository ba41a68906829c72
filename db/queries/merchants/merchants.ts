import { and, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isLiveAt } from "@/db/queries/merchants/api-keys";
import { apiKeys, merchants } from "@/db/schema";
import type { OrderRules, OrderTerms } from "@/lib/domain/orders/terms";

/** Adds a merchant with the default settings. */
export async function insertMerchant(db: Db, merchant: { id: string; name: string }, now: Date): Promise<void> {
  await db.insert(merchants).values({ ...merchant, createdAt: now });
}

/** Returns the merchant that a key belongs to; null if the key is not live. */
export async function findMerchantByKey(
  db: Db,
  apiKeyId: string,
  now: Date,
): Promise<{ id: string; name: string } | null> {
  const [row] = await db
    .select({ id: merchants.id, name: merchants.name })
    .from(apiKeys)
    .innerJoin(merchants, eq(merchants.id, apiKeys.merchantId))
    .where(and(eq(apiKeys.id, apiKeyId), isLiveAt(now)));
  return row ?? null;
}

const terms = {
  expiresInSeconds: merchants.expiresInSeconds,
  lateWindowSeconds: merchants.lateWindowSeconds,
  settledHoldSeconds: merchants.settledHoldSeconds,
  minMicro: merchants.minMicro,
  maxMicro: merchants.maxMicro,
  offMethods: merchants.offMethods,
  toleranceBasisPoints: merchants.toleranceBasisPoints,
  toleranceMicro: merchants.toleranceMicro,
  unpaidDays: merchants.unpaidDays,
  linksShortPayments: merchants.linksShortPayments,
};

/** Returns a merchant's default terms and rules for orders. */
export async function findOrderTerms(db: Db, merchantId: string): Promise<(OrderTerms & OrderRules) | null> {
  const [row] = await db.select(terms).from(merchants).where(eq(merchants.id, merchantId));
  return row ?? null;
}

/**
 * Returns a merchant's default terms and rules for orders, locked against changes until this transaction ends. Orders can still be
 * created.
 */
export async function lockOrderTerms(tx: Db, merchantId: string): Promise<(OrderTerms & OrderRules) | null> {
  const [row] = await tx.select(terms).from(merchants).where(eq(merchants.id, merchantId)).for("no key update");
  return row ?? null;
}

/** Returns the name of a merchant; null if there is no such merchant. */
export async function findMerchantName(db: Db, merchantId: string): Promise<string | null> {
  const [row] = await db.select({ name: merchants.name }).from(merchants).where(eq(merchants.id, merchantId));
  return row?.name ?? null;
}

/** Sets the terms and rules of a merchant's future orders. */
export async function updateOrderTerms(db: Db, merchantId: string, to: OrderTerms & OrderRules): Promise<void> {
  await db
    .update(merchants)
    .set({ ...to, offMethods: [...to.offMethods] })
    .where(eq(merchants.id, merchantId));
}
