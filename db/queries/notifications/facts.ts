import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { rowList } from "@/db/queries/many-rows";
import { notificationChoices, notificationCursors } from "@/db/schema";
import { idBefore, newId } from "@/lib/domain/id";
import { OWN_SECURITY, SHOP_SECURITY } from "@/lib/domain/notifications/account-email";
import type { NotificationKind } from "@/lib/domain/notifications/notification";

/** A fact to enqueue for a channel. */
export interface NewNotification {
  merchantId: string;
  channelId: string;
  kind: NotificationKind;
  factKey: string;
  facts: Record<string, unknown>;
}

/** The range of a search: events since a given time, on networks that are read. */
export interface Search {
  since: Date;
  networks: readonly string[];
}

/** The maximum number of facts of a kind that are read at a time. */
export const MAX_EVENTS = 2_000;
/** The number of consecutive failures after which an origin is reported. */
const FAILURES = 5;
const DAY_MS = 86_400_000;

const iso = (at: Date) => sql`${at.toISOString()}::timestamptz`;
type Part = ReturnType<typeof sql>;

/** Returns true if any user subscribed to any event. */
export async function hasChoices(db: Db): Promise<boolean> {
  return (await db.select({ kind: notificationChoices.kind }).from(notificationChoices).limit(1)).length > 0;
}

/**
 * Returns the time up to which events were collected, locked until this transaction ends.
 * @returns null while another worker collects
 */
export async function lockNotificationCursor(tx: Db, now: Date): Promise<Date | null> {
  await tx.insert(notificationCursors).values({ name: "news", readTo: now }).onConflictDoNothing();
  const [row] = await tx.select().from(notificationCursors).for("update", { skipLocked: true });
  return row?.readTo ?? null;
}

/** Stores the time up to which events were collected. */
export async function moveNotificationCursor(tx: Db, readTo: Date): Promise<void> {
  await tx.update(notificationCursors).set({ readTo });
}

/** Returns the facts of one kind that are not enqueued yet for subscribed channels. One statement covers all merchants. */
export async function listNotificationFacts(
  db: Db,
  kind: NotificationKind,
  search: Search,
  now: Date,
): Promise<NewNotification[]> {
  const sources = SOURCES[kind].map((source) => source(search, now));
  const found = await Promise.all(sources.map((source) => listFrom(db, kind, source)));
  return found.flat();
}

async function listFrom(db: Db, kind: NotificationKind, source: Source): Promise<NewNotification[]> {
  const { joins, where, key, facts } = source;
  return db.execute<NewNotification & Record<string, unknown>>(sql`
    select c.merchant_id as "merchantId", c.channel_id as "channelId", c.kind, ${key} as "factKey",
      jsonb_build_object(${facts}) as facts
    from notification_choices c
    join notification_channels h on h.id = c.channel_id and h.merchant_id = c.merchant_id
    ${joins}
    where c.kind = ${kind} and h.verified_at is not null and ${where} and not exists (
      select from notifications n
      where n.merchant_id = c.merchant_id and n.channel_id = c.channel_id and n.kind = c.kind and n.fact_key = ${key})
    limit ${MAX_EVENTS}`);
}

/** A source of facts, joined to a choice `c` and its channel `h`. */
interface Source {
  joins: Part;
  where: Part;
  key: Part;
  /** The facts, as pairs of names and values. */
  facts: Part;
}

/** The join of the merchant's audit entries. */
const RECORD = sql`join audit_events a on a.merchant_id = c.merchant_id`;
const isNew = (action: string, since: Date) =>
  sql`a.id > ${idBefore(since)} and a.at > ${iso(since)} and a.at >= c.since and a.action = ${action}`;
const TRANSFER = sql`'transferId', t.id, 'units', t.base_units::text, 'network', t.network, 'currency', t.currency`;
/** Returns the UTC day of a time. It is part of the key of a lasting condition, so that the condition is reported once a day. */
const dayOf = (now: Date) => now.toISOString().slice(0, 10);

const paid = ({ since }: Search): Source => ({
  joins: sql`${RECORD}
    join orders o on o.id = a.order_id and o.merchant_id = a.merchant_id
    left join quotes q on q.order_id = o.id and q.merchant_id = o.merchant_id and q.id = o.quote_id`,
  where: isNew("order.paid", since),
  key: sql`o.id`,
  facts: sql`'orderId', o.id, 'number', o.mch_order_id, 'network', q.network, 'currency', q.currency,
    'units', (case when o.paid_units > 0 then o.paid_units else q.base_units end)::text`,
});

