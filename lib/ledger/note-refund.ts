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

/** So many of a shop at once, and one in so long: each costs its network's endpoints some calls. */
const OFTEN = { burst: 30, intervalMs: 2_000 };

interface Note {
  transferId: string;
  /** As it was typed: a transaction id, or an explorer's link. */
  text: string;
}

/**
 * A person says that a final transfer was sent back, by the transaction that did it. It is written down and looked up by the
 * network's worker (`answerRefunds`); until the chain shows it nothing counts. No order moves. Repeating a note that was refused or
 * given up has it looked up once more; any other repeat changes nothing.
 * @returns why not; null where it is noted
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
