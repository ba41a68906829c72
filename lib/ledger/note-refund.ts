import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { takeTokens } from "@/db/queries/merchants/rate-limits";
import { lockTransferOf } from "@/db/queries/transfers/matches";
import { noteRefund as writeNote } from "@/db/queries/transfers/refunds";
import { type Actor, mayChange, READ_ONLY } from "@/lib/domain/keys/role";
import { getNetwork } from "@/lib/domain/networks";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { readTxId } from "@/lib/domain/transfers/lookup";
import { touchOrders } from "@/lib/orders/move-order";

/** The rate limit of recorded refunds per shop (burst and average). Each record costs its network's endpoints some calls. */
const OFTEN = { burst: 30, intervalMs: 2_000 };

interface Note {
  transferId: string;
  /** The input as typed: a transaction id, or a block explorer link. */
  text: string;
}

/**
 * Records the refund of a final transfer by its transaction. The network's worker checks it (`answerRefunds`); the refund counts only once
 * the chain shows it. No order's status changes. A repeated record of a refused or abandoned refund is checked again; any other repeated
 * call changes nothing.
 * @returns the reason for a refusal; null if it is recorded
 */
export async function noteRefund(
  db: Db,
  actor: Actor,
  { transferId, text }: Note,
  now: Date,
): Promise<{ problem: Problem } | null> {
  if (!mayChange(actor.role)) return { problem: READ_ONLY };
  const { userId, merchantId, from } = actor;
  return db.transaction(async (tx) => {
    const transfer = await lockTransferOf(tx, merchantId, transferId);
    if (!transfer) return { problem: problem("transfer_unknown") };
    const { network, orderId, status } = transfer;
    if (status === "dropped") return { problem: problem("refund_of_dropped") };
    if (status === "seen") return { problem: problem("refund_of_unconfirmed") };
    const txId = readTxId(getNetwork(network).family, text);
    if (txId === null) return { problem: problem("refund_id_malformed", { network: getNetwork(network).name }) };
    if (txId === transfer.txId) return { problem: problem("refund_is_payment") };
    const { granted } = await takeTokens(tx, { key: `refunds:${merchantId}`, ...OFTEN }, 1, now);
    if (granted === 0) return { problem: problem("too_many_refunds") };
    if (!(await writeNote(tx, { merchantId, transferId, txId, network, notedBy: userId }, now))) return null;
    const detail = { transferId, network, txId };
    await insertAuditEvent(tx, { merchantId, userId, from, orderId, action: "refund.noted", detail }, now);
    if (orderId) await touchOrders(tx, [orderId], now);
    return null;
  });
}
