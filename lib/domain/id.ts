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
  return encode(value);
}

/** The lowest id that could be made at a time: ids made from then on sort at or after it. */
export function firstIdAt(at: Date): string {
  return encode(BigInt(at.getTime()) << 80n);
}

/** The smallest id that a moment can have: ids of rows written since then are not below it. */
export function firstId(at: Date): string {
  return newId(at).slice(0, 10).padEnd(26, "0");
}

/** Whether a text has the form of an id; says nothing about whether such a row exists. */
export function isId(text: string): boolean {
  return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text);
}

function encode(value: bigint): string {
  let id = "";
  for (let index = 0n; index < 26n; index++) id = ALPHABET[Number((value >> (index * 5n)) & 31n)] + id;
  return id;
}
