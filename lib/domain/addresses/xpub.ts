import { secp256k1 } from "@noble/curves/secp256k1.js";
import { HARDENED_OFFSET, HDKey } from "@scure/bip32";
import { bytesToHex, keccak256 } from "viem/utils";
import { canonicalAddress, displayAddress } from "@/lib/domain/addresses/address";
import { secretProblem } from "@/lib/domain/addresses/secret-forms";
import { type Problem, problem } from "@/lib/domain/problems/problem";

/**
 * The families whose addresses can be derived from a public key. Solana is excluded, because ed25519 supports derivation from private keys
 * only (SLIP-0010).
 */
export type XpubFamily = "evm" | "tron";

/** The path of an account by BIP-44; coin types by SLIP-0044. */
export const ACCOUNT_PATHS: Readonly<Record<XpubFamily, string>> = { evm: "m/44'/60'/0'", tron: "m/44'/195'/0'" };

/** The depth of an account: purpose, coin and account are three levels below the root. */
const ACCOUNT_DEPTH = 3;
/** The external chain, whose addresses wallets use for receiving (BIP-44); 1 would be the chain for change. */
const EXTERNAL = 0;

export type XpubReading = { xpub: string } | { problem: Problem; isPrivate: boolean };

/**
 * Reads an extended public key that a user pasted.
 * @returns the key or its problem; no message contains the text, because it may be a secret
 */
export function readXpub(family: XpubFamily, text: string): XpubReading {
  const typed = text.trim();
  const secret = secretProblem(typed);
  if (secret) return { problem: secret, isPrivate: true };
  const path = ACCOUNT_PATHS[family];
  const refused = (invalid: Problem) => ({ problem: invalid, isPrivate: false });
  if (/^[yztuv]pub/i.test(typed)) return refused(problem("xpub_of_bitcoin", { path }));
  if (!/^xpub[1-9A-HJ-NP-Za-km-z]{100,112}$/.test(typed)) return refused(problem("xpub_malformed", { path }));
  const key = parse(typed);
  if (!key) return refused(problem("xpub_mistyped"));
  if (key.depth === ACCOUNT_DEPTH && key.index >= HARDENED_OFFSET) return { xpub: typed };
  return refused(problem(DEPTHS[key.depth] ?? "xpub_depth_below", { path }));
}

const DEPTHS = [
  "xpub_depth_wallet",
  "xpub_depth_above",
  "xpub_depth_above",
  "xpub_depth_not_hardened",
  "xpub_depth_branch",
  "xpub_depth_address",
] as const;

function parse(text: string): HDKey | null {
  try {
    return HDKey.fromExtendedKey(text);
  } catch {
    return null;
  }
}

/**
 * Derives addresses of an account.
 * @param xpub as returned by `readXpub`
 * @param from the index of the first address, from 0
 * @returns `count` addresses in canonical form
 */
export function deriveAddresses(family: XpubFamily, xpub: string, from: number, count: number): string[] {
  const branch = HDKey.fromExtendedKey(xpub).deriveChild(EXTERNAL);
  return Array.from({ length: count }, (_, step) => addressOf(family, branch.deriveChild(from + step)));
}

function addressOf(family: XpubFamily, { publicKey }: HDKey): string {
  if (!publicKey) throw new Error("The extended key has no public key");
  return addressOfPoint(family, secp256k1.Point.fromBytes(publicKey).toBytes(false));
}

/**
 * Returns the address of a public key: the last 20 bytes of its Keccak-256 hash. TRON encodes the same bytes in its own format.
 * @param point an uncompressed public key, 65 bytes
 */
export function addressOfPoint(family: XpubFamily, point: Uint8Array): string {
  return canonicalAddress(family, bytesToHex(keccak256(point.subarray(1), "bytes").subarray(-20)));
}

/** Returns true if an address is the one that its source derives at an index. */
export function isDerived(family: XpubFamily, xpub: string, index: number, address: string): boolean {
  return deriveAddresses(family, xpub, index, 1)[0] === address;
}

/** Returns the first addresses in display form, so that users can compare them with their wallet. */
export function firstAddresses(family: XpubFamily, xpub: string): string[] {
  return deriveAddresses(family, xpub, 0, 3).map((address) => displayAddress(family, address));
}
