import type { Db } from "@/db/client";
import { insertAuditEvents } from "@/db/queries/merchants/audit-events";
import { listShopIds } from "@/db/queries/people/memberships";

export interface PersonEvent {
  userId: string;
  action:
    | "session.started"
    | "session.ended"
    | "session.revoked"
    | "session.others_revoked"
    | "sign_in.failed"
    | "second_step.failed"
    | "totp.added"
    | "totp.removed"
    | "recovery_code.used"
    | "recovery_codes.renewed"
    | "passkey.added"
    | "passkey.removed"
    | "passkey.refused"
    | "user.password_changed"
    | "user.password_reset";
  detail?: Record<string, unknown>;
}

/** Writes what a person did, or somebody in their name, into the record of every shop that they belong to. */
export async function notePersonEvent(db: Db, event: PersonEvent, now: Date): Promise<void> {
  const shops = await listShopIds(db, event.userId);
  await insertAuditEvents(
    db,
    shops.map((merchantId) => ({ merchantId, ...event })),
    now,
  );
}
