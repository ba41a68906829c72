import * as z from "zod";
import type { Network } from "@/lib/domain/networks";
import { type Budget, parseBudget } from "@/lib/domain/networks/budget";

/** HTTP headers of every call to an endpoint, such as an API key. Their values are secrets. */
export type RpcHeaders = Readonly<Record<string, string>>;

/** The settings of the enabled networks; each map is keyed by the network's id. */
export interface NetworkSettings {
  rpcUrls: ReadonlyMap<string, readonly string[]>;
  /** The headers, one entry per URL. */
  rpcHeaders: ReadonlyMap<string, readonly RpcHeaders[]>;
  /** The number of endpoints that must agree before a payment is confirmed; the default is one. */
  quorums: ReadonlyMap<string, number>;
  /** The limits of each endpoint, one entry per URL; networks without limits are absent. */
  budgets: ReadonlyMap<string, readonly Budget[]>;
  /** The WebSocket URLs that announce new heads, one entry per URL, null for none; networks without any are absent. */
  socketUrls: ReadonlyMap<string, readonly (string | null)[]>;
}

const HeaderSet = z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string().regex(/^[\x20-\x7e]*$/));
const Headers = z.union([HeaderSet, z.array(HeaderSet)]);

/**
 * Reads `<ID>_RPC_URLS`, `<ID>_RPC_HEADERS`, `<ID>_RPC_BUDGETS`, `<ID>_WS_URLS` and `<ID>_QUORUM` of all networks. Errors are added to
 * `problems`, without header values and without the keys in URLs.
 */
export function readNetworkSettings(
  networks: readonly Network[],
  given: Readonly<Record<string, string>>,
  problems: string[],
): NetworkSettings {
  const rpcUrls = new Map<string, readonly string[]>();
  const rpcHeaders = new Map<string, readonly RpcHeaders[]>();
  const quorums = new Map<string, number>();
  const budgets = new Map<string, readonly Budget[]>();
  const socketUrls = new Map<string, readonly (string | null)[]>();
  const names = networks.map(({ id }) => `${id.toUpperCase()}_RPC_URLS`);
  if (names.every((name) => urlsOf(given[name]).length === 0)) {
    problems.push(`No network is enabled; set at least one of ${names.join(", ")} to one or more node URLs`);
  }
  for (const { id, family } of networks) {
    const urls = readUrls(id, given, problems);
    const headers = readHeaders(id, given, urls.length, problems);
    const quorum = readQuorum(id, given, urls.length, problems);
    const ofNetwork = readBudgets(id, given, urls.length, problems);
    const sockets = readSockets({ id, family }, given, urls.length, problems);
    if (urls.length === 0) continue;
    rpcUrls.set(id, urls);
    rpcHeaders.set(id, headers);
    if (quorum > 1) quorums.set(id, quorum);
    if (ofNetwork) budgets.set(id, ofNetwork);
    if (sockets) socketUrls.set(id, sockets);
  }
  return { rpcUrls, rpcHeaders, quorums, budgets, socketUrls };
}

function urlsOf(text = ""): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

function readUrls(id: string, given: Readonly<Record<string, string>>, problems: string[]): string[] {
  const name = `${id.toUpperCase()}_RPC_URLS`;
  const urls = urlsOf(given[name]);
  const bad = urls.filter((url) => !["http:", "https:"].includes(URL.parse(url)?.protocol ?? ""));
  if (bad.length > 0) {
    problems.push(`${name} must be a comma-separated list of http(s) URLs; got ${bad.map(quoteUrl).join(", ")}`);
  }
  return urls;
}

