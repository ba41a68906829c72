import type { Db } from "@/db/client";
import { findOrderDetail } from "@/db/queries/orders/orders";
import { findPrunedOrder } from "@/db/queries/orders/retention";
import type { OrderIntegration } from "@/lib/domain/integration";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { AppError, fieldError } from "@/lib/errors";

/** A number as it was given in some words. */
interface UsedNumber {
  merchantId: string;
  mchOrderId: string;
  integration: OrderIntegration;
}

/**
 * The order that a merchant's number was used for.
 * @throws AppError 10004 where it is deleted since, 10006 where it is being taken back
 */
export async function findUsedOrder(db: Db, number: UsedNumber): Promise<OrderDetail> {
  const order = await findOrderDetail(db, number);
  const prunedId = order ? null : await findPrunedOrder(db, number);
  if (prunedId)
    throw new AppError(10004, `mch_order_id was used before, by an order that is deleted since: ${prunedId}`, {
      errors: [{ field: "mch_order_id", message: "was used before; use another" }],
    });
  if (!order) throw new AppError(10006, "This order is being taken back at this moment; please ask again");
  return order;
}

/** The error for a number that was used on the other path. @param path that other one */
export function usedByOther({ id, mchOrderId }: OrderDetail, path: string): AppError {
  const message = `mch_order_id ${shown(mchOrderId)} was used by ${path} before; ask there again, or use a new mch_order_id`;
  return fieldError("mch_order_id", message, 10004, { trade_id: id });
}

/** A field of a request, as it was and as it is now, as texts. */
export type TermPair = [field: string, before: string | null, now: string | null];

/** @throws AppError 10004 naming the first field that differs, with the order's trade_id */
export function refuseOtherTerms(order: OrderDetail, pairs: readonly TermPair[]): void {
  const differing = pairs.find(([, before, now]) => before !== now);
  if (!differing) return;
  const [field, before, now] = differing;
  const message = `${field} was ${shown(before)} when mch_order_id ${shown(order.mchOrderId)} was first used and is ${shown(now)} now; repeat the first values, or use a new mch_order_id`;
  throw fieldError(field, message, 10004, { trade_id: order.id });
}

function shown(value: string | null): string {
  if (value === null) return "not given";
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}
