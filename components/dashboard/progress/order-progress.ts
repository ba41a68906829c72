import { amountText } from "@/components/dashboard/frame/amount";
import type { ProgressStep } from "@/components/dashboard/progress/progress";
import { type DepthFacts, depthText, transferNote } from "@/components/dashboard/transfers/transfer-text";
import type { Translate } from "@/components/messages/translate";
import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";
import type { TokenRef } from "@/lib/domain/transfers/transfer";

interface Order {
  status: OrderStatus;
  exception: OrderException | null;
  createdAt: Date;
  expiresAt: Date;
  paidAt: Date | null;
  paidUnits: bigint;
  notifyUrl: string | null;
}

interface Quote {
  network: string;
  currency: string;
  baseUnits: bigint;
}

export interface CreditedTransfer extends TokenRef, DepthFacts {
  baseUnits: bigint;
  seenAt: Date;
  confirmedAt: Date | null;
}

/** The state of the callback that reports a payment. */
export interface ReportedCallback {
  status: "pending" | "delivered" | "failed";
  /** The number of failed attempts since the callback was last resent, while it is not delivered. */
  seriesAttempts: number;
  deliveredAt: Date | null;
}

interface OrderProgress {
  order: Order;
  quote: Quote | null;
  /** The transfers of the order, in the order in which they were seen. */
  transfers: readonly CreditedTransfer[];
  /** The callback of the payment; null if none is enqueued. */
  callback: ReportedCallback | null;
}

interface Texts {
  t: Translate<"progress">;
  list: Translate<"transfers">;
}

/** Returns the steps of an order's payment: created, seen in a block, confirmed, callback delivered. */
export function orderProgress(facts: OrderProgress, texts: Texts): ProgressStep[] {
  const { order, callback } = facts;
  const credited = facts.transfers.filter(({ status }) => status !== "dropped");
  return [
    { key: "created", text: texts.t("created"), state: "done", at: order.createdAt },
    seenStep(order, credited, texts),
    confirmedStep(facts, credited, texts),
    callbackStep({ callback, hasUrl: order.notifyUrl !== null, isPaid: order.status === "paid" }, texts.t),
  ];
}

function seenStep(order: Order, credited: readonly CreditedTransfer[], { t, list }: Texts): ProgressStep {
  const key = "seen";
  const [first] = credited;
  if (first) return { key, text: t("seen"), state: "done", at: first.seenAt, note: transferNote(first, list) };
  if (order.status === "paid") return { key, text: t("noTransfer"), state: "skipped", at: null };
  if (order.status === "cancelled") return { key, text: t("cancelled"), state: "stopped", at: null };
  if (order.status === "expired") return { key, text: t("expired"), state: "stopped", at: order.expiresAt };
  return { key, text: t("waiting"), state: "current", at: null, note: t("waitingNote") };
}

function confirmedStep(
  { order, quote }: OrderProgress,
  credited: readonly CreditedTransfer[],
  { t, list }: Texts,
): ProgressStep {
  const key = "confirmed";
  if (order.status === "paid" && order.exception === "manual")
    return { key, text: t("manual"), state: "done", at: order.paidAt };
  const open = credited.find(({ status }) => status === "seen");
  if (open) return { key, text: t("confirming"), state: "current", at: null, note: depthText(open, list) };
  const last = credited.at(-1);
  if (!last) return { key, text: t("confirmed"), state: "waiting", at: null };
  if (quote && order.exception === "underpaid") {
    const missing = quote.baseUnits - order.paidUnits;
    const amount = `${amountText(missing > 0n ? missing : 0n, quote.network, quote.currency)} ${quote.currency}`;
    return { key, text: t("underpaid"), state: "stopped", at: last.confirmedAt, note: t("missing", { amount }) };
  }
  return { key, text: t("confirmed"), state: "done", at: last.confirmedAt };
}

/** Returns the callback of an order's payment, or the newest callback if an integration reports payments under another name. */
export function reportedCallback<Row extends ReportedCallback & { type: string }>(
  callbacks: readonly Row[],
): Row | null {
  return callbacks.find(({ type }) => type === "payment.confirmed") ?? callbacks[0] ?? null;
}

interface CallbackFacts {
  callback: ReportedCallback | null;
  hasUrl: boolean;
  isPaid: boolean;
}

/** Returns the step of a payment's callback. */
export function callbackStep({ callback, hasUrl, isPaid }: CallbackFacts, t: Translate<"progress">): ProgressStep {
  const key = "callback";
  if (callback?.status === "delivered") return { key, text: t("delivered"), state: "done", at: callback.deliveredAt };
  if (callback?.status === "failed") return { key, text: t("callbackFailed"), state: "stopped", at: null };
  if (callback) {
    const count = callback.seriesAttempts;
    const note = count > 0 ? t("retrying", { count }) : undefined;
    return { key, text: t("delivering"), state: "current", at: null, note };
  }
  if (!hasUrl) return { key, text: t("noCallback"), state: "skipped", at: null, note: t("noCallbackNote") };
  return { key, text: t("delivered"), state: isPaid ? "current" : "waiting", at: null };
}
