import type { Db } from "@/db/client";
import {
  confirmTransfer,
  dropTransfer,
  listFinalizable,
  relocateTransfer,
  type TransferPlace,
} from "@/db/queries/transfer-confirmations";
import type { StoredTransfer } from "@/db/queries/transfer-matches";
import type { Standing, TransferJudge } from "@/lib/chains/source";
import type { Head } from "@/lib/domain/block";
import { finalBefore, finalHeight } from "@/lib/domain/finality";
import type { Network } from "@/lib/domain/networks";
import { confirmationsAt } from "@/lib/domain/transfer";
import { moveOrder } from "@/lib/orders/move-order";
import type { StoryContext } from "@/lib/orders/story-context";

const PAGE = 200;
const MOST_UNCLEAR = 100;

/** What a worker remembers of a network's confirming between its rounds. It can be lost at any time. */
export interface ConfirmMemory {
  /** Where the last round gave up, so that the next one begins with those after it; null: with the lowest. */
  after: TransferPlace | null;
}

/**
 * Reads every transfer that has become final, by its network's rule and by its merchant's, once more (from a second endpoint
 * where there is one) and confirms it; a transfer and the order it pays change in one transaction. One that the chain no
 * longer has is taken back. An answer that settles nothing leaves the transfer as it is, for a later round; a round with a
 * hundred such answers ends early.
 * @param head the chain as the scanner just saw it
 * @returns how many transfers were confirmed
 */
export async function confirmTransfers(
  db: Db,
  ctx: StoryContext,
  judge: TransferJudge,
  network: Network,
  head: Head,
  now: Date,
  memory: ConfirmMemory = { after: null },
): Promise<number> {
  const final = { finalHeight: finalHeight(network, head), finalBefore: finalBefore(network, head) };
  const due = { network: network.id, ...final, headHeight: head.height, headTime: head.time };
  let [confirmed, unclear] = [0, 0];
  let page: StoredTransfer[];
  do {
    page = await listFinalizable(db, due, memory.after, PAGE);
    for (const transfer of page) {
      const standing = await judge.standing({ ...transfer, to: transfer.toAddress });
      const confirmations = confirmationsAt(head.height, transfer.blockHeight);
      if (await settle(db, ctx, transfer, standing, confirmations, now)) confirmed += 1;
      if (standing.kind === "unclear") unclear += 1;
      memory.after = transfer;
      if (unclear >= MOST_UNCLEAR) return confirmed;
    }
  } while (page.length === PAGE);
  memory.after = null;
  return confirmed;
}

async function settle(
  db: Db,
  ctx: StoryContext,
  transfer: StoredTransfer,
  standing: Standing,
  confirmations: number,
  now: Date,
): Promise<boolean> {
  switch (standing.kind) {
    case "final":
      return db.transaction(async (tx) => {
        if (!(await confirmTransfer(tx, transfer, confirmations, now))) return false;
        if (transfer.orderId) await moveOrder(tx, ctx, transfer.orderId, { type: "fundsChanged" }, now);
        return true;
      });
    case "moved":
      await relocateTransfer(db, transfer, standing);
      return false;
    case "gone":
      await dropTransfer(db, transfer);
      return false;
    case "unclear":
      ctx.log.warn(
        { txId: transfer.txId, network: transfer.network, height: transfer.blockHeight },
        "no endpoint can tell what became of a transfer in a final block",
      );
      return false;
  }
}
