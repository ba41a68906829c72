import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { acknowledgeLost as acknowledge } from "@/db/queries/transfers/reorgs";
import { type Actor, MAY_ONLY_LOOK, mayChange } from "@/lib/domain/keys/role";

/**
 * A person says that they know of a settled transfer that its chain took back: it leaves the first page, and nothing else
 * changes. Repeating it is refused in words.
 */
export async function acknowledgeLost(
  db: Db,
  actor: Actor,
  transferId: string,
  now: Date,
): Promise<{ problem: string } | null> {
  if (!mayChange(actor.role)) return { problem: MAY_ONLY_LOOK };
  return db.transaction(async (tx) => {
    const lost = await acknowledge(tx, actor.merchantId, transferId, now);
    if (!lost)
      return { problem: "Nobody waits for this any more: it was acknowledged, or the chain has the transfer again" };
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
