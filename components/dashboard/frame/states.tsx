import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";
import type { TransferStatus } from "@/lib/domain/transfers/transfer";

const ORDER: Record<OrderStatus, Tone> = {
  pending: "neutral",
  confirming: "info",
  paid: "good",
  expired: "neutral",
  cancelled: "neutral",
};

const EXCEPTION: Record<OrderException, Tone> = { underpaid: "warn", overpaid: "warn", late: "warn", manual: "info" };

const TRANSFER: Record<TransferStatus, Tone> = { seen: "info", confirmed: "good", dropped: "bad" };

export type CallbackState = "none" | "pending" | "delivered" | "failed";

const CALLBACK: Record<CallbackState, Tone> = { none: "neutral", pending: "info", delivered: "good", failed: "bad" };

const show = (tone: Tone, text: ReactNode, title?: string) => (
  <Badge tone={tone} title={title} hasDot>
    {text}
  </Badge>
);

/** Renders an order's status, with its exception beside it. */
export function OrderState({ status, exception }: { status: OrderStatus; exception: OrderException | null }) {
  const t = useTranslations("states");
  const isPlain = status === "paid" || status === "cancelled";
  return (
    <span className="inline-flex flex-wrap gap-1">
      {show(ORDER[status], t(`order.${status}`), isPlain ? undefined : t(`orderTitle.${status}`))}
      {exception ? show(EXCEPTION[exception], t(`exception.${exception}`), t(`exceptionTitle.${exception}`)) : null}
    </span>
  );
}

/** Renders the status of a transfer. */
export function TransferState({ status }: { status: TransferStatus }) {
  const t = useTranslations("states");
  const title = status === "confirmed" ? undefined : t(`transferTitle.${status}`);
  return show(TRANSFER[status], t(`transfer.${status}`), title);
}

interface CallbackStateBadgeProps {
  status: CallbackState;
  /** The number of completed attempts of the current series, all of which failed unless the callback is delivered. */
  seriesAttempts: number;
}

/** Renders the state of a callback; a pending one with failed attempts is shown as being retried. */
export function CallbackStateBadge({ status, seriesAttempts: count }: CallbackStateBadgeProps) {
  const t = useTranslations("states");
  if (status === "pending" && count > 0) return show("warn", t("callbackRetrying", { count }));
  return show(CALLBACK[status], t(`callback.${status}`));
}
