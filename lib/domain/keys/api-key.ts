import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FORM = /^sg_(?:live|test)_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/;

/** A new API key: `sg_live_` or `sg_test_`, 32 random bytes and a CRC-32, both in base62. */
export function generateApiKey(mode: "live" | "test"): string {
  const body = `sg_${mode}_${base62(BigInt(`0x${randomBytes(32).toString("hex")}`), 43)}`;
  return body + checksum(body);
}

/** Whether a text can be one of our keys at all; a mistyped one fails here, before any look-up. */
export function isApiKey(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

/** What is stored of a key: its SHA-256 in hex. */
export function hashApiKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** A new secret for signatures: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export function generateSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
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
