import type { lockOrder } from "@/db/queries/orders/order-moves";
import type { OrderStatus } from "@/lib/domain/orders/order";

/** How something that a person did to an order ended: its status now, or why it was refused, in words. */
export type ByHand = { status: OrderStatus } | { problem: string };

type Order = Awaited<ReturnType<typeof lockOrder>>;

/** An order if it is of this merchant, else null: nobody learns of another merchant's orders. */
export function orderOf(order: Order, { merchantId }: { merchantId: string }): NonNullable<Order> | null {
  return order?.merchantId === merchantId ? order : null;
}
