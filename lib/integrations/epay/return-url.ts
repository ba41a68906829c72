import { findOrderDetail } from "@/db/queries/orders/orders";
import { listSigningKeys } from "@/db/queries/plugins/plugins";
import { isId } from "@/lib/domain/id";
import { asStored, toDetailData } from "@/lib/domain/orders/order-wire";
import { epayPaidFields, withEpayFields } from "@/lib/integrations/epay/callbacks";
import type { PluginContext } from "@/lib/plugins/plugin-caller";

/**
 * Where a payer of an EPay order goes back to: to the shop with what its callback says, signed, once it is paid; before that to the
 * payment page. Null where there is no such order, or nowhere to go back to.
 */
export async function findEpayReturn(
  ctx: PluginContext & { env: { publicUrl: string } },
  tradeId: string,
  now: Date,
): Promise<string | null> {
  const { db } = ctx.pool;
  const order = isId(tradeId) ? await findOrderDetail(db, { id: tradeId }) : null;
  if (order?.integration !== "epay" || order.echo === null || order.redirectUrl === null) return null;
  if (order.status !== "paid") return `/pay/${tradeId}`;
  const [sealed] = await listSigningKeys(db, [{ merchantId: order.merchantId, integration: "epay" }], now);
  const key = sealed && ctx.openPluginKey(sealed);
  const { redirectUrl, echo } = order;
  return key
    ? withEpayFields(redirectUrl, epayPaidFields(echo, toDetailData(order, asStored(ctx.env))), key)
    : redirectUrl;
}
