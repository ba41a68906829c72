import type { Db } from "@/db/client";
import { insertCallbacks } from "@/db/queries/callbacks/callbacks";
import { type CallbackType, callbackOrigin } from "@/lib/domain/callbacks/callback";
import { newId } from "@/lib/domain/id";
import { writeJson } from "@/lib/domain/orders/order-wire";

/** News that a merchant is to hear of an order. */
export interface OwedCallback {
  merchantId: string;
  orderId: string;
  type: CallbackType;
  url: string;
  /** The order as the merchant's server shall read it. */
  data: object;
}

/**
 * Owes merchants news of their orders, in as many statements for hundreds as for one: call it in the transaction that made the
 * news. What is owed already, by order and type, stays as it was.
 */
export async function oweCallbacks(db: Db, owed: readonly OwedCallback[], now: Date): Promise<void> {
  const rows = owed.map(({ data, ...callback }) => {
    const id = `evt_${newId(now)}`;
    const body = writeJson({ id, type: callback.type, timestamp: now.toISOString(), data });
    return { ...callback, id, body, origin: callbackOrigin(callback.url) };
  });
  await insertCallbacks(db, rows, now);
}
