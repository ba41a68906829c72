import type { PageContext } from "@/components/pay/page-context";
import { sourceName } from "@/lib/domain/checkout/exchanges";

/**
 * Returns the URL of an order's page in the payer's language, with the selected source of the payment.
 * @param parameters further parameters, which can replace the source
 */
export function pageHref(tradeId: string, page: PageContext, parameters: Record<string, string> = {}): string {
  const from = sourceName(page.from ?? null);
  const query = new URLSearchParams(parameters);
  query.set("lang", page.t.lang);
  if (from !== null && !query.has("from")) query.set("from", from);
  return `/pay/${tradeId}?${query}`;
}
