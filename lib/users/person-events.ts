import type { Db } from "@/db/client";
import { insertAuditEvents } from "@/db/queries/merchants/audit-events";
import { enqueueSecurityEmail } from "@/db/queries/notifications/account-emails";
import { listShopIds } from "@/db/queries/users/memberships";
import { type AuditAction, subjectOf } from "@/lib/domain/audit/audit";
import { isOwnSecurity } from "@/lib/domain/notifications/account-email";
import { originText, type RequestOrigin } from "@/lib/domain/users/request-origin";

export interface PersonEvent {
  userId: string;
  action: AuditAction;
  detail?: Record<string, unknown>;
  /** The origin of the user, if known. */
  from?: RequestOrigin | undefined;
}

/**
 * Records an action by a user, or on their behalf, in the audit log of all their shops, and enqueues an email if it concerns the security
 * of their account.
 */
export async function notePersonEvent(db: Db, event: PersonEvent, now: Date): Promise<void> {
  const { userId, action, detail = {}, from } = event;
  const shops = await listShopIds(db, userId);
  await insertAuditEvents(
    db,
    shops.map((merchantId) => ({ merchantId, ...event })),
    now,
  );
  if (!isOwnSecurity(action)) return;
  const fact = { action, shop: "", by: "", what: subjectOf(detail), from: originText(from), at: now.toISOString() };
  await enqueueSecurityEmail(db, userId, fact, now);
}
