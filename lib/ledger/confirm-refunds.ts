import type { Db } from "@/db/client";
import { forEachIsolated, forgetFailures } from "@/db/queries/many-rows";
import { lockOrders } from "@/db/queries/orders/order-moves";
import { lockRefund } from "@/db/queries/refunds/refund-requests";
import {
  confirmRefundTransfer,
  dropRefundTransfer,
  listOrdersOfRefundsAt,
  listRefundTransfersToConfirm,
  lockRefundTransfer,
  postponeRefundTransfer,
  relocateRefundTransfer,
  type StoredRefundTransfer,
} from "@/db/queries/refunds/refund-transfers";
import { ChainError, type Finality, type FinalityChecker } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";
import { type Head, isFinalAt } from "@/lib/domain/networks/finality";
import type { OrderContext } from "@/lib/orders/move-order";
import { moveRefund } from "@/lib/refunds/move-refund";

const BATCH = 50;
const NO_REQUIREMENT = { minConfirmations: null, minSeconds: null };
/** The interval between checks of a transfer that is not final: short at first, and longer for one that endpoints do not agree on. */
const RETRY_MS = { min: 1_000, max: 600_000, part: 8 } as const;

/** The dependencies of a round, as of the confirmation of payments. */
export interface RefundRound {
  checker: Pick<FinalityChecker, "checkFinality" | "heads">;
  network: Network;
  /** The chain as the scanner just read it. */
  head: Head;
}

/**
 * Checks the transfers that complete refunds, by the finality rule of their network and the same agreement of endpoints as for payments,
 * and completes the refunds of those that are final. A transfer that the chain no longer has, or that is in another block, is matched
 * again. Missing or contradictory responses leave it for a later round.
 * @returns the number of completed refunds
 */
export async function confirmRefunds(db: Db, ctx: OrderContext, round: RefundRound, now: Date): Promise<number> {
  const due = await listRefundTransfersToConfirm(db, round.network.id, now, BATCH);
  let count = 0;
  for (const sent of due) {
    const finality = await look(ctx, round, sent);
    const id = `${sent.txId} ${sent.position}`;
    const work = async () => {
      await forgetFailures(db, "confirm_refund", [id]);
      if (await settle(db, ctx, sent, finality, now)) count += 1;
    };
    await forEachIsolated(db, ctx, { name: "confirm_refund", items: [{ id }], work }, now);
  }
  return count;
}

async function look(
  ctx: OrderContext,
  { checker, network, head }: RefundRound,
  sent: StoredRefundTransfer,
): Promise<Finality | "silent"> {
  const isFinal = (other: Head, blockTime = sent.blockTime) =>
    isFinalAt(network, other, { blockHeight: sent.blockHeight, blockTime }, NO_REQUIREMENT);
  try {
    if (checker.heads().length < 2 && !isFinal(head)) return { kind: "waiting" };
    return await checker.checkFinality({ ...sent, to: sent.toAddress }, isFinal);
  } catch (error) {
    const { network: id, txId, refundId } = sent;
    if (!(error instanceof ChainError))
      ctx.log.error({ err: error, network: id, txId, refundId }, "the transfer of a refund could not be checked");
    return "silent";
  }
}

async function settle(
  db: Db,
  ctx: OrderContext,
  sent: StoredRefundTransfer,
  finality: Finality | "silent",
  now: Date,
): Promise<boolean> {
  const kind = finality === "silent" ? finality : finality.kind;
  switch (kind) {
    case "final":
      return complete(db, ctx, sent, now);
    case "gone":
      await dropRefundTransfer(db, sent);
      return false;
    case "moved":
    case "retimed":
      if (finality !== "silent" && finality.kind === "moved") await relocateRefundTransfer(db, sent, finality);
      if (finality !== "silent" && finality.kind === "retimed")
        await relocateRefundTransfer(db, sent, { height: sent.blockHeight, hash: sent.blockHash, time: finality.time });
      return false;
    case "contradicted":
      ctx.log.error(
        { refundId: sent.refundId, txId: sent.txId, network: sent.network },
        "endpoints contradict each other: the transfer of a refund remains unconfirmed",
      );
      await postpone(db, sent, now);
      return false;
    default:
      await postpone(db, sent, now);
      return false;
  }
}

function postpone(db: Db, sent: StoredRefundTransfer, now: Date): Promise<void> {
  const part = (now.getTime() - sent.seenAt.getTime()) / RETRY_MS.part;
  const wait = Math.min(RETRY_MS.max, Math.max(RETRY_MS.min, part));
  return postponeRefundTransfer(db, sent, new Date(now.getTime() + wait));
}

/** Completes a refund if its transfer is unchanged since the network was queried. A transfer that completes none becomes confirmed. */
async function complete(db: Db, ctx: OrderContext, sent: StoredRefundTransfer, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const transfer = await lockRefundTransfer(tx, sent);
    if (!transfer) return false;
    const { refundId, merchantId } = sent;
    if (refundId === null || merchantId === null) {
      await confirmRefundTransfer(tx, sent, now);
      return false;
    }
    await lockOrders(tx, await listOrdersOfRefundsAt(tx, transfer));
    const refund = await lockRefund(tx, { id: refundId, merchantId });
    if (refund?.status !== "sent" || !(await confirmRefundTransfer(tx, sent, now))) return false;
    const detail = { network: sent.network, txId: sent.txId };
    const change = { completedAt: now };
    await moveRefund(tx, ctx, refund, { to: "completed", change, action: "refund.completed", detail }, now);
    return true;
  });
}
