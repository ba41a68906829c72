import type { Db } from "@/db/client";
import { findReadHead } from "@/db/queries/networks/cursors";
import { type WalletChain, walletChain } from "@/lib/domain/checkout/wallet-request";
import { getNetwork } from "@/lib/domain/networks";

/** Returns the chain that a wallet must use to send on an EVM network, with the last block that was read. */
export async function findWalletChain(
  db: Db,
  { isSandbox }: { isSandbox: boolean },
  network: string,
): Promise<WalletChain> {
  return walletChain(getNetwork(network), { isSandbox, head: await findReadHead(db, network) });
}
