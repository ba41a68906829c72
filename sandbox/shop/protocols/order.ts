/** What a buyer of the demo shop wants, and where the shop hears of it. */
export interface Wanted {
  mchOrderId: string;
  title: string;
  /** Decimal text: of tokens by the API, of US dollars by the other protocols. */
  amount: string;
  currency: string;
  network: string;
  notifyUrl: string;
  backUrl: string;
}

/** An order that was made for a buyer. */
export interface Bought {
  tradeId: string;
  paymentUrl: string;
  /** What it costs, as a buyer reads it: "24.5001 USDT". */
  due: string;
}

/** What is typed into the settings of a shop's plugin: its number there, and a key. */
export interface PluginAccess {
  publicId: string;
  key: string;
}

/** What a callback says that was verified. */
export interface News {
  type: string;
  tradeId: string;
  mchOrderId: string;
}

export const TIMEOUT_MS = 15_000;
