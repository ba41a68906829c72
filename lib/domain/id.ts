import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_BITS = 48n;

/**
 * A new id: 26 characters of lower-case Crockford base32 over 48 bits of Unix milliseconds and 80 random bits
 * (a ULID in lower case), so ids sort by time under any collation, are URL-safe and cannot be guessed.
 */
export function newId(now: Date): string {
  let value = (BigInt(now.getTime()) & ((1n << TIME_BITS) - 1n)) << 80n;
  value |= BigInt(`0x${randomBytes(10).toString("hex")}`);
  let id = "";
  for (let index = 0; index < 26; index++) {
    id = ALPHABET[Number(value & 31n)] + id;
    value >>= 5n;
  }
  return id;
}

/** Whether a text has the form of an id; says nothing about whether such a row exists. */
export function isId(text: string): boolean {
  return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text);
}
