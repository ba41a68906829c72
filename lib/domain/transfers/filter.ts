import { firstValue, type ListPlace, type SearchParams } from "@/lib/domain/list-place";
import { CURRENCIES, type Currency, findNetwork } from "@/lib/domain/networks";
import {
  TRANSFER_STATUSES,
  type TransferStatus,
  UNMATCHED_REASONS,
  type UnmatchedReason,
} from "@/lib/domain/transfers/transfer";

/** Which transfers a list shows; lives only in the URL. */
export interface TransferFilter {
  /** Only those that no order asked for and no reorg took back. */
  isUnmatched?: true;
  reason?: UnmatchedReason;
  /** Id of a network. */
  network?: string;
  currency?: Currency;
  status?: TransferStatus;
  /** Transaction hash or address. */
  text?: string;
}

const TEXT_LIMIT = 100;

/** Reads a filter from the parameters of a URL; what makes no sense is left out. */
export function parseTransferFilter(params: SearchParams): TransferFilter {
  const filter: TransferFilter = {};
  const reason = UNMATCHED_REASONS.find((known) => known === firstValue(params["reason"]));
  const network = findNetwork(firstValue(params["network"]));
  const currency = CURRENCIES.find((known) => known === firstValue(params["currency"]));
  const status = TRANSFER_STATUSES.find((known) => known === firstValue(params["status"]));
  const text = firstValue(params["q"]).trim().slice(0, TEXT_LIMIT);
  if (firstValue(params["show"]) === "unmatched") filter.isUnmatched = true;
  if (reason) filter.reason = reason;
  if (network) filter.network = network.id;
  if (currency) filter.currency = currency;
  if (status) filter.status = status;
  if (text) filter.text = text;
  return filter;
}

/** Writes a filter and a place as a query string, "" when there is nothing to say. */
export function writeTransferFilter(filter: TransferFilter, place: ListPlace = null): string {
  const params = new URLSearchParams();
  if (filter.isUnmatched) params.set("show", "unmatched");
  if (filter.text) params.set("q", filter.text);
  if (filter.reason) params.set("reason", filter.reason);
  if (filter.network) params.set("network", filter.network);
  if (filter.currency) params.set("currency", filter.currency);
  if (filter.status) params.set("status", filter.status);
  for (const [name, id] of Object.entries(place ?? {})) params.set(name, id);
  const text = params.toString();
  return text ? `?${text}` : "";
}
