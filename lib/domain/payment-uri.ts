import { displayAddress } from "@/lib/domain/address";
import type { Network, Token } from "@/lib/domain/networks";

/** What a payer's wallet must be told. `address` is in canonical form, `units` are base units of the token. */
export interface PaymentRequest {
  network: Network;
  token: Token;
  address: string;
  units: bigint;
}

/** The bare address: the only QR payload that every wallet and every exchange reads. */
export function addressPayload(request: Pick<PaymentRequest, "address">): string {
  return displayAddress(request.address);
}

/**
 * A URI that fills in token, address and amount in wallets that know it (ERC-681), or null where the network's family has
 * no such standard. @see https://eips.ethereum.org/EIPS/eip-681
 */
export function walletUri(request: PaymentRequest): string | null {
  const { network, token, address, units } = request;
  switch (network.family) {
    case "evm":
      return `ethereum:${token.contract}@${network.chainId}/transfer?address=${displayAddress(address)}&uint256=${units}`;
  }
}

/** The address a payer returns to, with the order's two names appended to whatever query it has. */
export function returnUrl(redirectUrl: string, tradeId: string, mchOrderId: string): string {
  const url = new URL(redirectUrl);
  const names = `trade_id=${encodeURIComponent(tradeId)}&mch_order_id=${encodeURIComponent(mchOrderId)}`;
  url.search = url.search ? `${url.search}&${names}` : names;
  return url.href;
}
