import { randomUUID } from "node:crypto";
import {
  displayAddress,
  displayTxId,
  transactionUrl,
  type VerifyAddress,
  verifiedAddress,
} from "@/lib/domain/addresses/address";
import { formatUnits } from "@/lib/domain/money";
import { type Currency, getNetwork, getToken } from "@/lib/domain/networks";
import type { CheckoutTerms, OrderException, OrderPrice, OrderStatus } from "@/lib/domain/orders/order";
import type {
  OpenOrder,
  OrderCallback,
  OrderDetail,
  OrderTransfer,
  QuotedOrder,
} from "@/lib/domain/orders/order-detail";
import type { TransferStatus } from "@/lib/domain/transfers/transfer";
import { toUri } from "@/lib/domain/uri";

declare global {
  interface JSON {
    /** Returns a value that JSON.stringify writes exactly as this text (ECMAScript 2025). */
    rawJSON(text: string): ExactNumber;
  }
}

declare const exact: unique symbol;

/** A JSON number with all its original digits; it is never converted to a float. */
export type ExactNumber = { readonly [exact]: true };

/** Returns a JSON number from a decimal string such as "10.500000000000000001". */
export function exactNumber(decimal: string): ExactNumber {
  return JSON.rawJSON(decimal);
}

/** The placeholder of a JsonText in the output of JSON.stringify; random, so that no input can contain it. */
const PLACEHOLDER = `json-text-${randomUUID()}-`;
const PLACEHOLDERS = new RegExp(`"${PLACEHOLDER}(\\d+)"`, "g");
let inserted: string[] = [];

/** JSON text that `writeJson` writes unchanged, byte for byte. */
export class JsonText {
  readonly #text: string;

  /** @param text valid JSON */
  constructor(text: string) {
    this.#text = text;
  }

