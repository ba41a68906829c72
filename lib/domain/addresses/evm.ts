import { getAddress, isAddress } from "viem/utils";
import type { AddressReading } from "@/lib/domain/addresses/reading";

/** Reads an EVM address. Mixed case must carry a right EIP-55 checksum. */
export function readEvmAddress(typed: string): AddressReading {
  if (!/^0x[0-9a-fA-F]{40}$/.test(typed)) return { problem: null };
  const digits = typed.slice(2);
  const isMixedCase = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (isMixedCase && !isAddress(typed)) {
    return {
      problem: `The capital letters of ${typed} do not fit its checksum: a character is mistyped. Copy the address from your wallet again`,
    };
  }
  if (/^0+$/.test(digits)) return { problem: "The zero address belongs to nobody: money sent there is lost" };
  return { address: canonicalEvm(typed) };
}

export function canonicalEvm(address: string): string {
  return address.toLowerCase();
}

export function displayEvm(address: string): string {
  return getAddress(address as `0x${string}`);
}
