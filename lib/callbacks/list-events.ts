import type { Db } from "@/db/client";
import { listEvents } from "@/db/queries/callbacks/events";
import { JsonText } from "@/lib/domain/orders/order-wire";
import { findKeyOwner } from "@/lib/merchants/api-keys";

/**
 * A merchant's events after a place, oldest first, each as its callback's body has it; and the place after the last of them, for the
 * next call. None ever appears before one that was answered already.
 * @throws AppError 10002 the key died
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
