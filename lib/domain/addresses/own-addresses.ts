import type { SourceKind } from "@/lib/domain/addresses/load";
import { receiverAddress } from "@/lib/domain/addresses/receiver";
import { deriveAddresses, type XpubFamily } from "@/lib/domain/addresses/xpub";

/** The source of a merchant's own addresses. */
export interface AddressOrigin {
  kind: SourceKind;
  family: XpubFamily;
  /** An extended public key, or the address of a treasury in canonical form. */
  key: string;
}

/** The index of the first address for orders; receiver 0 is reserved for the trial of a network. */
export const FIRST_INDEX: Readonly<Record<SourceKind, number>> = { xpub: 0, receiver: 1 };

/**
 * Derives addresses of an origin.
 * @returns `count` addresses from index `from`, in canonical form
 */
export function ownAddresses({ kind, family, key }: AddressOrigin, from: number, count: number): string[] {
  if (kind === "xpub") return deriveAddresses(family, key, from, count);
  return Array.from({ length: count }, (_, step) => receiverAddress(key, from + step));
}

/** Returns true if an address is the one that its origin derives at an index. */
export function isOwnAddress(origin: AddressOrigin, index: number, address: string): boolean {
  return ownAddresses(origin, index, 1)[0] === address;
}
