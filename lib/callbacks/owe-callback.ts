import type { Db } from "@/db/client";
import { insertCallback } from "@/db/queries/callbacks/callbacks";
import { type CallbackType, callbackOrigin } from "@/lib/domain/callbacks/callback";
import { newId } from "@/lib/domain/id";
import type { OrderDetail } from "@/lib/domain/orders/order-wire";
import { toDetailData, writeJson } from "@/lib/domain/orders/order-wire";
import { findOrderDetail } from "@/lib/orders/find-order";

const TYPE: CallbackType = "payment.confirmed";

/**
 * Owes the merchant the news that an order is paid: call it in the transaction that made it so.
 * Without a notify_url nothing is owed; a second call for the same order changes nothing.
 * @throws Error when there is no such order.
 */
export async function oweCallback(db: Db, ctx: { publicUrl: string }, orderId: string, now: Date): Promise<void> {
  const order = await findOrderDetail(db, { id: orderId });
  if (!order) throw new Error(`Order ${orderId} owes a callback but is not stored`);
  if (order.notifyUrl === null) return;
  const id = `evt_${newId(now)}`;
  const { merchantId, notifyUrl: url } = order;
  const body = writeBody(id, order, ctx.publicUrl, now);
  await insertCallback(db, { id, merchantId, orderId, type: TYPE, url, origin: callbackOrigin(url), body }, now);
}

function writeBody(id: string, order: OrderDetail, publicUrl: string, now: Date): string {
  const callback = { status: "pending", attempts: 0, lastHttpStatus: null, deliveredAt: null } as const;
  const data = toDetailData({ ...order, callback }, { publicUrl });
  return writeJson({ id, type: TYPE, timestamp: now.toISOString(), data });
}
