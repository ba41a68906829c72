import type { PageView } from "@/lib/domain/checkout/refresh";
import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";

/** The response of the payment page's status call. Times are Unix seconds. */
export interface StatusData {
  trade_id: string;
  version: number;
  /** Names everything the page shows; another tag means the page has something new to show. */
  tag: string;
  status: OrderStatus;
  exception: OrderException | null;
  /** The state of the page: finer than the status. */
  state: PageView["state"];
  confirmations: number | null;
  required_confirmations: number | null;
  expires_at: number;
  paid_at: number | null;
}

/** The public status of an order, as its payer may see it. */
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
