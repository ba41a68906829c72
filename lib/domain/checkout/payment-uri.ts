import { createHash } from "node:crypto";
import { displayAddress } from "@/lib/domain/addresses/address";
import { formatUnits } from "@/lib/domain/money";
import type { Network, Token } from "@/lib/domain/networks";

/** The parameters of a payment for a payer's wallet. `address` is in canonical form, `units` are base units of the token. */
export interface PaymentRequest {
  network: Network;
  token: Token;
  address: string;
  units: bigint;
  /** The payee's name, for wallets that show it. */
  label: string;
}

/** Returns the bare address: the only QR payload that every wallet and every exchange can read. */
export function addressPayload({ network, address }: Pick<PaymentRequest, "network" | "address">): string {
  return displayAddress(network.family, address);
}

/**
 * Returns a URI with token, address and amount for wallets that support it (ERC-681, Solana Pay); null if the network's family has no such
 * standard (TRON).
 * @see https://eips.ethereum.org/EIPS/eip-681
 * @see https://docs.solanapay.com/spec
 */
export function walletUri(request: PaymentRequest): string | null {
  const { network, token, units, label } = request;
  const address = displayAddress(network.family, request.address);
  switch (network.family) {
    case "evm":
      return `ethereum:${token.contract}@${network.chainId}/transfer?address=${address}&uint256=${units}`;
    case "tron":
      return null;
    case "solana":
      return `solana:${address}?amount=${formatUnits(units, token.decimals)}&spl-token=${token.contract}&label=${encodeURIComponent(label)}`;
  }
}

/** Returns a short name that identifies exactly this payment: its network, contract, recipient and base units. */
export function offerName({ network, token, address, units }: PaymentRequest): string {
  const parts = [network.id, network.chainId, token.contract, address, units];
  return createHash("sha256").update(parts.join(" ")).digest("base64url").slice(0, 12);
}