/** Returns unmatched transfers without look-alikes, because anyone can send look-alikes for free. */
const unmatched = ({ since }: Search, now: Date): Source => ({
  joins: sql`join transfers t on t.merchant_id = c.merchant_id`,
  where: sql`t.unmatched_reason is not null and t.status <> 'dropped' and t.unmatched_reason not in ('taken_back', 'unlinked')
    and t.currency is not null and t.id > ${idBefore(new Date(now.getTime() - DAY_MS))}
    and t.matched_at > ${iso(since)} and t.matched_at >= c.since`,
  key: sql`t.id`,
  facts: TRANSFER,
});

const reversed = ({ since }: Search): Source => ({
  joins: sql`${RECORD}
    join transfers t on t.merchant_id = a.merchant_id and t.id = a.detail ->> 'transferId'
    left join orders o on o.id = a.order_id and o.merchant_id = a.merchant_id`,
  where: isNew("transfer.lost", since),
  key: sql`a.id`,
  facts: sql`${TRANSFER}, 'number', o.mch_order_id`,
});

const failedCallbacks = ({ since }: Search): Source => ({
  joins: sql`${RECORD}
    join callbacks b on b.merchant_id = a.merchant_id and b.id = a.detail ->> 'callbackId'
    left join orders o on o.id = a.order_id and o.merchant_id = a.merchant_id`,
  where: isNew("callback.failed", since),
  key: sql`a.id`,
  facts: sql`'origin', b.origin, 'orderId', a.order_id, 'number', o.mch_order_id`,
});

const paused = (_search: Search, now: Date): Source => ({
  joins: sql`join callback_origins g on g.failures >= ${FAILURES} and g.paused_until is not null`,
  where: sql`exists (
    select from callbacks b where b.origin = g.origin and b.merchant_id = c.merchant_id and b.status = 'pending')`,
  key: sql`g.origin || ' ' || ${dayOf(now)}::text`,
  facts: sql`'origin', g.origin, 'orderId', null, 'number', null`,
});

const endpointError = ({ networks }: Search, now: Date): Source => ({
  joins: sql`join cursors u on u.network = any(string_to_array(${networks.join(",")}::text, ',')) and u.closed_at is null
    and network_refusal_code(null, u.problem, u.heard_at, ${iso(now)}) is not null`,
  where: sql`exists (
    select from receiving_addresses r
    where r.merchant_id = c.merchant_id and r.network = u.network and r.removed_at is null)`,
  key: sql`u.network || ' ' || ${dayOf(now)}::text`,
  facts: sql`'network', u.network, 'refusal', network_refusal_code(null, u.problem, u.heard_at, ${iso(now)})`,
});

const contradicted = (): Source => ({
  joins: sql`join transfers t on t.merchant_id = c.merchant_id`,
  where: sql`t.contradiction is not null and t.status = 'seen' and t.seen_at >= c.since`,
  key: sql`t.id`,
  facts: TRANSFER,
});

/** Returns a user's own sessions from a network that none of their earlier sessions came from. Their first session is not reported. */
const signedIn = ({ since }: Search): Source => ({
  joins: sql`join sessions s on s.user_id = h.user_id`,
  where: sql`s.created_at > ${iso(since)} and s.created_at >= c.since
    and exists (select from sessions e where e.user_id = s.user_id and e.created_at < s.created_at)
    and not exists (
      select from sessions e where e.user_id = s.user_id and e.created_at < s.created_at and e.network = s.network)`,
  key: sql`s.id`,
  facts: sql`'network', s.network, 'browser', s.browser`,
});

const unverified = ({ since }: Search): Source => ({
  joins: RECORD,
  where: isNew("address.tampered", since),
  key: sql`a.id`,
  facts: sql`'network', a.detail ->> 'network', 'address', a.detail ->> 'address'`,
});

const listed = (actions: readonly string[]) => sql`any(string_to_array(${actions.join(",")}::text, ','))`;

/**
 * Returns the security changes of a user's own account, and of shops that they own or changed. An email to the user's own address is sent
 * in any case (`account_letters`).
 */
