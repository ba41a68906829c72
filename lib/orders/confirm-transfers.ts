import type { Db } from "@/db/client";
import { confirmTransfer, dropTransfer, listFinalizable, relocateTransfer } from "@/db/queries/transfer-confirmations";
import type { StoredTransfer } from "@/db/queries/transfer-matches";
import type { ChainSource, Head } from "@/lib/chains/source";
import { finalHeight } from "@/lib/domain/finality";
import type { Network } from "@/lib/domain/networks";
import { confirmationsAt } from "@/lib/domain/transfer";
import { moveOrder } from "@/lib/orders/move-order";
import type { StoryContext } from "@/lib/orders/story-context";

const BATCH = 200;

/** What a second look at a transfer that should be final found. */
type SecondLook =
  | { kind: "final" }
  | { kind: "moved"; height: number; hash: string; time: Date }
  | { kind: "gone" }
  | { kind: "unclear" };

/**
 * Reads every transfer that has become final once more (from a second endpoint where there is one) and confirms it;
 * a transfer and the order it pays change in one transaction. One that the chain no longer has is taken back.
 * An answer that settles nothing leaves the transfer as it is, for the next round.
 * @param head the chain as the scanner just saw it
 * @returns how many transfers were confirmed
 */
export async function confirmTransfers(
  db: Db,
  ctx: StoryContext,
  source: ChainSource,
  network: Network,
  head: Head,
  now: Date,
): Promise<number> {
  const height = finalHeight(network, head);
  const due = await listFinalizable(db, network.id, height, BATCH);
  let confirmed = 0;
  for (const transfer of due) {
    const look = await lookAgain(source, transfer);
    if (await settle(db, ctx, transfer, look, confirmationsAt(head.height, transfer.blockHeight), now)) confirmed += 1;
  }
  return confirmed;
}

async function lookAgain(source: ChainSource, transfer: StoredTransfer): Promise<SecondLook> {
  const receipt = await source.receipt(transfer.txId);
  const found = receipt?.isSuccess
    ? receipt.transfers.find(
        (candidate) => candidate.position === transfer.position && isSamePayment(candidate, transfer),
      )
    : undefined;
  if (found?.blockHash === transfer.blockHash) return { kind: "final" };
  if (found) return { kind: "moved", height: found.blockHeight, hash: found.blockHash, time: found.blockTime };
  const block = await source.block({ height: transfer.blockHeight });
  if (!block) return { kind: "unclear" };
  const isContradicted = receipt !== null && receipt.blockHash === block.hash;
  return block.hash !== transfer.blockHash || isContradicted ? { kind: "gone" } : { kind: "unclear" };
}

function isSamePayment(candidate: { token: string; to: string; baseUnits: bigint }, transfer: StoredTransfer): boolean {
  return (
    candidate.token === transfer.token &&
    candidate.to === transfer.toAddress &&
    candidate.baseUnits === transfer.baseUnits
  );
}

async function settle(
  db: Db,
  ctx: StoryContext,
  transfer: StoredTransfer,
  look: SecondLook,
  confirmations: number,
  now: Date,
): Promise<boolean> {
  switch (look.kind) {
    case "final":
      return db.transaction(async (tx) => {
        if (!(await confirmTransfer(tx, transfer, confirmations, now))) return false;
        if (transfer.orderId) await moveOrder(tx, ctx, transfer.orderId, { type: "fundsChanged" }, now);
        return true;
      });
    case "moved":
      await relocateTransfer(db, transfer, look);
      return false;
    case "gone":
      await dropTransfer(db, transfer);
      return false;
    case "unclear":
      ctx.log.warn(
        { txId: transfer.txId, network: transfer.network, height: transfer.blockHeight },
        "no endpoint has the receipt of a transfer in a final block",
      );
      return false;
  }
}
