import { and, desc, eq, inArray } from "drizzle-orm";
import type { Db } from "@/db/client";
import { deleteAccountCursors } from "@/db/queries/networks/accounts";
import { deleteBlocksAbove, findCursor } from "@/db/queries/networks/cursors";
import { blocks, cursors, transfers } from "@/db/schema";
import type { LocalNode } from "@/sandbox/launcher/local-node";

/**
 * Adjusts the ledger of a local chain to the chain's actual state. They differ if the chain was removed, or killed before it could save
 * its last blocks. No real chain loses final blocks, so the watcher correctly refuses to continue in that case.
 * @returns true if anything was changed
 */
export async function repairLedger(db: Db, node: LocalNode): Promise<boolean> {
  const network = node.networkId;
  const cursor = await findCursor(db, network);
  if (!cursor?.hash || cursor.height === null) return false;
  if (await node.hasBlock({ height: cursor.height, hash: cursor.hash })) return false;
  const ancestor = await findAncestor(db, node);
  await db.transaction(async (tx) => {
    await dropLostTransfers(tx, node);
    await deleteBlocksAbove(tx, network, ancestor?.height ?? -1);
    await deleteAccountCursors(tx, network);
    const fresh = { blockTime: ancestor?.time ?? null, headHeight: null, headTime: null, finalizedHeight: null };
    const position = { height: ancestor?.height ?? null, hash: ancestor?.hash ?? null };
    await tx
      .update(cursors)
      .set({ ...position, ...fresh })
      .where(eq(cursors.network, network));
  });
  return true;
}

/** Deletes the leases of a killed worker. The holder of the sandbox's lock starts the only worker, so they need not expire. */
export async function freeLeases(db: Db): Promise<void> {
  await db.update(cursors).set({ leaseOwner: null, leaseUntil: null });
}

async function findAncestor(db: Db, node: LocalNode): Promise<typeof blocks.$inferSelect | null> {
  const known = await db.select().from(blocks).where(eq(blocks.network, node.networkId)).orderBy(desc(blocks.height));
  for (const block of known) if (await node.hasBlock(block)) return block;
  return null;
}

/** Drops the seen transfers that the chain no longer contains. Confirmed transfers do not change, because their orders are paid. */
async function dropLostTransfers(tx: Db, node: LocalNode): Promise<void> {
  const isSeen = and(eq(transfers.network, node.networkId), eq(transfers.status, "seen"));
  const where = { id: transfers.id, height: transfers.blockHeight, hash: transfers.blockHash };
  const seen = await tx.select(where).from(transfers).where(isSeen);
  const lost: string[] = [];
  for (const { id, ...block } of seen) if (!(await node.hasBlock(block))) lost.push(id);
  if (lost.length === 0) return;
  await tx.update(transfers).set({ status: "dropped", matchedAt: null }).where(inArray(transfers.id, lost));
}
