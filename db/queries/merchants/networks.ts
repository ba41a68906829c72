import { and, eq, isNull, notExists, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { cursors, merchantNetworks, merchants, receivingAddresses } from "@/db/schema";
import type { MerchantWait } from "@/lib/domain/networks/finality";

type MerchantNetwork = typeof merchantNetworks.$inferSelect;
type Key = Pick<MerchantNetwork, "merchantId" | "network">;

const isOf = ({ merchantId, network }: Key) =>
  and(eq(merchantNetworks.merchantId, merchantId), eq(merchantNetworks.network, network));

/** Returns the merchant's settings that override the networks' own settings. */
export async function listMerchantNetworks(db: Db, merchantId: string): Promise<MerchantNetwork[]> {
  return db.select().from(merchantNetworks).where(eq(merchantNetworks.merchantId, merchantId));
}

/** Returns the merchant's confirmation requirement on a network, locked until the transaction ends. */
export async function lockMerchantWait(db: Db, key: Key): Promise<MerchantWait> {
  await db.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, key.merchantId)).for("no key update");
  const [row] = await db.select().from(merchantNetworks).where(isOf(key));
  return { minConfirmations: row?.minConfirmations ?? null, minSeconds: row?.minSeconds ?? null };
}

/**
 * Stores the minimum confirmations or time that the merchant requires on a network. If both are null, only the network's own requirement
 * applies.
 */
export async function writeMerchantWait(
  db: Db,
  { minConfirmations, minSeconds, ...key }: Key & MerchantWait,
  now: Date,
): Promise<void> {
  if (minConfirmations === null && minSeconds === null) {
    await db.delete(merchantNetworks).where(isOf(key));
    return;
  }
  const change = { minConfirmations, minSeconds, updatedAt: now };
  await db
    .insert(merchantNetworks)
    .values({ ...key, ...change })
    .onConflictDoUpdate({ target: [merchantNetworks.merchantId, merchantNetworks.network], set: change });
}

/** A network where a merchant has an address that is not paused. */
export interface AddressedNetwork {
  network: string;
  /** True if the network accepts new orders: it is read without a problem, and no operator has closed it. */
  isOpen: boolean;
  /** The methods that the merchant does not offer, on all networks, by `methodName`. */
  offMethods: readonly string[];
}

/** Returns the networks on which a merchant can be paid. */
export async function listAddressedNetworks(db: Db, merchantId: string, now: Date): Promise<AddressedNetwork[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const isClosed = sql`network_refusal_code(${cursors.closedAt}, ${cursors.problem}, ${cursors.respondedAt}, ${at}) is not null`;
  const closed = db.select({ one: sql`1` }).from(cursors);
  const isOpen = notExists(closed.where(and(eq(cursors.network, receivingAddresses.network), isClosed)));
  return db
    .selectDistinct({
      network: receivingAddresses.network,
      isOpen: sql<boolean>`${isOpen}`,
      offMethods: merchants.offMethods,
    })
    .from(receivingAddresses)
    .innerJoin(merchants, eq(merchants.id, receivingAddresses.merchantId))
    .where(
      and(
        eq(receivingAddresses.merchantId, merchantId),
        isNull(receivingAddresses.pausedAt),
        isNull(receivingAddresses.removedAt),
      ),
    );
}
