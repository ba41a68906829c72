import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { JsonText } from "@/lib/domain/orders/order-wire";
import { invoiceStatus } from "@/lib/integrations/greenfield/invoice-status";

/** The store of an invoice, with the time for which it accepts late payments. */
export interface InvoiceStore {
  publicUrl: string;
  storeId: string;
  lateWindowSeconds: number;
}

/** The field that marks an archived invoice in the data that is stored with it, and its value. */
export const ARCHIVED = { field: "archived", value: "true" } as const;

const unixSeconds = (at: Date) => Math.floor(at.getTime() / 1_000);

/** Returns the JSON of an invoice: amounts are strings, times are Unix seconds, and the values of the request are returned unchanged. */
export function toInvoice(order: OrderDetail, { publicUrl, storeId, lateWindowSeconds }: InvoiceStore): object {
  const { echo, createdAt, expiresAt } = order;
  const created = unixSeconds(createdAt);
  const expires = unixSeconds(expiresAt);
  const monitored = expires + lateWindowSeconds;
  return {
    id: order.id,
    storeId,
    type: "Standard",
    archived: echo?.[ARCHIVED.field] === ARCHIVED.value,
    amount: echo?.["amount"] ?? "",
    currency: echo?.["currency"] ?? "",
    checkoutLink: `${publicUrl}/pay/${order.id}`,
    ...invoiceStatus(order.status, order.exception),
    availableStatusesForManualMarking: order.status === "pending" ? ["Invalid"] : [],
    createdTime: created,
    expirationTime: expires,
    // BTCPay Server returns the first field, and some clients read the second.
    monitoringExpiration: monitored,
    monitoringTime: monitored,
    checkout: {
      speedPolicy: echo?.["speedPolicy"] ?? null,
      paymentMethods: JSON.parse(echo?.["paymentMethods"] || "[]") as unknown,
      defaultPaymentMethod: null,
      expirationMinutes: Math.round((expires - created) / 60),
      monitoringMinutes: Math.round(lateWindowSeconds / 60),
      paymentTolerance: 0,
      redirectURL: order.redirectUrl,
      redirectAutomatically: order.redirectUrl !== null,
      defaultLanguage: order.locale,
    },
    metadata: order.metadata === null ? {} : new JsonText(order.metadata),
  };
}
