import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { callbacks } from "@/db/schema";
import type { CallbackType } from "@/lib/domain/callback";

/** A callback when it is written: due at once. */
export interface NewCallback {
  id: string;
  merchantId: string;
  orderId: string;
  type: CallbackType;
  url: string;
  origin: string;
  body: string;
}

/** Writes a callback that is due now and wakes the senders at commit. One per order and type: a repeat changes nothing. */
export async function insertCallback(db: Db, callback: NewCallback, now: Date): Promise<void> {
  await db
    .insert(callbacks)
    .values({ ...callback, status: "pending", nextAttemptAt: now, createdAt: now })
    .onConflictDoNothing({ target: [callbacks.orderId, callbacks.type] });
  await announceCallbacks(db);
}

/** Wakes the senders when the transaction commits. */
export async function announceCallbacks(db: Db): Promise<void> {
  await db.execute(sql`select pg_notify('callback_due', '')`);
}
