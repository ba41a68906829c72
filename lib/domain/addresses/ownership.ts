import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hexToBytes, keccak256, stringToBytes } from "viem/utils";
import { displayAddress } from "@/lib/domain/addresses/address";
import { addressOfPoint, type XpubFamily } from "@/lib/domain/addresses/xpub";
import { type Problem, problem } from "@/lib/domain/problems/problem";

/** The statement that is signed to prove ownership of an account: its merchant and origin, and the time until which it is valid. */
export interface OwnershipClaim {
  family: XpubFamily;
  /** The first address of the account, in canonical form. */
  address: string;
  shop: string;
  publicUrl: string;
  /** Unix milliseconds. */
  until: number;
}

/** The time within which the ownership text must be signed. It is long enough for a user to fetch a hardware wallet. */
export const SIGN_WITHIN_MS = 900_000;

/**
 * The prefix of signed messages, which ensures that a message can never be a transaction (EIP-191 version 0x45; TIP-191, as TronWeb's
 * signMessageV2 writes it).
 */
const PREFIXES: Readonly<Record<XpubFamily, string>> = {
  evm: "\x19Ethereum Signed Message:\n",
  tron: "\x19TRON Signed Message:\n",
};
/** r, s and the recovery id, which some wallets encode as 27 and 28. */
const SIGNATURE = /^(?:0x)?[0-9a-f]{130}$/i;
const FIRST_RECOVERY = 27;

/** Returns the text that a wallet shows and signs. */
export function ownershipText({ family, address, shop, publicUrl, until }: OwnershipClaim): string {
  return [
    `The account whose first address is ${displayAddress(family, address)} is mine.`,
    `The shop "${shop}" at ${publicUrl} may give its addresses to orders.`,
    `This moves no money. It counts until ${new Date(until).toISOString()}.`,
  ].join("\n");
}

/**
 * Returns the signer of a text, in canonical form.
 * @param signature 65 bytes in hex, with or without 0x
 * @returns null if the signature is malformed or invalid
 */
export function signerOf(family: XpubFamily, text: string, signature: string): string | null {
  if (!SIGNATURE.test(signature)) return null;
  const bytes = hexToBytes(`0x${signature.replace(/^0x/i, "")}`);
  const message = stringToBytes(text);
  const prefix = stringToBytes(`${PREFIXES[family]}${message.length}`);
  const [last = 0] = bytes.subarray(64);
  try {
    const point = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), "compact")
      .addRecoveryBit(last >= FIRST_RECOVERY ? last - FIRST_RECOVERY : last)
      .recoverPublicKey(keccak256(new Uint8Array([...prefix, ...message]), "bytes"));
    return addressOfPoint(family, point.toBytes(false));
  } catch {
    return null;
  }
}

/** Returns the problem of a claim's signature; null if the first address of the account signed the claim in time. */
export function ownershipProblem(claim: OwnershipClaim, signature: string, now: Date): Problem | null {
  const at = now.getTime();
  if (!(claim.until > at && claim.until <= at + SIGN_WITHIN_MS)) return problem("ownership_text_expired");
  const signer = signerOf(claim.family, ownershipText(claim), signature.trim());
  if (signer === null) return problem("ownership_signature_malformed");
  if (signer === claim.address) return null;
  return problem("ownership_other_signer", {
    signer: displayAddress(claim.family, signer),
    wanted: displayAddress(claim.family, claim.address),
  });
}
