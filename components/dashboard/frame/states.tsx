import { Badge, type Tone } from "@/components/ui/badge";
import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";
import type { TransferStatus, UnmatchedReason } from "@/lib/domain/transfers/transfer";

interface Look {
  tone: Tone;
  text: string;
  title?: string;
}

const ORDER: Record<OrderStatus, Look> = {
  pending: { tone: "neutral", text: "Pending", title: "Waiting for the payment" },
  confirming: { tone: "info", text: "Confirming", title: "The payment was seen and is not final yet" },
  paid: { tone: "good", text: "Paid" },
  expired: { tone: "neutral", text: "Expired", title: "Not paid in time" },
  cancelled: { tone: "neutral", text: "Cancelled" },
};

const EXCEPTION: Record<OrderException, Look> = {
  underpaid: { tone: "warn", text: "Underpaid", title: "Less arrived than was asked for" },
  overpaid: { tone: "warn", text: "Overpaid", title: "More arrived than was asked for" },
  late: { tone: "warn", text: "Late", title: "Paid after the order expired" },
  manual: { tone: "info", text: "By hand", title: "Settled by a person" },
};

const TRANSFER: Record<TransferStatus, Look> = {
  seen: { tone: "info", text: "Confirming", title: "On the chain, not final yet" },
  confirmed: { tone: "good", text: "Confirmed" },
  dropped: { tone: "bad", text: "Dropped", title: "The chain took it back" },
};

export type CallbackState = "none" | "pending" | "delivered" | "failed";

const CALLBACK: Record<CallbackState, Look> = {
  none: { tone: "neutral", text: "None" },
  pending: { tone: "info", text: "On its way" },
  delivered: { tone: "good", text: "Delivered" },
  failed: { tone: "bad", text: "Failed" },
};

const REASON: Record<UnmatchedReason, string> = {
  no_such_amount: "No open order asks for this amount",
  late: "Its order expired too long ago",
  other_currency: "An order asks for this amount in another currency",
  other_network: "An order asks for this amount on another network",
  order_settled: "Its order was settled already",
  order_cancelled: "Its order was cancelled",
  look_alike: "A look-alike token, which pays no order",
  taken_back: "The chain took it back for a time",
};

const show = ({ tone, text, title }: Look) => (
  <Badge tone={tone} title={title} hasDot>
    {text}
  </Badge>
);

/** An order's status, with its exception beside it. */
export function OrderState({ status, exception }: { status: OrderStatus; exception: OrderException | null }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      {show(ORDER[status])}
      {exception ? show(EXCEPTION[exception]) : null}
    </span>
  );
}

/** How far a transfer is. */
export function TransferState({ status }: { status: TransferStatus }) {
  return show(TRANSFER[status]);
}

/** How a callback fares. */
export function CallbackStateBadge({ status }: { status: CallbackState }) {
  return show(CALLBACK[status]);
}

/** Why a transfer pays no order, in words. */
export function reasonText(reason: UnmatchedReason): string {
  return REASON[reason];
}

/** The name of an order's status for people. */
export function statusText(status: OrderStatus): string {
  return ORDER[status].text;
}

/** The name of an order's exception for people. */
export function exceptionText(exception: OrderException): string {
  return EXCEPTION[exception].text;
}

/** The name of a transfer's status for people. */
export function transferStatusText(status: TransferStatus): string {
  return TRANSFER[status].text;
}

/** "Callback failed" */
export function callbackText(status: CallbackState): string {
  return `Callback ${CALLBACK[status].text.toLowerCase()}`;
}
