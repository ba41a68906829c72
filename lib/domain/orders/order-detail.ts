import type { AddressMac } from "@/lib/domain/addresses/address";
import type { AddressKind } from "@/lib/domain/addresses/load";
import type { Echo, OrderIntegration } from "@/lib/domain/integration-id";
import type { Currency } from "@/lib/domain/networks";
import type { CheckoutTerms, OrderException, OrderPrice, OrderStatus } from "@/lib/domain/orders/order";
import type { TransferStatus } from "@/lib/domain/transfers/transfer";

/** A transfer that is or was credited to an order. Amounts are base units of its token. */
export interface OrderTransfer {
  network: string;
  currency: Currency;
  txId: string;
  baseUnits: bigint;
  status: TransferStatus;
  confirmations: number;
  requiredConfirmations: number;
  seenAt: Date;
}

export interface OrderCallback {
  status: "pending" | "delivered" | "failed";
  attempts: number;
  lastHttpStatus: number | null;
  deliveredAt: Date | null;
}

/** The quote that the API and the page show. `address` is in canonical form. */
export interface ShownQuote {
  id: string;
  network: string;
  currency: Currency;
  address: string;
  addressMac: AddressMac;
  kind: AddressKind;
  baseUnits: bigint;
  /** The order's amount in this token, if the payer switched to this quote; null if the order's own amount applies. */
  askedUnits: bigint | null;
}

/** The data of order/detail: an order with a quote, or one whose payer has not selected a method yet. */
export type OrderDetail = QuotedOrder | OpenOrder;

interface OrderCore {
  id: string;
  merchantId: string;
  mchOrderId: string;
  status: OrderStatus;
  exception: OrderException | null;
  version: number;
  /** Base units of the shown quote's token. */
  paidUnits: bigint;
  /** The transaction that settled the order. */
  settledTxId: string | null;
  notifyUrl: string | null;
  redirectUrl: string | null;
  locale: string | null;
  subject: string | null;
  /** A JSON object as text, exactly as in the merchant's request. */
  metadata: string | null;
  /** The integration that created the order, with the fields that it returns. */
  integration: OrderIntegration;
  echo: Echo | null;
  expiresAt: Date;
  createdAt: Date;
  paidAt: Date | null;
  /** The first 100 transfers, ordered by the time when they were first seen. */
  transfers: OrderTransfer[];
  /** The callback; null while none is pending or sent. */
  callback: OrderCallback | null;
}

export interface QuotedOrder extends OrderCore {
  /** The network and currency that the merchant requested or the payer first selected; the shown quote may have different ones. */
  network: string;
  currency: Currency;
  /** Base units of the requested token. */
  amountUnits: bigint;
  /** The price from which the shown quote's amount was converted; null if the merchant set the amount. */
  price: OrderPrice | null;
  quote: ShownQuote;
  /** Null if the merchant specified network and currency with order/add. */
  checkout: CheckoutTerms | null;
}

/** An order whose payer has not selected a network and currency yet. */
export interface OpenOrder extends OrderCore, Record<"network" | "currency" | "amountUnits" | "price" | "quote", null> {
  checkout: CheckoutTerms;
}
