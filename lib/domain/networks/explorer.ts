import { displayAddress, displayTxId } from "@/lib/domain/addresses/address";
import type { Network } from "@/lib/domain/networks";

/** Where a network's explorer shows a transaction. @param txId as stored */
export function transactionUrl(network: Network, txId: string): string {
  return network.explorer.tx.replace("{}", displayTxId(network.family, txId));
}

/** Where a network's explorer shows an address. @param address in canonical form */
export function addressUrl(network: Network, address: string): string {
  return network.explorer.address.replace("{}", displayAddress(network.family, address));
}

/** A link to an explorer, or none in the sandbox: no explorer shows its local chains. */
export function linkUnless(isSandbox: boolean, url: string): string | undefined {
  return isSandbox ? undefined : url;
}

/** Where a network's explorer shows a token. @param contract as people write it */
export function tokenUrl(network: Network, contract: string): string {
  return network.explorer.token.replace("{}", contract);
}
