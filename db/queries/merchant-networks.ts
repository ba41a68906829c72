import { and, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { merchantNetworks, merchants } from "@/db/schema";

type MerchantNetwork = typeof merchantNetworks.$inferSelect;
type Key = Pick<MerchantNetwork, "merchantId" | "network">;

const isOf = ({ merchantId, network }: Key) =>
  and(eq(merchantNetworks.merchantId, merchantId), eq(merchantNetworks.network, network));

/** What a merchant wants otherwise than the networks have it. */
export async function listMerchantNetworks(db: Db, merchantId: string): Promise<MerchantNetwork[]> {
  return db.select().from(merchantNetworks).where(eq(merchantNetworks.merchantId, merchantId));
}

/** The confirmations that a merchant asks for on a network; no other change of them is made until the transaction ends. */
export async function lockMinConfirmations(db: Db, key: Key): Promise<number | null> {
  await db.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, key.merchantId)).for("no key update");
  const [row] = await db.select().from(merchantNetworks).where(isOf(key));
  return row?.minConfirmations ?? null;
}

/** Asks for at least so many confirmations on a network; null: for no more than the network does. */
export async function writeMinConfirmations(
  db: Db,
  { minConfirmations, ...key }: Key & { minConfirmations: number | null },
  now: Date,
): Promise<void> {
  if (minConfirmations === null) {
    await db.delete(merchantNetworks).where(isOf(key));
    return;
  }
  const change = { minConfirmations, updatedAt: now };
  await db
    .insert(merchantNetworks)
    .values({ ...key, ...change })
    .onConflictDoUpdate({ target: [merchantNetworks.merchantId, merchantNetworks.network], set: change });
}
