import { findOrderDetail } from "@/db/queries/orders/orders";
import { listSigningKeys } from "@/db/queries/plugins/plugins";
import { isId } from "@/lib/domain/id";
import type { Integrations } from "@/lib/domain/integrations/integration";
import { asStored, toDetailData } from "@/lib/domain/orders/order-wire";
import type { PluginContext } from "@/lib/plugins/plugin-caller";

/** The dependencies for signing return URLs. */
interface ReturnContext extends PluginContext {
  env: { publicUrl: string };
  integrations: Integrations;
}

/**
 * Returns the URL to which the payer of an order returns if its integration signs return URLs: to the shop with the result of the payment,
 * or to the payment page while the order is not paid. Null if there is no such order, or no URL to return to.
 */
export async function findSignedReturn(ctx: ReturnContext, tradeId: string, now: Date): Promise<string | null> {
  const { db } = ctx.pool;
  const order = isId(tradeId) ? await findOrderDetail(db, { id: tradeId }) : null;
  if (!order || order.echo === null || order.redirectUrl === null) return null;
  const { merchantId, integration, redirectUrl, echo } = order;
  const rule = ctx.integrations.get(integration)?.returnRule;
  if (rule?.kind !== "signed") return null;
  if (order.status !== "paid") return `/pay/${tradeId}`;
  const [encrypted] = await listSigningKeys(db, [{ merchantId, integration }], now);
  const key = encrypted && ctx.openPluginKey(encrypted);
  if (!key) return redirectUrl;
  return rule.sign({ redirectUrl, echo, data: toDetailData(order, asStored(ctx.env)) }, key, now);
}
