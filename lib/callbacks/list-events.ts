import type { Db } from "@/db/client";
import { listEvents } from "@/db/queries/callbacks/events";
import { JsonText } from "@/lib/domain/orders/order-wire";
import { findKeyOwner } from "@/lib/merchants/api-keys";

/**
 * Lists a merchant's events after a cursor, oldest first, each as in the body of its callback. Also returns the cursor
 * of the last one, for the next call. No event ever appears before one that was already returned.
 * @throws AppError 10002 if the key is no longer live
 */
export async function listMerchantEvents(
  db: Db,
  { apiKeyId }: { apiKeyId: string },
  { after, limit }: { after: number; limit: number },
  now: Date,
): Promise<{ events: JsonText[]; next: number }> {
  const merchant = await findKeyOwner(db, apiKeyId, now);
  const events = await listEvents(db, merchant.id, after, limit);
  return { events: events.map(({ body }) => new JsonText(body)), next: events.at(-1)?.number ?? after };
}
