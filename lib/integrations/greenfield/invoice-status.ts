import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";

/** The status of an invoice in this protocol. */
export interface InvoiceStatus {
  status: "New" | "Processing" | "Settled" | "Expired" | "Invalid";
  additionalStatus: "None" | "PaidPartial" | "PaidOver" | "PaidLate" | "Marked";
}

const STATUSES: Readonly<Record<OrderStatus, InvoiceStatus["status"]>> = {
  pending: "New",
  confirming: "Processing",
  paid: "Settled",
  expired: "Expired",
  cancelled: "Invalid",
};

/** The additional statuses of payments with an exception. Other payments have no additional status. */
const ADDITIONS: Readonly<Partial<Record<`${OrderStatus} ${OrderException}`, InvoiceStatus["additionalStatus"]>>> = {
  "paid overpaid": "PaidOver",
  "paid late": "PaidLate",
  "paid manual": "Marked",
  "expired underpaid": "PaidPartial",
};

/** Returns the status of an order in this protocol. A cancelled order counts as marked by a user. */
export function invoiceStatus(status: OrderStatus, exception: OrderException | null): InvoiceStatus {
  if (status === "cancelled") return { status: STATUSES[status], additionalStatus: "Marked" };
  const addition = exception === null ? undefined : ADDITIONS[`${status} ${exception}`];
  return { status: STATUSES[status], additionalStatus: addition ?? "None" };
}

/** Returns the order status for a status name of this protocol, in any case; null if the name is unknown. */
export function statusOfInvoice(name: string): OrderStatus | null {
  const found = Object.entries(STATUSES).find(([, known]) => known.toLowerCase() === name.trim().toLowerCase());
  return found ? (found[0] as OrderStatus) : null;
}

/** Returns the id of a payment method: "USDT-TRON". Plugins derive names of classes and forms from it, with `_` for `-`. */
export function paymentMethodId({ network, currency }: { network: string; currency: string }): string {
  return `${currency}-${network}`.toUpperCase();
}