  toJSON(): string {
    return PLACEHOLDER + (inserted.push(this.#text) - 1);
  }
}

/** Serializes a value for merchants, so that responses and callbacks have the same bytes for the same value. */
export function writeJson(value: object): string {
  inserted = [];
  const text = JSON.stringify(value);
  return inserted.length === 0 ? text : text.replace(PLACEHOLDERS, (_, index) => inserted[Number(index)] ?? "null");
}

/** The response of order/add. Amounts are exact JSON numbers, times Unix seconds. */
export interface CreatedData {
  trade_id: string;
  mch_order_id: string;
  currency: Currency;
  network: string;
  amount: ExactNumber;
  actual_amount: ExactNumber;
  /** The address; null if it was changed outside the application. */
  address: string | null;
  expiration_time: number;
  expires_at: number;
  payment_url: string;
}

/** The response of order/checkout. The amount is in the token that the payer selects; null if there is a fiat price. */
export interface CheckoutData
  extends Pick<CreatedData, "trade_id" | "mch_order_id" | "expiration_time" | "expires_at"> {
  amount: ExactNumber | null;
  checkout_url: string;
}

export interface TransferData {
  tx_hash: string;
  amount: ExactNumber;
  status: TransferStatus;
  confirmations: number;
  required_confirmations: number;
  seen_at: number;
  explorer_url: string;
}

export interface CallbackData {
  status: "none" | "pending" | "delivered" | "failed";
  attempts: number;
  last_http_status: number | null;
  delivered_at: number | null;
}

/** The fiat price and the rate of one token: null until the payer selects a token. Absent if the merchant set the amount. */
interface PriceData {
  fiat: string;
  fiat_amount: ExactNumber;
  rate: string | null;
  rate_source: string | null;
  rate_at: number | null;
}

type Nullable<T> = { [Field in keyof T]: T[Field] | null };
type Asked = Pick<CreatedData, "currency" | "network" | "amount" | "actual_amount" | "address">;

/**
 * The response of order/detail and the data of a callback. The fields of the payment method are null until the payer selects it; an
 * `amount` set before is in the token that the payer selects.
 */
export interface DetailData extends Omit<CreatedData, keyof Asked>, Nullable<Asked>, Partial<PriceData> {
  status: OrderStatus;
  exception: OrderException | null;
  /** A number that increases with every change. Of two callbacks, the one with the higher version is newer. */
  version: number;
  paid_amount: ExactNumber;
  tx_hash: string | null;
  transfers: TransferData[];
  callback: CallbackData;
  notify_url: string | null;
  redirect_url: string | null;
  subject: string | null;
  metadata: JsonText | null;
  created_at: number;
  paid_at: number | null;
}

/** The context for showing an order. `publicUrl` has no trailing slash. */
export interface Showing extends Origin {
  /** Verifies an address against its MAC. Null: addresses are shown as stored, for readers who do not pay. */
  isVerifiedAddress: VerifyAddress | null;
}

type Origin = { publicUrl: string };

/** Returns the context for showing an order to readers who do not pay it. */
export const asStored = ({ publicUrl }: Origin): Showing => ({ publicUrl, isVerifiedAddress: null });

/**
 * Returns the public representation of an order that was just created or already existed. Network and address are those of the shown
 * quote.
 */
export function toCreatedData(order: QuotedOrder, showing: Showing): CreatedData {
  return { ...namesOf(order, showing), ...askedOf(order, showing) };
}

/** Returns the public representation of an order whose payer selects the method. The method may already be selected. */
export function toCheckoutData(order: OrderDetail & { checkout: CheckoutTerms }, origin: Origin): CheckoutData {
  const { payment_url: checkout_url, ...names } = namesOf(order, origin);
  return { ...names, amount: numberOf(order.checkout.amount), checkout_url };
}

function namesOf({ id, mchOrderId, expiresAt }: OrderDetail, { publicUrl }: Origin): Omit<CreatedData, keyof Asked> {
  const at = unixSeconds(expiresAt);
  const names = { trade_id: id, mch_order_id: mchOrderId, expiration_time: at, expires_at: at };
  return { ...names, payment_url: `${publicUrl}/pay/${id}` };
}

function askedOf({ merchantId, network, currency, amountUnits, quote }: QuotedOrder, showing: Showing): Asked {
  const { isVerifiedAddress } = showing;
  const address = isVerifiedAddress ? verifiedAddress({ ...quote, merchantId }, isVerifiedAddress) : quote.address;
  return {
    currency: quote.currency,
    network: quote.network,
    amount:
      quote.askedUnits === null ? amountOf({ network, currency }, amountUnits) : amountOf(quote, quote.askedUnits),
    actual_amount: amountOf(quote, quote.baseUnits),
    address: address && displayAddress(getNetwork(quote.network).family, address),
  };
}

const numberOf = (decimal: string | null) => (decimal === null ? null : exactNumber(decimal));

function unasked({ checkout }: OpenOrder): Nullable<Asked> {
  return { currency: null, network: null, amount: numberOf(checkout.amount), actual_amount: null, address: null };
}

/** Returns the public representation of an order, including its transfers and its callback. */
export function toDetailData(order: OrderDetail, showing: Showing): DetailData {
  const { quote } = order;
  const price = order.price ?? order.checkout?.price;
  return {
    ...namesOf(order, showing),
    ...(order.quote === null ? unasked(order) : askedOf(order, showing)),
    ...(price && toPriceData(price)),
    status: order.status,
    exception: order.exception,
    version: order.version,
    paid_amount: quote ? amountOf(quote, order.paidUnits) : exactNumber("0"),
    tx_hash: settlingTxHash(order),
    transfers: order.transfers.map(toTransferData),
    callback: toCallbackData(order.callback),
    notify_url: order.notifyUrl && toUri(order.notifyUrl),
    redirect_url: order.redirectUrl && toUri(order.redirectUrl),
    subject: order.subject,
    metadata: order.metadata === null ? null : new JsonText(order.metadata),
    created_at: unixSeconds(order.createdAt),
    paid_at: order.paidAt && unixSeconds(order.paidAt),
  };
}

function toPriceData(price: Pick<OrderPrice, "fiat" | "amount"> & Partial<OrderPrice>): PriceData {
  return {
    fiat: price.fiat,
    fiat_amount: exactNumber(price.amount),
    rate: price.rate ?? null,
    rate_source: price.source ?? null,
    rate_at: price.at ? unixSeconds(new Date(price.at)) : null,
  };
}

function toTransferData(transfer: OrderTransfer): TransferData {
  const network = getNetwork(transfer.network);
  return {
    tx_hash: displayTxId(network.family, transfer.txId),
    amount: amountOf(transfer, transfer.baseUnits),
    status: transfer.status,
    confirmations: transfer.confirmations,
    required_confirmations: transfer.requiredConfirmations,
    seen_at: unixSeconds(transfer.seenAt),
    explorer_url: transactionUrl(network, transfer.txId),
  };
}

function settlingTxHash({ settledTxId, transfers, quote }: OrderDetail): string | null {
  const network = transfers.find(({ txId }) => txId === settledTxId)?.network ?? quote?.network;
  if (settledTxId === null || network === undefined) return null;
  return displayTxId(getNetwork(network).family, settledTxId);
}

function toCallbackData(callback: OrderCallback | null): CallbackData {
  return {
    status: callback?.status ?? "none",
    attempts: callback?.attempts ?? 0,
    last_http_status: callback?.lastHttpStatus ?? null,
    delivered_at: callback?.deliveredAt ? unixSeconds(callback.deliveredAt) : null,
  };
}

const amountOf = ({ network, currency }: { network: string; currency: Currency }, units: bigint) =>
  exactNumber(formatUnits(units, getToken(getNetwork(network), currency).decimals));

const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);
