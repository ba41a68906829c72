import type { Db } from "@/db/client";
import { insertBlocks, pruneBlocks } from "@/db/queries/blocks";
import { type CursorPoint, updateCursor } from "@/db/queries/cursors";
import { insertScannedTransfers } from "@/db/queries/scanned-transfers";
import type { Block } from "@/lib/domain/block";
import type { ChainTransfer } from "@/lib/domain/transfer";

/** What one step of a scan found. */
export interface ScannedSpan {
  from: { height: number | null; hash: string | null };
  to: CursorPoint;
  /** Blocks whose hashes become evidence. */
  blocks: readonly Block[];
  transfers: readonly ChainTransfer[];
  /** Hashes below this height are not needed any more. */
  keepFrom: number;
}

/**
 * Writes transfers, block hashes and the cursor in one transaction, or nothing at all when `owner` lost the right to
 * scan or the cursor was moved meanwhile.
 * @returns how many transfers were new or changed; null when nothing was written
 */
export async function commitScan(
  db: Db,
  network: string,
  owner: string,
  span: ScannedSpan,
  addresses: ReadonlyMap<string, string>,
  now: Date,
): Promise<number | null> {
  return db.transaction(async (tx) => {
    if (!(await updateCursor(tx, network, owner, span.from, span.to))) return null;
    await insertBlocks(tx, network, span.blocks);
    await pruneBlocks(tx, network, span.keepFrom);
    return insertScannedTransfers(tx, span.transfers, addresses, now);
  });
}
