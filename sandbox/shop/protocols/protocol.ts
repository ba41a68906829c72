import { buyByEpay, readEpayNews } from "@/sandbox/shop/protocols/epay";
import { buyByEpusdt, readEpusdtNews } from "@/sandbox/shop/protocols/epusdt";
import { buyByGreenfield, readGreenfieldNews } from "@/sandbox/shop/protocols/greenfield";
import { type ApiAccess, buyByApi, readApiNews } from "@/sandbox/shop/protocols/merchant-api";
import type { Bought, News, PluginAccess, Wanted } from "@/sandbox/shop/protocols/order";

/** The protocols that the shop speaks, the usual one first. */
export const PROTOCOLS = ["api", "epay", "epusdt", "greenfield"] as const;
export type Protocol = (typeof PROTOCOLS)[number];
/** The names for buyers. */
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
  news: News | null;
  status: 200 | 401;
  answer: string;
}

/** Reads a callback, and believes it where its signature fits. @param body of EPay, whose callbacks have none: the query */
export function receive(
  { apiSecret, plugins }: ShopAccess,
  protocol: Protocol,
  { body, headers }: { body: string; headers: Record<string, string> },
): Receipt {
  if (protocol === "api") {
    const news = readApiNews(body, headers, apiSecret);
    if (news === null) return { verified: false, news, status: 401, answer: "The signature is invalid" };
    return { verified: true, news: news === "unknown" ? null : news, status: 200, answer: "ok" };
  }
  if (protocol === "greenfield") {
    const news = readGreenfieldNews(body, headers, plugins.greenfield.key);
    if (news === null) return { verified: false, news, status: 401, answer: "The signature is invalid" };
    return { verified: true, news, status: 200, answer: "" };
  }
  // Shops of the others refuse with status 200: only the word counts.
  const news = protocol === "epay" ? readEpayNews(body, plugins.epay.key) : readEpusdtNews(body, plugins.epusdt.key);
  const yes = protocol === "epay" ? "success" : "ok";
  return { verified: news !== null, news, status: 200, answer: news ? yes : "fail" };
}
