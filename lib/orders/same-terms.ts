import { formatUnits } from "@/lib/domain/money";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { AppError } from "@/lib/errors";
import type { OrderDetail } from "@/lib/orders/find-order";
import type { OrderTerms } from "@/lib/orders/order-terms";

/**
 * Passes when an order was made on these very terms: a repeat of the request that made it.
 * @throws AppError 10004 naming the first field that differs, with the order's trade_id.
 */
export function refuseOtherTerms(order: OrderDetail, terms: OrderTerms): void {
  const { decimals } = getToken(getNetwork(order.network), order.currency);
  const pairs: [field: string, before: string | null, now: string | null][] = [
    ["currency", order.currency, terms.token.currency],
    ["network", order.network, terms.network.id],
    ["amount", formatUnits(order.amountUnits, decimals), formatUnits(terms.amountUnits, terms.token.decimals)],
    ["notify_url", order.notifyUrl, terms.notifyUrl],
    ["redirect_url", order.redirectUrl, terms.redirectUrl],
  ];
  const differing = pairs.find(([, before, now]) => before !== now);
  if (!differing) return;
  const [field, before, now] = differing;
  const message = `${field} was ${shown(before)} when mch_order_id ${shown(order.mchOrderId)} was first used and is ${shown(now)} now; repeat the first values, or use a new mch_order_id`;
  throw new AppError(10004, message, { errors: [{ field, message }], data: { trade_id: order.id } });
}

function shown(value: string | null): string {
  if (value === null) return "not given";
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}
