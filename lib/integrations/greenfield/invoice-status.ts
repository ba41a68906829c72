import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";

/** How an invoice stands, in this protocol's words. */
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

/** What is said of money that did not come as it should have; of all else nothing is. */
const ADDITIONS: Readonly<Partial<Record<`${OrderStatus} ${OrderException}`, InvoiceStatus["additionalStatus"]>>> = {
  "paid overpaid": "PaidOver",
  "paid late": "PaidLate",
  "paid manual": "Marked",
  "expired underpaid": "PaidPartial",
};

/** The state of an order as clients of this protocol know it; one that was cancelled was marked by somebody. */
export function invoiceStatus(status: OrderStatus, exception: OrderException | null): InvoiceStatus {
  if (status === "cancelled") return { status: STATUSES[status], additionalStatus: "Marked" };
  const addition = exception === null ? undefined : ADDITIONS[`${status} ${exception}`];
  return { status: STATUSES[status], additionalStatus: addition ?? "None" };
}

/** The state that a name of this protocol means, in any case; null where it means none. */
export function statusOfInvoice(name: string): OrderStatus | null {
  const found = Object.entries(STATUSES).find(([, known]) => known.toLowerCase() === name.trim().toLowerCase());
  return found ? (found[0] as OrderStatus) : null;
}

/** What a way to pay is called: "USDT-TRON". Plugins make names of classes and forms of it, with `_` for `-`. */
export function paymentMethodId({ network, currency }: { network: string; currency: string }): string {
  return `${currency}-${network}`.toUpperCase();
}
