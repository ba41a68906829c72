import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { lockOrder } from "@/db/queries/orders/order-moves";
import { sumRefunds } from "@/db/queries/refunds/refund-requests";
import { lockTransferOf, type StoredTransfer, unlinkTransfer as unlink } from "@/db/queries/transfers/matches";
import type { CreditTarget } from "@/lib/domain/credit-target";
import { type Actor, mayChange, READ_ONLY } from "@/lib/domain/keys/role";
import { formatMicro } from "@/lib/domain/money";
import { readReason } from "@/lib/domain/orders/reason";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { toMicro } from "@/lib/domain/refunds/amounts";
import { afterFundsChanged } from "@/lib/ledger/credit-targets";
import { type ManualChange, type OrderContext, orderOf } from "@/lib/orders/move-order";
import { findRefundable } from "@/lib/refunds/refundable";

interface Unlinking {
  transferId: string;
  /** The order to which the transfer was linked on the user's page. */
  orderId: string;
  reason: string;
}

/**
 * Unlinks a transfer from an order that is not paid, for a reason that a user enters. The transfer is unmatched and never matched
 * automatically again; a user can assign it. The order's status is set according to its remaining funds. Refused
 * if refunds of the order need the transfer, because it could be refunded a second time. Safe to repeat.
 * @returns the order's status afterwards, or the problem that prevented the change
 */
export async function unlinkTransfer(
  db: Db,
  ctx: OrderContext,
  actor: Actor,
  { transferId, orderId, reason }: Unlinking,
  now: Date,
): Promise<ManualChange> {
  if (!mayChange(actor.role)) return { problem: READ_ONLY };
  const read = readReason(reason);
  if ("problem" in read) return read;
  return db.transaction(async (tx) => {
    const transfer = await lockTransferOf(tx, actor.merchantId, transferId);
    if (!transfer) return { problem: problem("transfer_unknown") };
    const order = orderOf(await lockOrder(tx, orderId), actor);
    if (!order) return { problem: problem("order_unknown") };
    if (transfer.orderId === null && transfer.unlinkedAt) return { status: order.status };
    if (transfer.orderId !== orderId) return { problem: problem("transfer_not_linked") };
    if (order.status === "paid") return { problem: problem("transfer_of_paid_order") };
    const refunded = await refundProblem(tx, actor.merchantId, transfer, orderId);
    if (refunded) return { problem: refunded };
    await unlink(tx, transferId, orderId, now);
    const { network, currency, txId, baseUnits, isAssigned } = transfer;
    const detail = { transferId, network, currency, txId, baseUnits: baseUnits.toString(), isAssigned };
    await insertAuditEvent(
      tx,
      { ...actor, orderId, action: "transfer.unlinked", detail: { ...detail, reason: read.value } },
      now,
    );
    const target: CreditTarget = { kind: "order", id: orderId };
    const [moved] = await afterFundsChanged(tx, ctx, [{ type: "unmatched", transferId, target }], now);
    return { status: moved?.status ?? order.status };
  });
}

/** Returns the reason why a confirmed transfer cannot leave its order: without it, the order's refunds exceed what the order received. */
async function refundProblem(
  tx: Db,
  merchantId: string,
  { id: transferId, status, network, currency, baseUnits }: StoredTransfer,
  orderId: string,
): Promise<Problem | null> {
  if (status !== "confirmed" || currency === null) return null;
  const left = await findRefundable(tx, merchantId, { orderId, transferId: null });
  const own = await sumRefunds(tx, merchantId, { orderId: null, transferId });
  if (!left || left.count === own.count) return null;
  const excess = toMicro(network, currency, baseUnits) - own.microUnits - left.leftMicro;
  return excess > 0n ? problem("transfer_refunded", { excess: formatMicro(excess), currency }) : null;
}
