import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { rowList } from "@/db/queries/many-rows";
import { enqueueShopEmails } from "@/db/queries/notifications/account-emails";
import { auditEvents, users } from "@/db/schema";
import { type AuditAction, subjectOf } from "@/lib/domain/audit/audit";
import { newId } from "@/lib/domain/id";
import { isShopSecurity } from "@/lib/domain/notifications/account-email";
import { originText, type RequestOrigin } from "@/lib/domain/users/request-origin";

export interface AuditEvent {
  merchantId: string;
  /** The user; absent or null if the service itself acted. */
  userId?: string | null;
  orderId?: string | null;
  action: AuditAction;
  detail?: Record<string, unknown>;
  /** The IP address and browser of the user. */
  from?: RequestOrigin | undefined;
}

/** Adds one entry to the audit log. Call it in the transaction of the change itself. */
export async function insertAuditEvent(db: Db, event: AuditEvent, now: Date): Promise<void> {
  await insertAuditEvents(db, [event], now);
}

/**
 * Adds an entry unless the log has one of this action with the same `name` in its detail; two concurrent calls may both add one. Call it
 * in a transaction, so that the entry and its emails are written together or not at all.
 */
export async function insertAuditEventOnce(db: Db, event: AuditEvent, name: string, now: Date): Promise<void> {
  const { merchantId, action, detail = {} } = event;
  const [known] = await db
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.merchantId, merchantId),
        eq(auditEvents.action, action),
        sql`${auditEvents.detail} ->> ${name} = ${String(detail[name])}`,
      ),
    )
    .limit(1);
  if (!known) await insertAuditEvent(db, event, now);
}

/** Adds audit entries, and enqueues the security emails to the shop's owners, in one statement. */
export async function insertAuditEvents(db: Db, events: readonly AuditEvent[], now: Date): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ userId = null, orderId = null, detail = {}, from, merchantId, action }) => ({
    id: newId(now),
    merchantId,
    userId,
    orderId,
    action,
    detail: from ? { ...detail, from_ip: from.ip, from_browser: from.browser } : detail,
    from,
  }));
  await db.execute(sql`
    insert into audit_events (id, merchant_id, user_id, order_id, action, detail, at)
    select id, "merchantId", "userId", "orderId", action, detail, ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${rowList(rows)}) as a (id text, "merchantId" text, "userId" text, "orderId" text, action text, detail jsonb)`);
  // Actions on an order do not affect the security of a shop.
  const pending = rows.filter(({ orderId, action }) => orderId === null && isShopSecurity(action));
  if (pending.length === 0) return;
  const facts = pending.map(({ detail, from, ...row }) => ({
    ...row,
    what: subjectOf(detail),
    from: originText(from),
  }));
  await enqueueShopEmails(db, facts, now);
}

export interface TimelineEvent {
  id: string;
  action: string;
  detail: Record<string, unknown>;
  at: Date;
  /** The email address of the user who acted; null if the service itself acted. */
  by: string | null;
}

const TIMELINE_LIMIT = 200;

/** Returns the audit entries of one order, newest first. */
export async function listOrderEvents(db: Db, merchantId: string, orderId: string): Promise<TimelineEvent[]> {
  return db
    .select({
      id: auditEvents.id,
      action: auditEvents.action,
      detail: auditEvents.detail,
      at: auditEvents.at,
      by: users.email,
    })
    .from(auditEvents)
    .leftJoin(users, eq(users.id, auditEvents.userId))
    .where(and(eq(auditEvents.merchantId, merchantId), eq(auditEvents.orderId, orderId)))
    .orderBy(desc(auditEvents.id))
    .limit(TIMELINE_LIMIT);
}
