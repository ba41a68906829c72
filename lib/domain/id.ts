import { randomFillSync } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARACTERS = 10;
const RANDOM_BYTES = 10;

/**
 * The two characters between the time and the random part of an id. They are the same in every installation and must not be removed,
 * because ids have a documented length.
 */
const INFIX = "00";

/** The length of an id, in characters. */
const LENGTH = TIME_CHARACTERS + INFIX.length + (RANDOM_BYTES * 8) / 5;
/** The two characters for each value of ten bits. */
const PAIRS = Array.from({ length: 1_024 }, (_, bits) => characterAt(bits >> 5) + characterAt(bits));
/** A buffer of random bytes, because one call per id would be the most expensive part of its generation. Each byte is used once. */
const stock = new Uint8Array(RANDOM_BYTES * 400);
let used = stock.length;

/**
 * Returns a new id: 28 characters of lower-case Crockford base32. The first 10 are Unix milliseconds, followed by `00` and 16 random
 * characters (80 bits). Ids therefore sort by time under any collation, are URL-safe and cannot be guessed.
 */
export function newId(now: Date): string {
  return timePart(now) + INFIX + randomPart();
}

/** Returns the lowest id that can be created at a time: ids created from then on sort at or after it. */
export function firstIdAt(at: Date): string {
  return timePart(at).padEnd(LENGTH, "0");
}

/** The maximum time between the creation of a row's id and the row's own timestamp. */
const AHEAD_MS = 60_000;

/** Returns an id that sorts before the ids of all rows with this timestamp or a later one. */
export function idBefore(at: Date): string {
  return firstIdAt(new Date(at.getTime() - AHEAD_MS));
}

/** Returns true if a string has the form of an id. The id may not exist. */
export function isId(text: string): boolean {
  return /^[0-7][0-9a-hjkmnp-tv-z]{27}$/.test(text);
}

/** The last time whose characters were computed: a process creates many ids in a millisecond. */
let lastMs = -1;
let lastTimePart = "";

function timePart(at: Date): string {
  const ms = Math.max(0, at.getTime());
  if (ms === lastMs) return lastTimePart;
  let text = "";
  for (let rest = ms, index = 0; index < TIME_CHARACTERS; index++, rest = Math.floor(rest / 32)) {
    text = characterAt(rest % 32) + text;
  }
  lastMs = ms;
  lastTimePart = text;
  return text;
}

/** Returns 80 random bits as 16 characters. */
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
