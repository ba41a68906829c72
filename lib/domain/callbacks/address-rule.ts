import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { type Problem, problem } from "@/lib/domain/problems/problem";

/**
 * Ranges that are not ordinary public hosts, with their descriptions. Sources: the IANA IPv4 and IPv6 Special-Purpose Address Registries
 * (RFC 6890), the IANA multicast registries, RFC 5156 (6bone). IPv6 outside 2000::/3 is rejected as a whole; its ranges are listed only
 * for clearer messages.
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
 * The addresses at which cloud providers serve instance metadata, including credentials. An allowed range that contains them does not
 * allow them. Sources: the instance-metadata pages of AWS (also ECS, EKS and IPv6), Google Cloud, Azure (also its wire server), Alibaba
 * Cloud, Oracle Cloud and Tencent Cloud.
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
 * The top-level labels of names that only a local network resolves. Sources: RFC 6762 (.local and its appendix G), RFC 8375 (home.arpa),
 * the ICANN reservation of .internal.
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

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

/** The ranges ("10.1.0.0/16") that the operator allowed besides the public internet. */
export interface AddressPolicy {
  allowCidrs: readonly string[];
}

const MAX_URL_CHARACTERS = 2_048;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const PARSED_RANGES = SPECIAL_RANGES.map(([cidr, what]) => ({ range: parseRange(cidr), what }));
const GLOBAL_UNICAST = parseRange("2000::/3");
const METADATA = new Set(METADATA_ADDRESSES);
const RANGES = new WeakMap<readonly string[], readonly Range[]>();

/**
 * Reads an absolute http(s) URL of at most 2,048 characters.
 * @param example a valid URL for the message of the problem
 */
export function readHttpUrl(text: string, example: string): { url: URL } | { problem: Problem } {
  if (text.length > MAX_URL_CHARACTERS && [...text].length > MAX_URL_CHARACTERS) {
    return { problem: problem("url_too_long", { max: MAX_URL_CHARACTERS }) };
  }
  const url = /^https?:\/\/[^/\\]/i.test(text) && !/[\s\p{Cc}\p{Cs}]/u.test(text) ? URL.parse(text) : null;
  if (!url) return { problem: problem("url_malformed", { given: shorten(text), example }) };
  return url.username || url.password ? { problem: problem("url_with_credentials") } : { url };
}

/**
 * Validates the parts of a callback URL that need no DNS: its form, its port, literal addresses in any notation, local names.
 * @returns null if callbacks may be sent to the URL; otherwise the problem
 */
export function validateCallbackUrl(text: string, policy: AddressPolicy): Problem | null {
  const read = readHttpUrl(text, "https://shop.example.com/callback");
  if ("problem" in read) return read.problem;
  const { url } = read;
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (port !== 80 && port !== 443 && port < 1024) return problem("url_port_forbidden", { port });
  return checkHost(url.hostname, policy);
}

/**
 * Checks the address of a planned or established connection: it must be public unicast or within an allowed range.
 * @param ip an address without brackets; a zone id is rejected.
 * @returns null when it is allowed, or a description of the address ("a private address (RFC 1918)").
 */
export function checkPeer(ip: string, policy: AddressPolicy): string | null {
  if (isIP(ip) === 0 || ip.includes("%")) return "not a plain IP address";
  const address: Address = ipaddr.parse(ip);
  const opened = openedRanges(policy.allowCidrs).filter((range) => isWithin(address, range));
  if (METADATA.has(address.toString())) {
    const isOpenedByOne = opened.some(([, bits]) => bits === (address.kind() === "ipv4" ? 32 : 128));
    return isOpenedByOne ? null : "a cloud metadata address";
  }
  if (opened.length > 0) return null;
  const special = PARSED_RANGES.find(({ range }) => isWithin(address, range));
  if (special) return special.what;
  if (address instanceof ipaddr.IPv6) return checkIpv6(address);
  return null;
}

/** Returns the host of a URL in the form that sockets and resolvers require: no brackets around IPv6, no trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

function checkHost(hostname: string, policy: AddressPolicy): Problem | null {
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (isIP(host) !== 0) {
    const kind = checkPeer(host, policy);
    return kind === null ? null : problem("url_host_not_public", { host, kind });
  }
  const labels = host.split(".");
  if (host.length > 253 || !labels.every((label) => LABEL.test(label)))
    return problem("url_host_malformed", { host: shorten(host) });
  if (labels.at(-1) === "localhost") {
    const isOpen = ["127.0.0.1", "::1"].some((ip) => checkPeer(ip, policy) === null);
    return isOpen ? null : problem("url_host_is_this_machine", { host });
  }
  const isLocal = labels.length === 1 || LOCAL_ZONES.some((zone) => host === zone || host.endsWith(`.${zone}`));
  if (!isLocal || policy.allowCidrs.length > 0) return null;
  return problem("url_host_is_local", { host: shorten(host) });
}

function checkIpv6(address: ipaddr.IPv6): string | null {
  if (!isWithin(address, GLOBAL_UNICAST)) return "outside the global unicast addresses (RFC 4291)";
  const [, , , , high = 0, low] = address.parts;
  const isIsatap = low === 0x5efe && (high & ~0x0200) === 0;
  return isIsatap ? "an ISATAP address with IPv4 inside (RFC 5214)" : null;
}

/** Returns a policy's ranges, parsed once, because they are checked for every address of every callback. */
function openedRanges(cidrs: readonly string[]): readonly Range[] {
  const known = RANGES.get(cidrs) ?? cidrs.map(parseRange);
  RANGES.set(cidrs, known);
  return known;
}

function parseRange(cidr: string): Range {
  return ipaddr.parseCIDR(cidr);
}

function isWithin(address: Address, [base, bits]: Range): boolean {
  if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, bits);
  return base instanceof ipaddr.IPv6 && address.match(base, bits);
}

function shorten(text: string): string {
  const shown = text.replace(/\p{Cc}/gu, "?");
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
}
