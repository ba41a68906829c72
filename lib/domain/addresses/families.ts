import { bytesToHex, hexToBytes, sha256 } from "viem/utils";
import { type Problem, problem } from "@/lib/domain/problems/problem";

/** The result of reading an entered address; a null problem means that the text does not have the form of an address. */
export type AddressReading = { address: string } | { problem: Problem | null };

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const VALUES = new Map([...ALPHABET].map((character, value) => [character, BigInt(value)]));
/**
 * The maximum length of a text to decode: no address or transaction id is longer, and decoding time grows with the square of the length.
 */
const LONGEST = 128;

/** Encodes bytes in base58 (Bitcoin's alphabet); a leading zero byte becomes a leading 1. */
export function encodeBase58(bytes: Uint8Array): string {
  let rest = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = "";
  while (rest > 0n) {
    text = ALPHABET.charAt(Number(rest % 58n)) + text;
    rest /= 58n;
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** Decodes base58. Returns null if a character is not in the base58 alphabet. Base58 is case-sensitive. */
export function decodeBase58(text: string): Uint8Array | null {
  if (text.length > LONGEST) return null;
  let value = 0n;
  for (const character of text) {
    const digit = VALUES.get(character);
    if (digit === undefined) return null;
    value = value * 58n + digit;
  }
  const bytes: number[] = [];
  for (; value > 0n; value /= 256n) bytes.unshift(Number(value % 256n));
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  return Uint8Array.from([...Array<number>(zeros).fill(0), ...bytes]);
}

/** The first byte of every address on TRON's main network. */
const PREFIX = 0x41;

/**
 * Reads a TRON address in base58check. Hexadecimal forms have no checksum, so they are rejected, and the problem contains the equivalent
 * base58check form.
 */
export function readTronAddress(typed: string): AddressReading {
  if (/^(0x)?41[0-9a-f]{40}$/i.test(typed)) {
    return {
      problem: problem("address_hexadecimal", { given: typed, address: displayTron(`0x${typed.slice(-40)}`) }),
    };
  }
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(typed)) return { problem: null };
  if (!isTronAddress(typed)) {
    return {
      problem: problem("address_mistyped", { given: typed }),
    };
  }
  const address = canonicalTron(typed);
  if (/^0x0+$/.test(address)) return { problem: problem("address_is_zero") };
  return { address };
}

/** Returns true if a text is a TRON address in base58check with a correct checksum. */
export function isTronAddress(text: string): boolean {
  const bytes = text.length === 34 ? decodeBase58(text) : null;
  if (bytes?.length !== 25 || bytes[0] !== PREFIX) return false;
  const sum = checksum(bytes.subarray(0, 21));
  return sum.every((byte, index) => byte === bytes[21 + index]);
}

/**
 * Returns the canonical form of a TRON address.
 * @param address valid base58check, or 20 bytes in hexadecimal with or without a 0x or 41 prefix
 */
export function canonicalTron(address: string): string {
  if (/^(0x)?(41)?[0-9a-f]{40}$/i.test(address)) return `0x${address.slice(-40).toLowerCase()}`;
  const bytes = decodeBase58(address);
  if (bytes?.length !== 25) throw new Error(`${address} is not a TRON address`);
  return bytesToHex(bytes.subarray(1, 21));
}

/**
 * Returns the base58check form of a TRON address.
 * @param address in canonical form
 */
export function displayTron(address: string): string {
  const bytes = Uint8Array.from([PREFIX, ...hexToBytes(address as `0x${string}`)]);
  return encodeBase58(Uint8Array.from([...bytes, ...checksum(bytes)]));
}

function checksum(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes, "bytes"), "bytes").subarray(0, 4);
}

const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ["11111111111111111111111111111111", "System"],
  ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "Token"],
  ["TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", "Token-2022"],
  ["ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", "Associated Token Account"],
]);

/**
 * Reads a Solana address. It has no checksum, so only its form is checked; a token account cannot be distinguished from a wallet without a
 * call to the chain.
 */
export function readSolanaAddress(typed: string): AddressReading {
  if (!isSolanaAddress(typed)) return { problem: null };
  const program = PROGRAMS.get(typed);
  if (!program) return { address: typed };
  return { problem: problem("address_is_program", { given: typed, program }) };
}

/** Returns true if a text is 32 bytes in base58. */
export function isSolanaAddress(text: string): boolean {
  const bytes = text.length >= 32 && text.length <= 44 ? decodeBase58(text) : null;
  return bytes?.length === 32 && encodeBase58(bytes) === text;
}
