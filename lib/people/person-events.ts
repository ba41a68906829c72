import type { Db } from "@/db/client";
import { insertAuditEvents } from "@/db/queries/merchants/audit-events";
import { listShopIds } from "@/db/queries/people/memberships";
import type { AuditAction } from "@/lib/domain/audit";

export interface PersonEvent {
  userId: string;
  action: AuditAction;
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
