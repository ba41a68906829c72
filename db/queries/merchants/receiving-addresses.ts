import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/id-list";
import { receivingAddresses } from "@/db/schema";

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
