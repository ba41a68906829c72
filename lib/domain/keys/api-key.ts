import { createHash, randomBytes } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { crc32 } from "node:zlib";
import ipaddr from "ipaddr.js";
import type { Reading } from "@/lib/domain/fields/field";
import { problem } from "@/lib/domain/problems/problem";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const MAX_CIDRS = 50;
const FORM = /^sg_(?:live|test)_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/;

/** Returns a new API key: `sg_live_` or `sg_test_`, followed by 32 random bytes and a CRC-32, both in base62. */
export function generateApiKey(mode: "live" | "test"): string {
  const body = `sg_${mode}_${base62(BigInt(`0x${randomBytes(32).toString("hex")}`), 43)}`;
  return body + checksum(body);
}

/** Returns true if a string has the form of an API key. A mistyped key is rejected before any query. */
export function isApiKey(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

/** Returns a key's SHA-256 in hex. It signs plugin v1 callbacks, so it is never stored unencrypted (`lib/merchants/key-hashes.ts`). */
export function hashApiKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Returns a new secret for signatures: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export function generateSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/**
 * Reads address ranges separated by commas, white space or line breaks, and returns each in its shortest form. A single address is a range
 * of one.
 */
export function readCidrs(text: string): Reading<string[]> {
  const given = text.split(/[\s,;]+/).filter(Boolean);
  if (given.length > MAX_CIDRS) return { problem: problem("too_many_address_ranges", { max: MAX_CIDRS }) };
  const cidrs = given.map(readCidr);
  const invalid = given.find((_, index) => cidrs[index] === null);
  if (invalid === undefined) return { value: [...new Set(cidrs.flatMap((cidr) => cidr ?? []))] };
  return { problem: problem("address_range_malformed", { given: invalid.slice(0, 60) }) };
}

/** Returns a range without bits beyond its prefix length: "10.1.2.3/16" becomes 10.1.0.0/16. Null if the text is not a range. */
function readCidr(text: string): string | null {
  const [address = "", length, more] = text.split("/");
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  const isRange = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
  if (bits === 0 || address.includes("%") || more !== undefined || !isRange) return null;
  const network = (bits === 32 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(`${address}/${length ?? bits}`);
  return `${network.toString()}/${Number(length ?? bits)}`;
}

/** Returns a function that checks addresses against ranges, which are parsed once. An IPv4 address in IPv6 notation is the same address. */
export function withinCidrs(cidrs: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", length] = cidr.split("/");
    list.addSubnet(address, Number(length), address.includes(":") ? "ipv6" : "ipv4");
  }
  return (address) => isIP(address) !== 0 && list.check(address, address.includes(":") ? "ipv6" : "ipv4");
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), 6);
}

function base62(value: bigint, length: number): string {
  let text = "";
  let rest = value;
  for (let index = 0; index < length; index++) {
    text = BASE62[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text;
}
