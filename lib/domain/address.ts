import { getAddress, isAddress } from "viem/utils";
import type { Network } from "@/lib/domain/networks";

export type AddressJudgement = { address: string } | { problem: string };

/**
 * Reads an address that a person typed. The canonical form (EVM: lower-case hex) is what is stored and compared.
 * Mixed-case EVM addresses must carry a right EIP-55 checksum; token contracts are refused.
 */
export function judgeAddress(network: Network, text: string): AddressJudgement {
  const typed = text.trim();
  if (!/^0x[0-9a-fA-F]{40}$/.test(typed)) {
    return {
      problem: `"${typed.slice(0, 60)}" is not an address on ${network.name}: it must be 0x followed by 40 hexadecimal digits`,
    };
  }
  const isMixedCase =
    typed.slice(2) !== typed.slice(2).toLowerCase() && typed.slice(2) !== typed.slice(2).toUpperCase();
  if (isMixedCase && !isAddress(typed)) {
    return {
      problem: `The capital letters of ${typed} do not fit its checksum: a character is mistyped. Copy the address from your wallet again`,
    };
  }
  const address = canonicalAddress(typed);
  if (/^0x0{40}$/.test(address)) return { problem: "The zero address belongs to nobody: money sent there is lost" };
  const token = network.tokens.find((candidate) => canonicalAddress(candidate.contract) === address);
  if (token)
    return {
      problem: `That is the ${token.currency} contract on ${network.name}, not a wallet: money sent there is lost`,
    };
  return { address };
}

/** The stored form of an address or contract that is known to be valid. */
export function canonicalAddress(address: string): string {
  return address.toLowerCase();
}

/** An address as people, wallets and explorers write it (EIP-55). */
export function displayAddress(address: string): string {
  return getAddress(address as `0x${string}`);
}
