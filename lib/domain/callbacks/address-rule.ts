import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { LOCAL_ZONES, METADATA_ADDRESSES, SPECIAL_RANGES } from "@/lib/domain/callbacks/special-ranges";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

/** Ranges ("10.1.0.0/16") that the operator opened besides the public internet. */
export interface AddressPolicy {
  allowCidrs: readonly string[];
}

const MAX_URL_CHARACTERS = 2_048;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const PARSED_RANGES = SPECIAL_RANGES.map(([cidr, what]) => ({ range: parseRange(cidr), what }));
const GLOBAL_UNICAST = parseRange("2000::/3");
const METADATA = new Set(METADATA_ADDRESSES);

/**
 * Reads an absolute http(s) URL of at most 2,048 characters.
 * @param example what would be right, for the words of a problem
 */
export function readHttpUrl(text: string, example: string): { url: URL } | { problem: string } {
  if (text.length > MAX_URL_CHARACTERS && [...text].length > MAX_URL_CHARACTERS) {
    return { problem: `is longer than ${MAX_URL_CHARACTERS} characters` };
  }
  const url = /^https?:\/\/[^/\\]/i.test(text) && !/[\s\p{Cc}\p{Cs}]/u.test(text) ? URL.parse(text) : null;
  return url ? { url } : { problem: `"${shorten(text)}" is not an absolute http or https URL such as ${example}` };
}

/**
 * Validates a callback URL as far as that needs no DNS: its form, its port, literal addresses in any notation, local names.
 * @returns null when callbacks may be tried there, or what is wrong in words for the merchant.
 */
export function validateCallbackUrl(text: string, policy: AddressPolicy): string | null {
  const read = readHttpUrl(text, "https://shop.example.com/callback");
  if ("problem" in read) return read.problem;
  const { url } = read;
  if (url.username || url.password) return "must not contain a user name or password";
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (port !== 80 && port !== 443 && port < 1024)
    return `uses port ${port}; only 80, 443 and 1024 to 65535 are allowed`;
  return checkHost(url.hostname, policy);
}

/**
 * Checks an address that a connection would go to, or does go to: public unicast, or within an opened range.
 * @param ip an address without brackets; a zone id is refused.
 * @returns null when it is allowed, or what it is instead ("a private address (RFC 1918)").
 */
export function checkPeer(ip: string, policy: AddressPolicy): string | null {
  if (isIP(ip) === 0 || ip.includes("%")) return "no plain IP address";
  const address: Address = ipaddr.parse(ip);
  const opened = policy.allowCidrs.map(parseRange).filter((range) => isWithin(address, range));
  if (METADATA.has(address.toString())) {
    const isOpenedAlone = opened.some(([, bits]) => bits === (address.kind() === "ipv4" ? 32 : 128));
    return isOpenedAlone ? null : "a cloud metadata address";
  }
  if (opened.length > 0) return null;
  const special = PARSED_RANGES.find(({ range }) => isWithin(address, range));
  if (special) return special.what;
  if (address instanceof ipaddr.IPv6) return checkIpv6(address);
  return null;
}

/** The host of a URL as sockets and resolvers want it: no brackets around IPv6, no trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

function checkHost(hostname: string, policy: AddressPolicy): string | null {
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (isIP(host) !== 0) {
    const what = checkPeer(host, policy);
    return what && `points to ${host}, ${what}; callbacks go to public addresses only`;
  }
  const labels = host.split(".");
  if (host.length > 253 || !labels.every((label) => LABEL.test(label)))
    return `has the host "${shorten(host)}", which is no valid name`;
  if (labels.at(-1) === "localhost") {
    const isOpen = ["127.0.0.1", "::1"].some((ip) => checkPeer(ip, policy) === null);
    return isOpen ? null : `points to ${host}, this machine itself; callbacks go to public addresses only`;
  }
  const isLocal = labels.length === 1 || LOCAL_ZONES.some((zone) => host === zone || host.endsWith(`.${zone}`));
  if (!isLocal || policy.allowCidrs.length > 0) return null;
  return `points to ${shorten(host)}, a name that only a local network knows; use a full public name such as shop.example.com`;
}

function checkIpv6(address: ipaddr.IPv6): string | null {
  if (!isWithin(address, GLOBAL_UNICAST)) return "outside the global unicast addresses (RFC 4291)";
  const [, , , , high = 0, low] = address.parts;
  const isIsatap = low === 0x5efe && (high & ~0x0200) === 0;
  return isIsatap ? "an ISATAP address with IPv4 inside (RFC 5214)" : null;
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
