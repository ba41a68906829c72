import { deleteAccountCursors, listAccountCursors } from "@/db/queries/networks/account-cursors";
import { deleteBlocksAbove, insertBlocks } from "@/db/queries/networks/blocks";
import { updateCursor } from "@/db/queries/networks/cursors";
import { ChainError } from "@/lib/chains/endpoints/source";
import type { SlotBlock } from "@/lib/chains/solana/blocks";
import type { SolanaSource } from "@/lib/chains/solana/source";
import { blocksIn } from "@/lib/domain/networks";
import { finalSlot, type SolanaStep } from "@/lib/watch/accounts/solana-scan";
import type { ScanStep } from "@/lib/watch/blocks/scan-network";

const MOST_AGAIN_MS = 120_000;

/**
 * Prepares the reading by whole blocks where histories of accounts were read before. A node writes the history of a block
 * a little later than the block, and histories say nothing of a fork: the cursor goes back to a final block, so that the
 * last minutes are read once more, as blocks. Transfers stay; what a fork took of them shows when they are confirmed.
 * @returns what was done; null where whole blocks were read before, too
 */
export async function beginSlots(step: SolanaStep, at: { height: number; hash: string }): Promise<ScanStep | null> {
  const { db, source, network, scanner, head } = step;
  const { memory, owner } = scanner;
  if (memory.isBySlots) return null;
  const isHandOver = (await listAccountCursors(db, network.id)).size > 0;
  if (isHandOver) {
    const final = Math.min(at.height, finalSlot(head));
    const readTwice = Math.min(final, memory.verifiedTo ?? final);
    const block = await blockUpTo(source, Math.max(0, readTwice, final - blocksIn(MOST_AGAIN_MS, network)));
    const isMine = await db.transaction(async (tx) => {
      if (!(await updateCursor(tx, network.id, owner, at, block))) return false;
      await deleteBlocksAbove(tx, network.id, block.height);
      await insertBlocks(tx, network.id, [block]);
      await deleteAccountCursors(tx, network.id);
      return true;
    });
    memory.slotVerifiedTo = block;
    if (!isMine) return { kind: "lostLease", head, isCaughtUp: false, found: 0 };
  }
  Object.assign(memory, { isBySlots: true, verifiedTo: null });
  memory.known.clear();
  memory.verifyPasses.clear();
  return isHandOver ? { kind: "rewound", head, isCaughtUp: false, found: 0 } : null;
}

/** The newest block up to a slot that is final. */
export async function blockUpTo(source: Pick<SolanaSource, "block">, slot: number): Promise<SlotBlock> {
  for (let at = slot; at >= 0; at--) {
    const block = await source.block(at);
    if (block) return block;
  }
  throw new ChainError("inconsistent", `No endpoint has a block up to slot ${slot}`);
}
