import type { Db } from "@/db/client";
import { forEachIsolated, forgetFailures } from "@/db/queries/many-rows";
import { lockOrders } from "@/db/queries/orders/order-moves";
import { lockRefund, type StoredRefund } from "@/db/queries/refunds/refund-requests";
import {
  type AddressedRefund,
  isIncome,
  listOrdersOfRefundsAt,
  listRefundTransfersToMatch,
  lockRefundsAt,
  lockRefundTransfer,
  type RefundMatch,
  rematchIncoming,
  rematchRepeated,
  type StoredRefundTransfer,
  writeRefundMatch,
} from "@/db/queries/refunds/refund-transfers";
import { chooseRefund, refundTransferProblem } from "@/lib/domain/refunds/refund";
import type { OrderContext } from "@/lib/orders/move-order";
import { moveRefund } from "@/lib/refunds/move-refund";

const BATCH = 200;
const NO_MATCH = { refundId: null, merchantId: null } as const;

/**
 * Matches the transfers to addresses of approved refunds. A transfer completes the refund with its address, token and amount that was
 * approved first; any other is stored with the reason. A transfer that a reorg removed or changed returns its refund to `approved`, and
 * a repeated transfer can then complete it, unless it is income for good. Run it before transfers are matched to orders: a transfer that
 * completes a refund pays no order. Each transfer has its own transaction, because refunds are few. A transfer that cannot be matched is
 * logged and retried, and does not delay others.
 * @returns the number of matched transfers
 */
export async function matchRefunds(db: Db, ctx: OrderContext, network: string, now: Date): Promise<number> {
  const items = await listRefundTransfersToMatch(db, network, now, BATCH);
  let count = 0;
  for (const item of items) {
    const work = () =>
      db.transaction(async (tx) => {
        await forgetFailures(tx, "match_refund", [item.id]);
        if (await matchOne(tx, ctx, item, now)) count += 1;
      });
    await forEachIsolated(db, ctx, { name: "match_refund", items: [item], work }, now);
  }
  return count;
}

type TransferKey = Pick<StoredRefundTransfer, "network" | "txId" | "position">;

/** Locks the transfer, then the orders of all refunds that may change, then these refunds. Returns false if it was matched meanwhile. */
async function matchOne(tx: Db, ctx: OrderContext, key: TransferKey, now: Date): Promise<boolean> {
  const transfer = await lockRefundTransfer(tx, key);
  if (!transfer || transfer.matchedAt !== null) return false;
  await lockOrders(tx, await listOrdersOfRefundsAt(tx, transfer));
  const before = await lockLinked(tx, transfer);
  const refunds = await lockRefundsAt(tx, transfer);
  const chosen = decide(transfer, before, refunds);
  // It was repeated and credited, and the first transfer of the refund then turned out to be none.
  const isTooLate = chosen.refundId !== null && before === null && (await isIncome(tx, transfer));
  const match: RefundMatch = isTooLate ? { ...NO_MATCH, problem: "repeated" } : chosen;
  if (before && match.refundId !== before.id) {
    await returnToApproved(tx, ctx, before, transfer, now);
    await rematchRepeated(tx, before);
  }
  if (match.refundId !== null) await send(tx, ctx, match, transfer, now);
  await writeRefundMatch(tx, transfer, match, now);
  await rematchIncoming(tx, transfer);
  return true;
}

async function lockLinked(tx: Db, { refundId, merchantId }: StoredRefundTransfer): Promise<StoredRefund | null> {
  return refundId === null || merchantId === null ? null : lockRefund(tx, { id: refundId, merchantId });
}

function decide(
  transfer: StoredRefundTransfer,
  before: StoredRefund | null,
  refunds: readonly AddressedRefund[],
): RefundMatch {
  if (transfer.status === "dropped") return { ...NO_MATCH, problem: null };
  // The refund that the transfer completes is free for it, whatever its status is.
  const candidates = refunds.map((refund) =>
    refund.id === before?.id ? { ...refund, status: "approved" as const } : refund,
  );
  const own = candidates.find(({ id }) => id === before?.id);
  if (own && refundTransferProblem(own, transfer) === null)
    return { refundId: own.id, merchantId: own.merchantId, problem: null };
  const chosen = chooseRefund(candidates, transfer);
  if ("problem" in chosen) return { ...NO_MATCH, problem: chosen.problem };
  const merchantId = refunds.find(({ id }) => id === chosen.refundId)?.merchantId;
  if (merchantId === undefined) throw new Error(`The refund ${chosen.refundId} is not among those that were locked`);
  return { refundId: chosen.refundId, merchantId, problem: null };
}

const detailOf = ({ network, txId }: StoredRefundTransfer) => ({ network, txId });

/** Returns a refund to `approved`, because its transfer is not on the chain any more, or differs. */
async function returnToApproved(
  tx: Db,
  ctx: OrderContext,
  refund: StoredRefund,
  transfer: StoredRefundTransfer,
  now: Date,
): Promise<void> {
  if (refund.status !== "sent" && refund.status !== "completed") return;
  const action = refund.status === "completed" ? "refund.reversed" : "refund.unsent";
  const step = { to: "approved", action, change: { completedAt: null }, detail: detailOf(transfer) } as const;
  await moveRefund(tx, ctx, refund, step, now);
  const facts = { refundId: refund.id, tradeId: refund.orderId, ...detailOf(transfer) };
  if (action === "refund.reversed") ctx.log.error(facts, "a reorg removed the transfer of a completed refund");
  else ctx.log.warn(facts, "a reorg removed or changed the transfer of a refund");
}

/** Moves the chosen refund to `sent`, unless it was sent by this transfer already. */
async function send(
  tx: Db,
  ctx: OrderContext,
  match: { refundId: string; merchantId: string },
  transfer: StoredRefundTransfer,
  now: Date,
): Promise<void> {
  const refund = await lockRefund(tx, { id: match.refundId, merchantId: match.merchantId });
  if (!refund || refund.status === "sent") return;
  const change = { completedAt: null };
  await moveRefund(tx, ctx, refund, { to: "sent", change, action: "refund.sent", detail: detailOf(transfer) }, now);
}
