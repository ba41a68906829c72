import { randomFillSync } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARACTERS = 10;
const RANDOM_BYTES = 10;
/** The two characters of each ten bits. */
const PAIRS = Array.from({ length: 1_024 }, (_, bits) => characterAt(bits >> 5) + characterAt(bits));
/** Random bytes in stock: one call for each id would be the dearest part of it. Each byte is used once. */
const stock = new Uint8Array(RANDOM_BYTES * 400);
let used = stock.length;

/**
 * A new id: 26 characters of lower-case Crockford base32 over 48 bits of Unix milliseconds and 80 random bits
 * (a ULID in lower case), so ids sort by time under any collation, are URL-safe and cannot be guessed.
 */
export function newId(now: Date): string {
  return timePart(now) + randomPart();
}

/** The lowest id that could be made at a time: ids made from then on sort at or after it. */
export function firstIdAt(at: Date): string {
  return timePart(at).padEnd(26, "0");
}

/** The smallest id that a moment can have: ids of rows written since then are not below it. */
export function firstId(at: Date): string {
  return newId(at).slice(0, 10).padEnd(26, "0");
}

/** Whether a text has the form of an id; says nothing about whether such a row exists. */
export function isId(text: string): boolean {
  return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text);
}

function timePart(at: Date): string {
  let text = "";
  for (let rest = at.getTime(), index = 0; index < TIME_CHARACTERS; index++, rest = Math.floor(rest / 32)) {
    text = characterAt(rest % 32) + text;
  }
  return text;
}

/** 80 bits in 16 characters. */
function randomPart(): string {
  if (used === stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  let text = "";
  for (let bits = 0, count = 0, end = used + RANDOM_BYTES; used < end; used++) {
    bits = (bits << 8) | (stock[used] ?? 0);
    count += 8;
    if (count >= 10) {
      count -= 10;
      text += PAIRS[(bits >> count) & 1_023];
      bits &= (1 << count) - 1;
    }
  }
  return text;
}

function characterAt(bits: number): string {
  return ALPHABET.charAt(bits & 31);
}
