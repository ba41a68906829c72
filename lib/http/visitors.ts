import { isIPv6 } from "node:net";
import type { Env } from "@/lib/config/env";
import type { Log } from "@/lib/log";

/** The limits of requests without a key, counted in this process only, so that a flood of requests causes no queries. */
export interface Visitors {
  /**
   * Counts a view, or an action that costs as much as several views.
   * @returns 0, or the seconds until the next view is allowed
   */
  view(request: Headed, now: Date, cost?: number): number;
  /** Returns the address of a request for limits that all processes share; null if requests are not counted. */
  countedAddress(request: Headed): string | null;
  /** Counts an open event stream; `close` ends it and may be called repeatedly. */
  openStream(request: Headed, now: Date): { close: () => void } | { refused: "address" | "process" };
}

/** A request with the headers that show its origin, independent of the server that received it. */
export type Headed = { headers: { get(name: string): string | null } } | { header(name: string): string | null };

type Limits = Pick<Env, "viewsPerMinute" | "streamsPerAddress" | "isSandbox" | "trustedProxies">;

/** The maximum number of streams of one process. */
const MAX_STREAMS = 10_000;
/** The maximum burst: the views that are allowed in two minutes. */
const BURST_MS = 120_000;
const MAX_ADDRESSES = 50_000;
const REPEAT_AFTER_MS = 60_000;
const REFUSED =
  "requests from one address exceed the limit and are rejected. If this is your own reverse proxy, set TRUSTED_PROXIES";

/**
 * Creates limits per address: the whole IPv4 address, or the /64 network of an IPv6 address. Behind trusted proxies, it is the address
 * that they report.
 */
export function createVisitors(limits: Limits, log: Log): Visitors {
  const { isSandbox, trustedProxies } = limits;
  const [views, maxStreams] = isSandbox ? [null, null] : [limits.viewsPerMinute, limits.streamsPerAddress];
  /** The time when all views of an address are available again, in Unix milliseconds; the least recently seen address first. */
  const fullAt = new Map<string, number>();
  const streams = new Map<string, number>();
  let open = 0;
  let printedAt = Number.NEGATIVE_INFINITY;
  const addressOf = (request: Headed) => {
    const sent = "header" in request ? request.header("x-forwarded-for") : request.headers.get("x-forwarded-for");
    return addressNetwork(clientAddress(sent, trustedProxies));
  };

  function logRefusal(address: string, what: string, now: Date): void {
    if (now.getTime() - printedAt < REPEAT_AFTER_MS) return;
    printedAt = now.getTime();
    log.warn({ address, what }, REFUSED);
  }

  return {
    view(request, now, cost = 1) {
      if (views === null) return 0;
      const address = addressOf(request);
      const time = now.getTime();
      const next = Math.max(time, fullAt.get(address) ?? 0) + (60_000 / views) * cost;
      if (next - time > BURST_MS) {
        logRefusal(address, "views", now);
        return Math.ceil((next - time - BURST_MS) / 1_000);
      }
      fullAt.delete(address);
      fullAt.set(address, next);
      const [oldest] = fullAt.keys();
      if (fullAt.size > MAX_ADDRESSES && oldest !== undefined) fullAt.delete(oldest);
      return 0;
    },
    countedAddress: (request) => (isSandbox ? null : addressOf(request)),
    openStream(request, now) {
      const address = addressOf(request);
      const count = streams.get(address) ?? 0;
      if (maxStreams !== null && count >= maxStreams) {
        logRefusal(address, "event streams", now);
        return { refused: "address" };
      }
      if (open >= MAX_STREAMS) return { refused: "process" };
      open += 1;
      streams.set(address, count + 1);
      let isOpen = true;
      return {
        close() {
          if (!isOpen) return;
          isOpen = false;
          open -= 1;
          const left = (streams.get(address) ?? 1) - 1;
          if (left > 0) streams.set(address, left);
          else streams.delete(address);
        },
      };
    },
  };
}

/**
 * Returns the address that a request came from. `server.ts` ensures that without proxies X-Forwarded-For contains only the socket's peer.
 * Behind `trustedProxies`, it is the entry that the outermost of them wrote; entries to its left cannot be trusted.
 */
export function clientAddress(forwardedFor: string | null, trustedProxies: number): string {
  const entries = (forwardedFor ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
  return entries.at(-Math.max(1, trustedProxies)) ?? entries[0] ?? "unknown";
}

/** Returns the part of an address that a client can hardly change: the whole IPv4 address, or the /64 network of an IPv6 address. */
export function addressNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.toLowerCase().split("%")[0]?.split("::") ?? [];
  const front = head.split(":").filter(Boolean);
  const back = (tail ?? "").split(":").filter(Boolean);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(zeros).fill("0"), ...back].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
