import { and, eq, gt, isNull, min } from "drizzle-orm";
import type { Db } from "@/db/client";
import { quotes, receivingAddresses } from "@/db/schema";

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
