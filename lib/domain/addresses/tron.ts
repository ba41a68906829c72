import { bytesToHex, hexToBytes, sha256 } from "viem/utils";
import { decodeBase58, encodeBase58 } from "@/lib/domain/addresses/base58";
import type { AddressReading } from "@/lib/domain/addresses/reading";

/** First byte of every address of TRON's main network. */
const PREFIX = 0x41;

/**
 * Reads a TRON address in base58check. Its hexadecimal forms carry no checksum, so they are refused, with the form that
 * they stand for.
 */
export function readTronAddress(typed: string): AddressReading {
  if (/^(0x)?41[0-9a-f]{40}$/i.test(typed)) {
    return {
      problem: `${typed} is the hexadecimal form of an address, which has no checksum. If it is ${displayTron(`0x${typed.slice(-40)}`)}, give it in that form`,
    };
  }
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(typed)) return { problem: null };
  if (!isTronAddress(typed)) {
    return {
      problem: `${typed} does not fit its checksum: a character is mistyped, or its capital letters were lost. Copy the address from your wallet again`,
    };
  }
  const address = canonicalTron(typed);
  if (/^0x0+$/.test(address)) return { problem: "The zero address belongs to nobody: money sent there is lost" };
  return { address };
}

/** Whether a text is a TRON address in base58check with a right checksum. */
export function isTronAddress(text: string): boolean {
  const bytes = text.length === 34 ? decodeBase58(text) : null;
  if (bytes?.length !== 25 || bytes[0] !== PREFIX) return false;
  const sum = checksum(bytes.subarray(0, 21));
  return sum.every((byte, index) => byte === bytes[21 + index]);
}

/** @param address base58check known to be valid, or 20 bytes in hexadecimal with or without 0x or 41 before them */
export function canonicalTron(address: string): string {
  if (/^(0x)?(41)?[0-9a-f]{40}$/i.test(address)) return `0x${address.slice(-40).toLowerCase()}`;
  const bytes = decodeBase58(address);
  if (bytes?.length !== 25) throw new Error(`${address} is no TRON address`);
  return bytesToHex(bytes.subarray(1, 21));
}

/** @param address in canonical form */
export function displayTron(address: string): string {
  const bytes = Uint8Array.from([PREFIX, ...hexToBytes(address as `0x${string}`)]);
  return encodeBase58(Uint8Array.from([...bytes, ...checksum(bytes)]));
}

function checksum(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes, "bytes"), "bytes").subarray(0, 4);
}
