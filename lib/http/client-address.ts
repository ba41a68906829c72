import { isIPv6 } from "node:net";

/**
 * The address a request came from. `server.ts` makes sure that without proxies X-Forwarded-For holds the socket's peer
 * alone; behind `trustedProxies` it is the entry that the outermost of them wrote, what stands left of it is hearsay.
 */
export function clientAddress(forwardedFor: string | null, trustedProxies: number): string {
  const entries = (forwardedFor ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
  return entries.at(-Math.max(1, trustedProxies)) ?? entries[0] ?? "unknown";
}

/** What a client can hardly change about its address: all of IPv4, the /64 network of IPv6. */
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
