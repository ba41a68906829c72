import type { Db } from "@/db/client";
import { findCursor } from "@/db/queries/networks/cursors";
import { type WalletChain, walletChain } from "@/lib/domain/checkout/wallet-request";
import { getNetwork } from "@/lib/domain/networks";

/** Which chain a wallet must be on to send something on an EVM network, as far as the network is read. */
export async function findWalletChain(
  db: Db,
  { isSandbox }: { isSandbox: boolean },
  network: string,
): Promise<WalletChain> {
  const cursor = await findCursor(db, network);
  const row = getNetwork(network);
  if (cursor?.height == null || cursor.hash === null || cursor.caughtUpAt === null)
    return walletChain(row, { isSandbox, head: null });
  const { height, hash, caughtUpAt, blockMs } = cursor;
  return walletChain(row, { isSandbox, head: { height, hash, caughtUpAt, blockMs: blockMs ?? row.blockMs } });
}
