import { createHmac } from "node:crypto";
import type { CallbackType } from "@/lib/domain/callbacks/callback";
import type { IntegrationCallbacks } from "@/lib/domain/integrations/integration";
import { type DetailData, writeJson } from "@/lib/domain/orders/order-wire";
import type { Refund, RefundStatus } from "@/lib/domain/refunds/refund";
import { type PayoutState, payoutState } from "@/lib/integrations/greenfield/pull-payment-answer";

/** The part of a delivery that depends on the event alone. */
interface InvoiceEvent {
  type: string;
  [field: string]: string | boolean;
}

/** The callbacks of BTCPay's Greenfield API: each webhook gets the events that it subscribed to, signed with its own secret. */
export const greenfieldCallbacks: IntegrationCallbacks = {
  write({ type, data, at, webhooks }, newId) {
    return webhooks.flatMap((webhook) =>
      invoiceEvents(type, data, at)
        .filter((event) => webhook.events.length === 0 || webhook.events.includes(event.type))
        .map((event) => {
          const id = newId();
          const { id: webhookId, shopId: storeId, url } = webhook;
          return { id, webhookId, url, body: writeDelivery({ id, webhookId, storeId, event, data, at }) };
        }),
    );
  },
  writeRefund({ before, refund, webhooks, at }, newId) {
    const event = payoutEvent(before, refund);
    if (!event) return [];
    return webhooks
      .filter(({ events }) => events.length === 0 || events.includes(event.type))
      .map(({ id: webhookId, shopId: storeId, url }) => {
        const id = newId();
        const numbers = { deliveryId: id, webhookId, originalDeliveryId: id, isRedelivery: false };
        const body = writeJson({ ...numbers, timestamp: Math.floor(at.getTime() / 1_000), storeId, ...event });
        return { id, webhookId, url, body };
      });
  },
  repeat: repeatDelivery,
  sign({ url, body }, secret) {
    const headers = { "content-type": "application/json", "btcpay-sig": btcpaySignature(body, secret) };
    return { method: "POST", url, headers, body };
  },
  isAcknowledged: (httpStatus) => httpStatus >= 200 && httpStatus < 300,
};

/**
 * Returns BTCPay's events for an event of an order; none if BTCPay has no such event.
 * @param at the time of the event
 */
export function invoiceEvents(type: CallbackType, data: DetailData, at: Date): InvoiceEvent[] {
  const overPaid = data.exception === "overpaid";
  const received = { type: "InvoiceReceivedPayment", afterExpiration: at.getTime() / 1_000 > data.expires_at };
  switch (type) {
    case "payment.detected":
      return [received, { type: "InvoiceProcessing", overPaid }];
    case "payment.underpaid":
      return [received];
    case "payment.overpaid":
      return [received, { type: "InvoicePaymentSettled" }];
    case "payment.confirmed":
      return [
        { type: "InvoicePaymentSettled" },
        { type: "InvoiceSettled", overPaid, manuallyMarked: data.exception === "manual" },
      ];
    case "order.expired":
      return [{ type: "InvoiceExpired", partiallyPaid: data.exception === "underpaid" }];
    case "order.cancelled":
      return [{ type: "InvoiceInvalid", manuallyMarked: true }];
    default:
      return [];
  }
}

/** The event of a payout. Source: BTCPay Server, WebhookPayoutEvent. */
interface PayoutEvent {
  type: "PayoutCreated" | "PayoutApproved" | "PayoutUpdated";
  payoutId: string;
  pullPaymentId: string;
  payoutState: PayoutState;
}

/**
 * Returns BTCPay's event for a step of a refund; null if BTCPay has no such event, because there is no payout before a claim.
 * @param before the status before the step
 */
export function payoutEvent(
  before: RefundStatus,
  refund: Pick<Refund, "id" | "status" | "address">,
): PayoutEvent | null {
  const { id, status } = refund;
  const about = { payoutId: id, pullPaymentId: id };
  // A reopened refund can be claimed again, which creates another payout.
  if (before === "claimed" && status === "requested")
    return { type: "PayoutUpdated", ...about, payoutState: "Cancelled" };
  const state = payoutState(refund);
  if (state === null) return null;
  const isApproval = before === "claimed" && status === "approved";
  const type = status === "claimed" ? "PayoutCreated" : isApproval ? "PayoutApproved" : "PayoutUpdated";
  return { type, ...about, payoutState: state };
}

interface Delivery {
  /** The id, which is the same for every attempt. */
  id: string;
  webhookId: string;
  storeId: string;
  event: InvoiceEvent;
  data: DetailData;
  at: Date;
}

/** Returns the body of a delivery. */
function writeDelivery({ id, webhookId, storeId, event, data, at }: Delivery): string {
  return writeJson({
    deliveryId: id,
    webhookId,
    originalDeliveryId: id,
    isRedelivery: false,
    timestamp: Math.floor(at.getTime() / 1_000),
    storeId,
    invoiceId: data.trade_id,
    metadata: data.metadata ?? {},
    ...event,
  });
}

/** The first fields of a delivery's body, in the order in which `writeDelivery` writes them. */
const NUMBERS =
  /^\{"deliveryId":"[^"]*","webhookId":"([^"]*)","originalDeliveryId":"([^"]*)","isRedelivery":(?:true|false),/;

/**
 * Returns the body of a redelivery. It keeps the id of the first delivery and every other byte, because numbers in the metadata may have more
 * digits than a parser keeps. Source: BTCPay Server, WebhookSender.CreateRedeliveryRequest.
 */
function repeatDelivery(body: string, id: string): string {
  return body.replace(NUMBERS, (_all, webhookId: string, original: string) => {
    const numbers = { deliveryId: id, webhookId, originalDeliveryId: original, isRedelivery: true };
    return `${JSON.stringify(numbers).slice(0, -1)},`;
  });
}

/** Returns the value of `BTCPay-Sig`: HMAC-SHA256 of the raw body with the webhook's secret, in lower-case hex. */
function btcpaySignature(body: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
