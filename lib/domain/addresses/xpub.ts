import { secp256k1 } from "@noble/curves/secp256k1";
import { HARDENED_OFFSET, HDKey } from "@scure/bip32";
import { bytesToHex, keccak256 } from "viem/utils";
import { canonicalAddress, displayAddress } from "@/lib/domain/addresses/address";
import { secretProblem } from "@/lib/domain/addresses/secret-forms";

/** Families whose addresses can be derived from a public key. Solana's cannot: ed25519 derives from private keys only (SLIP-0010). */
export type XpubFamily = "evm" | "tron";

/** The path of an account by BIP-44; coin types by SLIP-0044. */
export const ACCOUNT_PATHS: Readonly<Record<XpubFamily, string>> = { evm: "m/44'/60'/0'", tron: "m/44'/195'/0'" };

/** Of an account: purpose, coin and account are three steps from the root. */
const ACCOUNT_DEPTH = 3;
/** The addresses that are given out, as a wallet does (BIP-44); 1 would be for change. */
const EXTERNAL = 0;

export type XpubReading = { xpub: string } | { problem: string; isPrivate: boolean };

/**
 * Reads an extended public key that a person pasted.
 * @returns itself, or in words what is wrong; the text is in no message, for it may be a secret
 */
export function readXpub(family: XpubFamily, text: string): XpubReading {
  const typed = text.trim();
  const secret = secretProblem(typed);
  if (secret) return { problem: secret, isPrivate: true };
  const path = ACCOUNT_PATHS[family];
  const refused = (problem: string) => ({ problem, isPrivate: false });
  if (/^[yztuv]pub/i.test(typed))
    return refused(`That is a key of a Bitcoin account. Export the key of ${path}, which begins with xpub`);
  if (!/^xpub[1-9A-HJ-NP-Za-km-z]{100,112}$/.test(typed))
    return refused(`That is no extended public key: it begins with xpub and has 111 characters. Export it for ${path}`);
  const key = parse(typed);
  if (!key)
    return refused("A character of the key is mistyped: its checksum does not fit. Copy it from the wallet again");
  if (key.depth === ACCOUNT_DEPTH && key.index >= HARDENED_OFFSET) return { xpub: typed };
  return refused(`${DEPTHS[key.depth] ?? "That is a key further down"}. Export the key of the account itself: ${path}`);
}

const DEPTHS: Readonly<Record<number, string>> = {
  0: "That is the key of the whole wallet, not of one account",
  1: "That is a key above the accounts",
  2: "That is a key above the accounts",
  3: "That is a key three steps down, but not of an account: its last step must be hardened (')",
  4: "That is the key of a branch of an account, one step too far down",
  5: "That is the key of one address, two steps too far down",
};

function parse(text: string): HDKey | null {
  try {
    return HDKey.fromExtendedKey(text);
  } catch {
    return null;
  }
}

/**
 * Derives addresses of an account.
 * @param xpub as `readXpub` answered it
 * @param from index of the first, 0 and up
 * @returns `count` of them in canonical form
 */
export function deriveAddresses(family: XpubFamily, xpub: string, from: number, count: number): string[] {
  const branch = HDKey.fromExtendedKey(xpub).deriveChild(EXTERNAL);
  return Array.from({ length: count }, (_, step) => addressOf(family, branch.deriveChild(from + step)));
}

function addressOf(family: XpubFamily, { publicKey }: HDKey): string {
  if (!publicKey) throw new Error("An extended key without a public key");
  return addressOfPoint(family, secp256k1.ProjectivePoint.fromHex(publicKey).toRawBytes(false));
}

/**
 * The last 20 bytes of the Keccak-256 of the key; TRON writes the same bytes in its own form.
 * @param point an uncompressed public key, 65 bytes
 */
export function addressOfPoint(family: XpubFamily, point: Uint8Array): string {
  return canonicalAddress(family, bytesToHex(keccak256(point.subarray(1), "bytes").subarray(-20)));
}

/** Whether an address is what its source gives at an index. */
export function isDerived(family: XpubFamily, xpub: string, index: number, address: string): boolean {
  return deriveAddresses(family, xpub, index, 1)[0] === address;
}

/** As a wallet shows them, to compare. */
export function firstAddresses(family: XpubFamily, xpub: string): string[] {
  return deriveAddresses(family, xpub, 0, 3).map((address) => displayAddress(family, address));
}
