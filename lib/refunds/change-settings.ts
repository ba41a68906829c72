import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { findRefundSettings, writeRefundSettings } from "@/db/queries/refunds/refund-requests";
import { type Actor, mayChange, READ_ONLY } from "@/lib/domain/keys/role";
import type { Problem } from "@/lib/domain/problems/problem";
import type { RefundSettings } from "@/lib/domain/refunds/refund";

/** Saves a merchant's settings for refunds. Claims that were made before are not affected. */
export async function saveRefundSettings(
  db: Db,
  { merchantId, userId, from, role }: Actor,
  settings: RefundSettings,
  now: Date,
): Promise<{ problem: Problem } | null> {
  if (!mayChange(role)) return { problem: READ_ONLY };
  return db.transaction(async (tx) => {
    const before = await findRefundSettings(tx, merchantId);
    if (before.claimCheck === settings.claimCheck && before.networks.join() === settings.networks.join()) return null;
    await writeRefundSettings(tx, merchantId, settings, now);
    const detail = { claimCheck: settings.claimCheck, networks: settings.networks };
    await insertAuditEvent(tx, { merchantId, userId, from, action: "refund_settings.changed", detail }, now);
    return null;
  });
}
