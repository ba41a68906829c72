import { and, eq, gt, isNull, min, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
import { quotes, receivingAddresses } from "@/db/schema";

/** Pauses an address, so that it gets no new quotes. False when it was paused already. */
export async function pauseAddress(db: Db, id: string, now: Date): Promise<boolean> {
  const rows = await db
    .update(receivingAddresses)
    .set({ pausedAt: now })
    .where(and(eq(receivingAddresses.id, id), isNull(receivingAddresses.pausedAt)))
    .returning({ id: receivingAddresses.id });
  return rows.length === 1;
}

/** Whose these addresses are, by the ids of their rows. */
export async function listOwners(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { receivingAddressId: string; merchantId: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ receivingAddressId: receivingAddresses.id, merchantId: receivingAddresses.merchantId })
    .from(receivingAddresses)
    .where(sql`${receivingAddresses.id} = any(${idList([...new Set(ids)])})`);
  return new Map(rows.map((row) => [row.receivingAddressId, row]));
}

/**
 * Receiving addresses of a network with an id above `afterId`, paused and removed ones included, with their ids.
 * Canonical form. Ids rise with time, so a reader that remembers the last one reads only what is new.
 */
export async function listWatchedAddresses(
  db: Db,
  network: string,
  afterId: string,
): Promise<{ id: string; address: string }[]> {
  return db
    .select({ id: receivingAddresses.id, address: receivingAddresses.address })
    .from(receivingAddresses)
    .where(and(eq(receivingAddresses.network, network), gt(receivingAddresses.id, afterId)));
}

/** When the oldest live quote of a network was made; null when nobody waits for money there. */
export async function findOldestLiveQuoteTime(db: Db, network: string): Promise<Date | null> {
  const [row] = await db
    .select({ at: min(quotes.createdAt) })
    .from(quotes)
    .where(and(eq(quotes.network, network), isNull(quotes.releasedAt)));
  return row?.at ?? null;
}
