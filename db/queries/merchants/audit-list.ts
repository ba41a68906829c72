import { and, desc, eq, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { scanRows, toWalkedPage, type Walked, type WalkedPage } from "@/db/queries/keyset";
import { idList } from "@/db/queries/many-rows";
import { auditEvents, orders, users } from "@/db/schema";
import { type AuditAction, type AuditFilter, actionsOf, OF_ORDERS, SERVICE } from "@/lib/domain/audit/audit";
import { firstIdAt, idBefore } from "@/lib/domain/id";
import type { ListCursor } from "@/lib/domain/list-cursor";
import { createdSpan } from "@/lib/domain/list-filter";

/** The maximum number of entries that are read for a page, however few of them match. */
const MAX_EXAMINED = 2_000;
/** The number of entries that are read at a time for an exported file. Each of these reads examines at most `MAX_PER_STEP` entries. */
const STEP = 1_000;
const MAX_PER_STEP = 20_000;

/** An entry of a shop's audit log. */
export interface AuditLine {
  id: string;
  action: AuditAction;
  detail: Record<string, unknown>;
  orderId: string | null;
  at: Date;
  userId: string | null;
  /** The email address of the user who acted; null if the service itself acted. */
  by: string | null;
}

/**
 * Returns the entries of a shop's audit log that match a filter, newest first. Scans the most suitable index and examines a bounded number
 * of entries. If the matches do not fill the page, the next page continues after the last examined entry.
 */
export async function listAuditEvents(
  db: Db,
  merchantId: string,
  filter: AuditFilter,
  cursor: ListCursor,
  limit: number,
): Promise<WalkedPage<AuditLine>> {
  const orderId = await findOrderId(db, merchantId, filter);
  const found = await scanEvents(db, merchantId, filter, orderId, { cursor, limit, max: MAX_EXAMINED });
  return toWalkedPage(await readEvents(db, merchantId, found.ids.slice(0, limit)), found, cursor, limit);
}

/**
 * Yields all entries that match a filter, newest first, in batches. The next batch is read on demand, and no transaction stays open in
 * between.
 */
export async function* readAllAuditEvents(
  db: Db,
  merchantId: string,
  filter: AuditFilter,
): AsyncGenerator<AuditLine[]> {
  const orderId = await findOrderId(db, merchantId, filter);
  for (let cursor: ListCursor = null; ; ) {
    const step = { cursor, limit: STEP, max: MAX_PER_STEP };
    const found: Walked = await scanEvents(db, merchantId, filter, orderId, step);
    const ids = found.ids.slice(0, STEP);
    if (ids.length > 0) yield await readEvents(db, merchantId, ids);
    const last = found.ids.length > STEP ? ids.at(-1) : found.isCut ? found.last : null;
    if (!last) return;
    cursor = { after: last };
  }
}

/**
 * Returns the id of the order that a search text identifies by its id or by the merchant's order number; null if there is none. An index
 * then finds the audit entries of this order.
 */
async function findOrderId(db: Db, merchantId: string, { text }: AuditFilter): Promise<string | null> {
  if (!text) return null;
  const named = or(eq(orders.id, text), eq(orders.mchOrderId, text));
  const [row] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.merchantId, merchantId), named))
    .limit(1);
  return row?.id ?? null;
}

interface Step {
  cursor: ListCursor;
  limit: number;
  max: number;
}

function scanEvents(
  db: Db,
  merchantId: string,
  filter: AuditFilter,
  orderId: string | null,
  step: Step,
): Promise<Walked> {
  const { since, before } = createdSpan(filter);
  const { cursor } = step;
  return scanRows(db, {
    from: sql`audit_events a`,
    columns: sql`a.id, a.action, a.user_id, a.order_id, a.detail, a.at as created_at`,
    sortedBy: [sql`a.id`],
    along: [
      sql`a.merchant_id = ${merchantId}`,
      ...(since ? [sql`a.id >= ${idBefore(since)}`, sql`a.at >= ${since.toISOString()}::timestamptz`] : []),
      ...(before ? [sql`a.id < ${firstIdAt(before)}`, sql`a.at < ${before.toISOString()}::timestamptz`] : []),
      ...(cursor ? ["before" in cursor ? sql`a.id > ${cursor.before}` : sql`a.id < ${cursor.after}`] : []),
      ...indexed(filter, orderId),
    ],
    kept: keptBy(filter, orderId),
    ...step,
  });
}

/** Returns the conditions that have their own indexes: entries of one order, of one user, or of no order. */
function indexed({ who, group, action }: AuditFilter, orderId: string | null): SQL[] {
  const isOfNoOrder = group !== undefined && !OF_ORDERS.includes(group);
  return [
    ...(orderId ? [sql`a.order_id = ${orderId}`] : []),
    ...(who && who !== SERVICE ? [sql`a.user_id = ${who}`] : []),
    ...((isOfNoOrder || (action && isAboutNoOrder(action))) && !orderId ? [sql`a.order_id is null`] : []),
  ];
}

const isAboutNoOrder = (action: AuditAction) =>
  !OF_ORDERS.some((group) => actionsOf({ group })?.includes(action)) || action === "callbacks.resent";

/** Returns the conditions on each examined entry `w`. */
function keptBy(filter: AuditFilter, orderId: string | null): SQL[] {
  const actions = actionsOf(filter);
  return [
    ...(filter.who === SERVICE ? [sql`w.user_id is null`] : []),
    ...(actions ? [sql`w.action = any(${idList(actions)})`] : []),
    ...(filter.text && !orderId
      ? [
          sql`(w.order_id = ${filter.text} or exists (select from jsonb_each_text(w.detail) d where d.value = ${filter.text}))`,
        ]
      : []),
  ];
}

async function readEvents(db: Db, merchantId: string, ids: readonly string[]): Promise<AuditLine[]> {
  if (ids.length === 0) return [];
  return db
    .select({
      id: auditEvents.id,
      action: auditEvents.action,
      detail: auditEvents.detail,
      orderId: auditEvents.orderId,
      userId: auditEvents.userId,
      at: auditEvents.at,
      by: sql<string | null>`coalesce(${users.email}, ${auditEvents.userId})`,
    })
    .from(auditEvents)
    .leftJoin(users, eq(users.id, auditEvents.userId))
    .where(and(eq(auditEvents.merchantId, merchantId), sql`${auditEvents.id} = any(${idList(ids)})`))
    .orderBy(desc(auditEvents.id));
}
