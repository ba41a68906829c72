import type { Db } from "@/db/client";
import { findCursor } from "@/db/queries/networks/cursors";
import { type WalletChain, walletChain } from "@/lib/domain/checkout/wallet-request";
import { getNetwork } from "@/lib/domain/networks";

/** Returns the chain that a wallet must use to send on an EVM network, with the last block that was read. */
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
