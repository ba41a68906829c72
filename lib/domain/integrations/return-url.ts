import { API_ORIGIN, type OrderIntegration } from "@/lib/domain/integration-id";
import type { Integrations } from "@/lib/domain/integrations/integration";

/** The fields of an order on which its return URL depends. */
interface OrderReturn {
  tradeId: string;
  mchOrderId: string;
  integration: OrderIntegration;
  redirectUrl: string | null;
}

/**
 * Returns the URL to which the payer of a paid order returns. For an API order, the order's id and number are appended to the query; for
 * an order of an integration, the integration's rule applies. Null if the merchant set no URL, or this process lacks the integration.
 */
export function returnUrl(order: OrderReturn, integrations: Integrations): string | null {
  const { redirectUrl, integration, tradeId, mchOrderId } = order;
  if (redirectUrl === null) return null;
  if (integration === API_ORIGIN) return withOrder(redirectUrl, tradeId, mchOrderId);
  const rule = integrations.get(integration)?.returnRule;
  if (!rule) return null;
  return rule.kind === "signed" ? `/pay/${encodeURIComponent(tradeId)}/return` : rule.url({ tradeId, redirectUrl });
}

function withOrder(redirectUrl: string, tradeId: string, mchOrderId: string): string {
  const url = new URL(redirectUrl);
  const names = `trade_id=${encodeURIComponent(tradeId)}&mch_order_id=${encodeURIComponent(mchOrderId)}`;
  url.search = url.search ? `${url.search}&${names}` : names;
  return url.href;
}
