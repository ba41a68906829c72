import type { Echo } from "@/lib/domain/integration-id";
import { getNetwork } from "@/lib/domain/networks";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import type { SignatureMethod } from "@/lib/integrations/epusdt/signature";

/**
 * The API of the request that created an order, which determines the shape of its responses and callbacks. `original`: epusdt and BEpusdt;
 * `epay`: EPay V1 with the credentials of GMPay.
 */
export type EpusdtApi = "original" | "gmpay" | "epay";

/** Returns the API that created an order. */
export function apiOf(echo: Echo | null): EpusdtApi {
  const api = echo?.["api"];
  return api === "gmpay" || api === "epay" ? api : "original";
}

/** Returns the algorithm that signed the request for an order, which also signs its callback. */
export function methodOfEcho(echo: Echo | null): SignatureMethod {
  return echo?.["signature"] === "hmac-sha256" ? "hmac-sha256" : "md5";
}

/** The statuses of BEpusdt (its `app/model/order.go`). The original epusdt has the first three. */
export const EPUSDT_STATUS = { waiting: 1, paid: 2, expired: 3, cancelled: 4, confirming: 5 } as const;

/** The statuses of GMPay, in which 4 is an order whose payer has not chosen a method. */
const GMPAY_STATUS = { waiting: 1, paid: 2, closed: 3, unselected: 4 } as const;

/** Returns the status of an order as a number of the API that created it. */
export function epusdtStatus({ echo, status, quote }: OrderDetail): number {
  if (status === "paid") return EPUSDT_STATUS.paid;
  if (apiOf(echo) === "original") return status === "pending" ? EPUSDT_STATUS.waiting : EPUSDT_STATUS[status];
  if (status === "expired" || status === "cancelled") return GMPAY_STATUS.closed;
  return quote === null ? GMPAY_STATUS.unselected : GMPAY_STATUS.waiting;
}

/** GMPay's names for networks that differ from their ids; each is an alias of its network. Source: epusdt's `mdb/wallet_address_mdb.go`. */
const GMPAY_NAMES: ReadonlySet<string> = new Set(["binance"]);

/** Returns the name of a network in GMPay; "" for null. @param id the id of a network */
export function gmpayNetwork(id: string | null): string {
  return id === null ? "" : (getNetwork(id).aliases.find((alias) => GMPAY_NAMES.has(alias)) ?? id);
}
