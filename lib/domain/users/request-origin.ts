/** The origin of an action: the IP address (for IPv6 the network) and the browser's display name. */
export interface RequestOrigin {
  ip: string;
  browser: string;
}

/** Returns an origin as one line of text; "" if it is unknown. */
export function originText(origin: RequestOrigin | undefined): string {
  return origin ? [origin.ip, origin.browser].filter(Boolean).join(" · ") : "";
}

/** A network for which attempts are counted, with its limit as a multiple of the limit of one visitor. */
export interface CountedNetwork {
  network: string;
  times: number;
}

/**
 * Returns the networks for which a visitor's attempts are counted: the visitor's own and, for an IPv6 network, the surrounding /48, which
 * one subscriber may control entirely.
 * @param ip an IPv4 address, or an IPv6 network as "2001:db8:1:2::/64"
 */
export function countedNetworks(ip: string): CountedNetwork[] {
  const groups = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/.exec(ip)?.[1];
  const own = { network: ip, times: 1 };
  return groups ? [own, { network: `${groups}::/48`, times: 4 }] : [own];
}
