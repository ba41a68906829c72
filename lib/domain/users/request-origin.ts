/** The origin of an action: the IP address (for IPv6 the network) and the browser's display name. */
export interface RequestOrigin {
  ip: string;
  browser: string;
}

/** A place on one line; "" where none is known. */
export function originText(origin: RequestOrigin | undefined): string {
  return origin ? [origin.ip, origin.browser].filter(Boolean).join(" · ") : "";
}

/** A network that tries are counted for, and how many times the tries of one visitor it may have. */
export interface CountedNetwork {
  network: string;
  times: number;
}

/**
 * Returns the networks that the tries of a visitor are counted for: their own, and around an IPv6 network the /48 that one subscriber may
 * hold whole.
 * @param ip an IPv4 address, or an IPv6 network as "2001:db8:1:2::/64"
 */
export function countedNetworks(ip: string): CountedNetwork[] {
  const groups = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/.exec(ip)?.[1];
  const own = { network: ip, times: 1 };
  return groups ? [own, { network: `${groups}::/48`, times: 4 }] : [own];
}
