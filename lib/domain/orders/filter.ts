import { firstValue, type ListPlace, type SearchParams } from "@/lib/domain/list-place";
import { CURRENCIES, type Currency, findNetwork } from "@/lib/domain/networks";
import { ORDER_STATUSES, type OrderStatus } from "@/lib/domain/orders/order";

/** Which orders a list shows; lives only in the URL. */
export interface OrderFilter {
  status?: OrderStatus;
  /** Id of a network. */
  network?: string;
  currency?: Currency;
  /** Only orders whose callback fares so. */
  callback?: CallbackStatus;
  /** Order id, the merchant's own number, transaction hash or address. */
  text?: string;
}

export const CALLBACK_STATUSES = ["pending", "delivered", "failed"] as const;
export type CallbackStatus = (typeof CALLBACK_STATUSES)[number];

const TEXT_LIMIT = 100;

/** Reads a filter from the parameters of a URL; what makes no sense is left out. */
export function parseOrderFilter(params: SearchParams): OrderFilter {
  const filter: OrderFilter = {};
  const status = ORDER_STATUSES.find((known) => known === firstValue(params["status"]));
  const network = findNetwork(firstValue(params["network"]));
  const currency = CURRENCIES.find((known) => known === firstValue(params["currency"]));
  const callback = CALLBACK_STATUSES.find((known) => known === firstValue(params["callback"]));
  const text = firstValue(params["q"]).trim().slice(0, TEXT_LIMIT);
  if (status) filter.status = status;
  if (network) filter.network = network.id;
  if (currency) filter.currency = currency;
  if (callback) filter.callback = callback;
  if (text) filter.text = text;
  return filter;
}

/** Writes a filter and a place as a query string, "" when there is nothing to say. */
export function writeOrderFilter(filter: OrderFilter, place: ListPlace = null): string {
  const params = new URLSearchParams();
  if (filter.text) params.set("q", filter.text);
  if (filter.status) params.set("status", filter.status);
  if (filter.network) params.set("network", filter.network);
  if (filter.currency) params.set("currency", filter.currency);
  if (filter.callback) params.set("callback", filter.callback);
  for (const [name, id] of Object.entries(place ?? {})) params.set(name, id);
  const text = params.toString();
  return text ? `?${text}` : "";
}