/** Returns a refused URL in quotes, without the parts that may contain keys: the login, and everything after the host. */
function quoteUrl(text: string): string {
  const scheme = /^[a-z][a-z+.-]*:\/\//i.exec(text)?.[0] ?? "";
  const [host = "", ...path] = text.slice(Math.max(scheme.length, text.lastIndexOf("@") + 1)).split(/[/?#]/);
  return `"${scheme}${host}${path.length > 0 ? "/…" : ""}"`;
}

function readHeaders(id: string, given: Readonly<Record<string, string>>, urls: number, problems: string[]) {
  const name = `${id.toUpperCase()}_RPC_HEADERS`;
  const all = (headers: RpcHeaders): RpcHeaders[] => Array<RpcHeaders>(urls).fill(headers);
  const text = given[name];
  if (text === undefined) return all({});
  const parsed = Headers.safeParse(parseJson(text));
  if (!parsed.success) {
    problems.push(
      `${name} must be a JSON object of header names and values such as {"TRON-PRO-API-KEY":"…"}, or a JSON list with one such object per URL`,
    );
    return all({});
  }
  if (!Array.isArray(parsed.data)) return all(parsed.data);
  if (urls > 0 && parsed.data.length !== urls) {
    problems.push(
      `${name} is a list of ${parsed.data.length}, but ${id.toUpperCase()}_RPC_URLS has ${urls}; give one object per URL, {} where there are no headers`,
    );
  }
  return parsed.data;
}

function readQuorum(id: string, given: Readonly<Record<string, string>>, urls: number, problems: string[]): number {
  const name = `${id.toUpperCase()}_QUORUM`;
  const text = given[name] ?? "1";
  const quorum = Number(text);
  if (!/^[1-9]\d?$/.test(text.trim())) {
    problems.push(`${name} must be the number of endpoints that must agree before a payment is confirmed, 1 to 99`);
    return 1;
  }
  if (urls > 0 && quorum > urls) {
    problems.push(
      `${name} is ${quorum}, but ${id.toUpperCase()}_RPC_URLS has ${urls === 1 ? "one endpoint" : `${urls} endpoints`}, so no payment could ever be confirmed. Add endpoints or lower the quorum`,
    );
  }
  return quorum;
}

function readBudgets(id: string, given: Readonly<Record<string, string>>, urls: number, problems: string[]) {
  const name = `${id.toUpperCase()}_RPC_BUDGETS`;
  const texts = urlsOf(given[name]);
  if (texts.length === 0) return null;
  const budgets = texts.map(parseBudget);
  const bad = texts.filter((_, index) => budgets[index] === null).map((text) => `"${text}"`);
  if (bad.length > 0)
    problems.push(
      `${name} must be a comma-separated list with one budget per URL such as "100000/day 15/s" or "3000000/month", "-" for none; got ${bad.join(", ")}`,
    );
  if (urls > 0 && texts.length !== urls)
    problems.push(
      `${name} is a list of ${texts.length}, but ${id.toUpperCase()}_RPC_URLS has ${urls}; give one budget per URL, or "-" for none`,
    );
  return budgets.map((budget) => budget ?? {});
}

function readSockets(
  { id, family }: Pick<Network, "id" | "family">,
  given: Readonly<Record<string, string>>,
  urls: number,
  problems: string[],
) {
  const name = `${id.toUpperCase()}_WS_URLS`;
  const texts = urlsOf(given[name]);
  if (texts.length === 0) return null;
  const sockets = texts.map((text) => (text === "-" ? null : text));
  const bad = sockets.flatMap((url) => (url === null || isSocketUrl(url) ? [] : [url]));
  if (bad.length > 0)
    problems.push(
      `${name} must be a comma-separated list of ws(s) URLs without "#", "-" for none; got ${bad.map(quoteUrl).join(", ")}`,
    );
  if (family === "tron")
    problems.push(`${name} is not supported: TRON nodes announce no new blocks. Remove the setting`);
  if (urls > 0 && texts.length !== urls)
    problems.push(
      `${name} is a list of ${texts.length}, but ${id.toUpperCase()}_RPC_URLS has ${urls}; give one WebSocket URL per URL, or "-" for none`,
    );
  return sockets;
}

/** Returns true if a text is the URL of a WebSocket, which has no fragment. */
function isSocketUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && ["ws:", "wss:"].includes(url.protocol) && !text.includes("#");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
