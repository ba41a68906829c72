import type { PageView } from "@/lib/domain/checkout/refresh";
import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";

/** The response of the payment page's status endpoint. Times are Unix seconds. */
export interface StatusData {
  trade_id: string;
  version: number;
  /** A tag of everything the page shows; a different tag means that the page has changed. */
  tag: string;
  status: OrderStatus;
  exception: OrderException | null;
  /** The state of the page; more detailed than the status. */
  state: PageView["state"];
  confirmations: number | null;
  required_confirmations: number | null;
  expires_at: number;
  paid_at: number | null;
}

/** Returns the public status of an order, as shown to its payer. */
export function toStatusData(view: PageView, tag: string): StatusData {
  return {
    trade_id: view.tradeId,
    version: view.version,
    tag,
    status: view.status,
    exception: view.exception,
    state: view.state,
    confirmations: view.progress?.confirmations ?? null,
    required_confirmations: view.progress?.required ?? null,
    expires_at: Math.floor(view.expiresAt / 1000),
    paid_at: view.paidAt && Math.floor(view.paidAt / 1000),
  };
}
