/** The purchase of a buyer of the demo shop, and the URL for its callbacks. */
export interface Wanted {
  mchOrderId: string;
  title: string;
  /** A decimal string: a token amount for the API, US dollars for the other protocols. */
  amount: string;
  currency: string;
  network: string;
  notifyUrl: string;
  backUrl: string;
}

/** An order that was created for a buyer. */
export interface Bought {
  tradeId: string;
  paymentUrl: string;
  /** The price displayed to the buyer, such as "24.5001 USDT". */
  due: string;
}

/** The settings of a shop's plugin: its merchant id and a key. */
export interface PluginAccess {
  publicId: string;
  key: string;
}

/** The content of a verified callback. */
export interface OrderEventType {
  type: string;
  tradeId: string;
  mchOrderId: string;
  /** The shop's number of a refund; absent for an order, and for a refund that the shop did not request. */
  mchRefundId?: string | undefined;
}

export const TIMEOUT_MS = 15_000;
