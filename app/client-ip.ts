/**
 * The address a request came from. Behind `trustedProxies` reverse proxies it is the entry that the outermost of them
 * wrote into X-Forwarded-For; what stands left of it is the client's own claim.
 */
export function clientIp(headers: Readonly<Record<string, unknown>>, trustedProxies: number): string {
  const forwarded = String(headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
  return forwarded.at(-Math.max(1, trustedProxies)) ?? "unknown";
}