const security = ({ since }: Search): Source => ({
  joins: sql`${RECORD} join users u on u.id = h.user_id join merchants s on s.id = c.merchant_id
    left join users d on d.id = a.user_id`,
  where: sql`a.id > ${idBefore(since)} and a.at > ${iso(since)} and a.at >= c.since and a.order_id is null
    and not (h.way = 'email' and lower(h.shown) = u.email)
    and (a.user_id = h.user_id and a.action = ${listed([...OWN_SECURITY, ...SHOP_SECURITY])}
      or a.action = ${listed(SHOP_SECURITY)} and exists (
        select from memberships m where m.merchant_id = c.merchant_id and m.user_id = h.user_id and m.role = 'owner'))`,
  key: sql`a.id`,
  facts: sql`'action', a.action, 'shop', s.name, 'by', coalesce(d.email, ''),
    'what', coalesce(a.detail ->> 'name', a.detail ->> 'address', a.detail ->> 'email', ''),
    'network', case when a.detail ? 'name' then null else a.detail ->> 'network' end,
    'from', concat_ws(' · ', a.detail ->> 'from_ip', a.detail ->> 'from_browser'),
    'at', to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
});

const SOURCES: Record<NotificationKind, readonly ((search: Search, now: Date) => Source)[]> = {
  orderPaid: [paid],
  moneyUnmatched: [unmatched],
  paymentReversed: [reversed],
  callbackFailing: [failedCallbacks, paused],
  networkTrouble: [endpointError],
  endpointsContradict: [contradicted],
  signedIn: [signedIn],
  addressTampered: [unverified],
  securityChanged: [security],
  dailyReport: [],
};

/** A channel that receives reports. */
export interface ReportReader {
  merchantId: string;
  channelId: string;
  timeZone: string;
  reportHour: number;
  /** The last reported day, YYYY-MM-DD; null if there is none yet. */
  lastDay: string | null;
}

/** Returns the recipients of daily reports, with the day of the last one. */
export async function listReportReaders(db: Db): Promise<ReportReader[]> {
  return db.execute<ReportReader & Record<string, unknown>>(sql`
    select c.merchant_id as "merchantId", c.channel_id as "channelId", h.time_zone as "timeZone",
      h.report_hour as "reportHour", (
        select max(n.fact_key) from notifications n
        where n.merchant_id = c.merchant_id and n.channel_id = c.channel_id and n.kind = c.kind) as "lastDay"
    from notification_choices c
    join notification_channels h on h.id = c.channel_id and h.merchant_id = c.merchant_id
    where c.kind = 'dailyReport' and h.verified_at is not null`);
}

/** Returns the numbers of a merchant's unmatched transfers and failed callbacks. */
export async function countWaiting(
  db: Db,
  merchantId: string,
): Promise<{ unmatched: number; failedCallbacks: number }> {
  const [row] = await db.execute<{ unmatched: number; failedCallbacks: number }>(sql`
    select (
      select count(*)::integer from transfers
      where merchant_id = ${merchantId} and unmatched_reason is not null and status <> 'dropped'
        and currency is not null) as unmatched, (
      select count(*)::integer from callbacks
      where merchant_id = ${merchantId} and status = 'failed') as "failedCallbacks"`);
  return row ?? { unmatched: 0, failedCallbacks: 0 };
}

/**
 * Adds facts to the outbox. Facts that are already there are unchanged.
 * @returns the number of new facts
 */
export async function insertNotifications(tx: Db, pending: readonly NewNotification[], now: Date): Promise<number> {
  if (pending.length === 0) return 0;
  const rows = await tx.execute(sql`
    insert into notifications (id, merchant_id, channel_id, kind, fact_key, facts, created_at, due_at)
    select id, "merchantId", "channelId", kind, "factKey", facts, ${iso(now)}, ${iso(now)}
    from jsonb_to_recordset(${rowList(pending.map((each) => ({ ...each, id: newId(now) })))})
      as n (id text, "merchantId" text, "channelId" text, kind text, "factKey" text, facts jsonb)
    where exists (
      select from notification_channels h where h.merchant_id = n."merchantId" and h.id = n."channelId")
    on conflict (merchant_id, channel_id, kind, fact_key) do nothing returning 1`);
  return rows.length;
}
