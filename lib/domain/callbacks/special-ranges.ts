/**
 * Ranges that are no ordinary public host, and what to call them.
 * Sources: the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890), the IANA multicast registries,
 * RFC 5156 (6bone). IPv6 outside 2000::/3 is refused as a whole; what is listed of it here only gives better words.
 */
export const SPECIAL_RANGES: readonly (readonly [cidr: string, what: string])[] = [
  ["0.0.0.0/8", "an address of this network (RFC 791)"],
  ["10.0.0.0/8", "a private address (RFC 1918)"],
  ["100.64.0.0/10", "a carrier-grade NAT address (RFC 6598)"],
  ["127.0.0.0/8", "a loopback address"],
  ["169.254.0.0/16", "a link-local address (RFC 3927)"],
  ["172.16.0.0/12", "a private address (RFC 1918)"],
  ["192.0.0.0/24", "an address for protocol assignments (RFC 6890)"],
  ["192.0.2.0/24", "a documentation address (RFC 5737)"],
  ["192.31.196.0/24", "an AS112 address (RFC 7535)"],
  ["192.52.193.0/24", "an AMT address (RFC 7450)"],
  ["192.88.99.0/24", "a 6to4 relay address (RFC 7526)"],
  ["192.168.0.0/16", "a private address (RFC 1918)"],
  ["192.175.48.0/24", "an AS112 address (RFC 7534)"],
  ["198.18.0.0/15", "a benchmarking address (RFC 2544)"],
  ["198.51.100.0/24", "a documentation address (RFC 5737)"],
  ["203.0.113.0/24", "a documentation address (RFC 5737)"],
  ["224.0.0.0/4", "a multicast address"],
  ["240.0.0.0/4", "a reserved or broadcast address (RFC 1112)"],
  ["::/128", "the unspecified address"],
  ["::1/128", "a loopback address"],
  ["::/96", "an IPv4-compatible address (RFC 4291)"],
  ["::ffff:0:0/96", "an IPv4-mapped address (RFC 4291)"],
  ["::ffff:0:0:0/96", "an IPv4-translated address (RFC 2765)"],
  ["64:ff9b::/96", "a NAT64 address (RFC 6052)"],
  ["64:ff9b:1::/48", "a NAT64 address (RFC 8215)"],
  ["100::/64", "a discard-only address (RFC 6666)"],
  ["100:0:0:1::/64", "a dummy prefix address (RFC 9780)"],
  ["2001::/32", "a Teredo address (RFC 4380)"],
  ["2001:2::/48", "a benchmarking address (RFC 5180)"],
  ["2001::/23", "an address for protocol assignments (RFC 2928)"],
  ["2001:db8::/32", "a documentation address (RFC 3849)"],
  ["2002::/16", "a 6to4 address (RFC 3056)"],
  ["2620:4f:8000::/48", "an AS112 address (RFC 7534)"],
  ["3ffe::/16", "a 6bone address (RFC 5156)"],
  ["3fff::/20", "a documentation address (RFC 9637)"],
  ["5f00::/16", "a segment routing address (RFC 9602)"],
  ["fc00::/7", "a unique local address (RFC 4193)"],
  ["fe80::/10", "a link-local address (RFC 4291)"],
  ["fec0::/10", "a site-local address (RFC 3879)"],
  ["ff00::/8", "a multicast address"],
];

/**
 * Where clouds answer questions about the machine, credentials included. A wider opened range does not open them.
 * Sources: the instance-metadata pages of AWS (also ECS, EKS and IPv6), Google Cloud, Azure (also its wire server),
 * Alibaba Cloud, Oracle Cloud and Tencent Cloud.
 */
export const METADATA_ADDRESSES: readonly string[] = [
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "169.254.0.23",
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
];

/**
 * Last labels of names that only a local network resolves.
 * Sources: RFC 6762 (.local and its appendix G), RFC 8375 (home.arpa), the ICANN reservation of .internal.
 */
export const LOCAL_ZONES: readonly string[] = [
  "local",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "home.arpa",
];
