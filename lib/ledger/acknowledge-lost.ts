import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { acknowledgeLost as acknowledge } from "@/db/queries/transfers/reorgs";
import { type Actor, mayChange, READ_ONLY } from "@/lib/domain/keys/role";
import { type Problem, problem } from "@/lib/domain/problems/problem";

/**
 * Acknowledges a settled transfer that a reorg removed, so that the first page of the back office no longer shows it. No other data
 * changes. A repeated call is refused.
 */
export async function acknowledgeLost(
  db: Db,
  actor: Actor,
  transferId: string,
  now: Date,
): Promise<{ problem: Problem } | null> {
  if (!mayChange(actor.role)) return { problem: READ_ONLY };
  return db.transaction(async (tx) => {
    const lost = await acknowledge(tx, actor.merchantId, transferId, now);
    if (!lost) return { problem: problem("transfer_already_acknowledged") };
    const { userId, merchantId, from } = actor;
    const detail = { transferId, txId: lost.txId };
    const { orderId } = lost;
    await insertAuditEvent(
      tx,
      { userId, merchantId, from, orderId, action: "transfer.lost_acknowledged", detail },
      now,
    );
    return null;
  });
}
