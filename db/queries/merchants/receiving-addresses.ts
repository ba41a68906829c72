import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "@/db/client";
import { receivingAddresses } from "@/db/schema";

/** Pauses an address, so that it gets no new quotes. Returns false if it was already paused. */
export async function pauseAddress(db: Db, id: string, now: Date): Promise<boolean> {
  const rows = await db
    .update(receivingAddresses)
    .set({ pausedAt: now })
    .where(and(eq(receivingAddresses.id, id), isNull(receivingAddresses.pausedAt)))
    .returning({ id: receivingAddresses.id });
  return rows.length === 1;
}
