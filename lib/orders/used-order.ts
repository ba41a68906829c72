import type { Db } from "@/db/client";
import { findOrderDetail } from "@/db/queries/orders/orders";
import { findPrunedOrder } from "@/db/queries/orders/retention";
import type { OrderIntegration } from "@/lib/domain/integration-id";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { fieldError, type ProblemParam, problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";

/** A merchant's order number, as given in a request. */
interface UsedNumber {
  merchantId: string;
  mchOrderId: string;
  integration: OrderIntegration;
}

/**
 * Returns the order for which a merchant's number was used.
 * @throws AppError 10004 if the order was deleted since, 10006 if it is being withdrawn
 */
export async function findUsedOrder(db: Db, number: UsedNumber): Promise<OrderDetail> {
  const order = await findOrderDetail(db, number);
  const prunedId = order ? null : await findPrunedOrder(db, number);
  if (prunedId)
    throw new AppError(problem("order_number_used_and_deleted", { tradeId: prunedId }), {
      errors: [fieldError("mch_order_id", problem("order_number_taken"))],
    });
  if (!order) throw new AppError(problem("order_being_withdrawn"));
  return order;
}

/** Returns the error for a number that was used on the other endpoint. @param path the other endpoint */
export function usedByOther({ id, mchOrderId }: OrderDetail, path: string): AppError {
  const used = problem("order_number_used", { mchOrderId: shown(mchOrderId), path });
  return new AppError(fieldError("mch_order_id", used), { data: { trade_id: id } });
}

/** A field of a request with its earlier and its current value, as strings. */
export type TermPair = [field: string, before: string | null, now: string | null];

/**
 * Throws if a pair of terms differs. @throws AppError 10004 naming the first field that differs, with the order's
 * trade_id
 */
export function refuseOtherTerms(order: OrderDetail, pairs: readonly TermPair[]): void {
  const differing = pairs.find(([, before, now]) => before !== now);
  if (!differing) return;
  const [field, before, now] = differing;
  const params = { before: shown(before), mchOrderId: shown(order.mchOrderId), now: shown(now) };
  throw new AppError(fieldError(field, problem("order_terms_differ", params)), { data: { trade_id: order.id } });
}

function shown(value: string | null): ProblemParam {
  if (value === null) return problem("value_not_given");
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}
