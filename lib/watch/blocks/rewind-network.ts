import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import {
  deleteBlocksAbove,
  findBlock,
  findLowestBlock,
  insertBlocks,
  updateCursor,
} from "@/db/queries/networks/cursors";
import { dropRefundTransfersAbove } from "@/db/queries/refunds/refund-transfers";
import { dropTransfersAbove, type LostTransfer, listConfirmedAfter, markLost } from "@/db/queries/transfers/reorgs";
import { isSamePayment } from "@/lib/chains/endpoints/finality-check";
import { type BlockSource, ChainError } from "@/lib/chains/endpoints/source";
import { type FundsChange, orderIdOf } from "@/lib/domain/credit-target";
import { blocksIn, type Network } from "@/lib/domain/networks";
import type { Block } from "@/lib/domain/networks/finality";
import { afterFundsChanged } from "@/lib/ledger/credit-targets";
import type { OrderContext } from "@/lib/orders/move-order";

const PAGE = 1_000;
/** The time span of the blocks that are read again after a reorg deeper than the stored hashes. */
const REREAD_MS = 3_600_000;

interface Rewind extends OrderContext {
  owner: string;
  /** The position of the ledger. */
  cursor: { height: number; hash: string };
  /** A block of the current chain that contradicts the ledger. */
  evidence: Block;
}

type ConfirmedTransfer = Awaited<ReturnType<typeof listConfirmedAfter>>[number];

/**
 * Rewinds the ledger to the last block that it shares with the chain. Transfers above it are dropped and matched again, hashes are
 * deleted, and the cursor is set back, all in one transaction. Confirmed transfers do not change. If the chain no longer has one of them,
 * this is recorded for its merchant, with the order to which the transfer is currently credited.
 * @returns the common ancestor, or null if `owner` may no longer write
 */
export async function rewindNetwork(
  db: Db,
  source: BlockSource,
  network: Network,
  rewind: Rewind,
  now: Date,
): Promise<Block | null> {
  const ancestor = await findAncestor(db, source, network, rewind);
  const lost = await findLost(db, network.id, ancestor.height, async (transfer) => {
    const receipt = await source.receipt(transfer.txId);
    return receipt?.transfers.some((found) => isSamePayment(found, transfer)) ?? false;
  });
  return takeBackTo(db, network, rewind, ancestor, lost, now);
}

/** Sets a network back to a block that the chain still has, in one transaction. Returns null if `owner` may no longer write. */
export async function takeBackTo(
  db: Db,
  network: Network,
  rewind: Omit<Rewind, "evidence">,
  ancestor: Block,
  lost: readonly { id: string }[],
  now: Date,
): Promise<Block | null> {
  const written = await db.transaction(async (tx) => {
    if (!(await updateCursor(tx, network.id, rewind.owner, rewind.cursor, ancestor, now))) return null;
    await deleteBlocksAbove(tx, network.id, ancestor.height);
    await insertBlocks(tx, network.id, [ancestor]);
    const ids = lost.map(({ id }) => id);
    const marked = await markLost(tx, ids, ancestor.height, now);
    for (const transfer of marked) await recordLost(tx, transfer, now);
    await afterFundsChanged(tx, rewind, marked.flatMap(toLoss), now);
    await dropRefundTransfersAbove(tx, network.id, ancestor.height, now);
    return { marked, dropped: await dropTransfersAbove(tx, network.id, ancestor.height) };
  });
  if (written === null) return null;
  const { marked, dropped } = written;
  const depth = rewind.cursor.height - ancestor.height;
  const facts = { network: network.id, from: rewind.cursor.height, to: ancestor.height, depth, dropped };
  rewind.log.warn(facts, "reorg: rewound to the common ancestor");
  for (const { txId, target } of marked) {
    const facts = { network: network.id, txId, tradeId: orderIdOf(target) };
    rewind.log.error(facts, "a reorg removed a confirmed transfer");
  }
  return ancestor;
}

/**
 * Follows parent hashes along the current chain back to a block that was read before. If the reorg is deeper than all stored hashes, goes
 * back one more hour: the highest block with an unknown hash may itself be new, and contain transfers.
 */
async function findAncestor(db: Db, source: BlockSource, network: Network, rewind: Rewind): Promise<Block> {
  const lowest = await findLowestBlock(db, network.id);
  let block = rewind.evidence;
  while (block.height > 0) {
    const parent = await source.block({ hash: block.parentHash, height: block.height - 1 });
    if (!parent)
      throw new ChainError("inconsistent", `No endpoint returned block ${block.parentHash}, a parent of the head`);
    block = parent;
    const known = await findBlock(db, network.id, block.height);
    if (known?.hash === block.hash) return block;
    if (lowest === null || block.height < lowest.height) break;
  }
  rewind.log.error(
    { network: network.id, height: block.height },
    "a reorg is deeper than the stored hashes: final blocks changed, or the endpoints serve another chain",
  );
  const height = Math.max(0, block.height - blocksIn(REREAD_MS, network));
  return (await source.block({ height, mustVerifyChainId: true })) ?? block;
}

/** Returns all confirmed transfers above a height that the chain no longer has, as far as `isThere` can determine. */
export async function findLost(
  db: Db,
  network: string,
  height: number,
  isThere: (transfer: ConfirmedTransfer) => Promise<boolean>,
  pageSize = PAGE,
): Promise<ConfirmedTransfer[]> {
  const lost: ConfirmedTransfer[] = [];
  let position = { blockHeight: height + 1, id: "" };
  let page: ConfirmedTransfer[];
  do {
    page = await listConfirmedAfter(db, network, position, pageSize);
    for (const transfer of page) if (!(await isThere(transfer))) lost.push(transfer);
    position = page.at(-1) ?? position;
  } while (page.length === pageSize);
  return lost;
}

async function recordLost(tx: Db, transfer: LostTransfer, now: Date): Promise<void> {
  const { merchantId, target, id: transferId, txId, blockHeight, blockHash } = transfer;
  const orderId = orderIdOf(target);
  const detail = { transferId, txId, blockHeight, blockHash };
  await insertAuditEvent(tx, { merchantId, orderId, action: "transfer.lost", detail }, now);
}

function toLoss({ id: transferId, target }: LostTransfer): FundsChange[] {
  return target ? [{ type: "lost", transferId, target }] : [];
}
