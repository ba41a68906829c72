import { buyByEpay, readEpayCallback } from "@/sandbox/shop/protocols/epay";
import { buyByEpusdt, readEpusdtCallback } from "@/sandbox/shop/protocols/epusdt";
import { buyByGreenfield, readGreenfieldCallback } from "@/sandbox/shop/protocols/greenfield";
import { type ApiAccess, buyByApi, readApiCallback } from "@/sandbox/shop/protocols/merchant-api";
import type { Bought, OrderEventType, PluginAccess, Wanted } from "@/sandbox/shop/protocols/order";

/** The protocols that the shop supports, the usual one first. */
export const PROTOCOLS = ["api", "epay", "epusdt", "greenfield"] as const;
export type Protocol = (typeof PROTOCOLS)[number];
/** The display names of the protocols for buyers. */
export const NAMES: Readonly<Record<Protocol, string>> = {
  api: "the API",
  epay: "EPay (易支付)",
  epusdt: "epusdt / BEpusdt",
  greenfield: "BTCPay Greenfield",
};

export type PluginAccesses = Record<Exclude<Protocol, "api">, PluginAccess>;

/** The URL of the service and the shop's settings. */
export interface ShopAccess extends ApiAccess {
  baseUrl: string;
  plugins: PluginAccesses;
}

/** Creates an order for a buyer. @throws Error with a message */
export function buy({ baseUrl, plugins, ...access }: ShopAccess, protocol: Protocol, wanted: Wanted): Promise<Bought> {
  if (protocol === "epay") return buyByEpay(baseUrl, plugins.epay, wanted);
  if (protocol === "greenfield") return buyByGreenfield(baseUrl, plugins.greenfield, wanted);
  return protocol === "epusdt" ? buyByEpusdt(baseUrl, plugins.epusdt, wanted) : buyByApi(baseUrl, access, wanted);
}

/** The result of a callback and the shop's response. */
export interface Receipt {
  verified: boolean;
  events: OrderEventType | null;
  status: 200 | 401;
  answer: string;
}

/**
 * Reads a callback, and accepts it if its signature is valid.
 * @param body the query for EPay, whose callbacks have no body
 */
export function receive(
  { apiSecret, plugins }: ShopAccess,
  protocol: Protocol,
  { body, headers }: { body: string; headers: Record<string, string> },
): Receipt {
  if (protocol === "api") {
    const events = readApiCallback(body, headers, apiSecret);
    if (events === null) return { verified: false, events, status: 401, answer: "The signature is invalid" };
    return { verified: true, events: events === "unknown" ? null : events, status: 200, answer: "ok" };
  }
  if (protocol === "greenfield") {
    const events = readGreenfieldCallback(body, headers, plugins.greenfield.key);
    if (events === null) return { verified: false, events, status: 401, answer: "The signature is invalid" };
    return { verified: true, events, status: 200, answer: "" };
  }
  // The other protocols evaluate only the text of the response, so the shop also uses status 200 to reject a callback.
  const events =
    protocol === "epay" ? readEpayCallback(body, plugins.epay.key) : readEpusdtCallback(body, plugins.epusdt.key);
  const yes = protocol === "epay" ? "success" : "ok";
  return { verified: events !== null, events, status: 200, answer: events ? yes : "fail" };
}
