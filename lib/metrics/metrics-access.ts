import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Who may read numbers: whoever shows the token, this machine, both, or nobody. */
export interface MetricsAccess {
  metricsToken: string | null;
  isMetricsLocal: boolean;
}

/** Whether numbers are kept at all. */
export const hasMetrics = ({ metricsToken, isMetricsLocal }: MetricsAccess): boolean =>
  metricsToken !== null || isMetricsLocal;

/** @param address of whoever asks, as limits count it */
export function mayReadMetrics(access: MetricsAccess, authorization: string | null, address: string): boolean {
  if (access.isMetricsLocal && isLoopback(address)) return true;
  return access.metricsToken !== null && isSame(`Bearer ${access.metricsToken}`, authorization ?? "");
}

function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.process(address).range() === "loopback";
}

/** Of equal length whatever was sent. */
function isSame(wanted: string, sent: string): boolean {
  const [one, other] = [wanted, sent].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
