import { createHmac } from "node:crypto";
import type { CallbackType } from "@/lib/domain/callbacks/callback";
import { type DetailData, writeJson } from "@/lib/domain/orders/order-wire";

/** One delivery, without what says to whom and about which invoice. */
interface InvoiceNews {
  type: string;
  [field: string]: string | boolean;
}

/** What of an order Greenfield's clients are told of besides confirmed payments. */
export const GREENFIELD_NEWS = [
  "payment.detected",
  "payment.underpaid",
  "payment.overpaid",
  "order.expired",
  "order.cancelled",
] as const satisfies readonly CallbackType[];

/**
 * What clients hear of one change, by the names of BTCPay's events; nothing where those have no words for it.
 * @param at when it happened
 */
export function invoiceNews(type: CallbackType, data: DetailData, at: Date): InvoiceNews[] {
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

interface Delivery {
  /** Of this news to this webhook, the same at every attempt. */
  id: string;
  webhookId: string;
  storeId: string;
  news: InvoiceNews;
  data: DetailData;
  at: Date;
}

/** The bytes of a delivery. */
export function writeDelivery({ id, webhookId, storeId, news, data, at }: Delivery): string {
  return writeJson({
    deliveryId: id,
    webhookId,
    originalDeliveryId: id,
    isRedelivery: false,
    timestamp: Math.floor(at.getTime() / 1_000),
    storeId,
    invoiceId: data.trade_id,
    metadata: data.metadata ?? {},
    ...news,
  });
}

/** Which webhook a delivery's bytes are for; "" where they are none. */
export function webhookOf(body: string): string {
  const { webhookId } = JSON.parse(body) as { webhookId?: unknown };
  return typeof webhookId === "string" ? webhookId : "";
}

/** The value of `BTCPay-Sig`: HMAC-SHA256 of the raw body with the webhook's secret, lower hex. */
export function btcpaySignature(body: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
