import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The access to metrics: by token, from this machine, both, or none. */
export interface MetricsAccess {
  metricsToken: string | null;
  isMetricsLocal: boolean;
}

/** Returns true if metrics are collected at all. */
export const hasMetrics = ({ metricsToken, isMetricsLocal }: MetricsAccess): boolean =>
  metricsToken !== null || isMetricsLocal;

/**
 * Returns true if a client may read metrics. Headers can be forged, so `METRICS_ACCESS=loopback` checks only the
 * connection.
 * @param directPeer the peer of the socket; null if the request came through a proxy
 */
export function mayReadMetrics(
  access: MetricsAccess,
  authorization: string | null,
  directPeer: string | null,
): boolean {
  if (access.isMetricsLocal && directPeer !== null && isLoopback(directPeer)) return true;
  return access.metricsToken !== null && isSame(`Bearer ${access.metricsToken}`, authorization ?? "");
}

function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.process(address).range() === "loopback";
}

/** Compares two tokens in constant time, by their hashes, which have equal lengths. */
function isSame(wanted: string, sent: string): boolean {
  const [one, other] = [wanted, sent].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
