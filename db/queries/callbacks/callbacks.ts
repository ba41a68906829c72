import { type SQL, sql } from "drizzle-orm";
import { type Db, executePrepared } from "@/db/client";
import { allEnded } from "@/db/pipeline";
import { targetColumn, targetColumns } from "@/db/queries/credit-targets";
import { idList } from "@/db/queries/many-rows";
import { callbacks, events } from "@/db/schema";
import {
  type CallbackStatus,
  type CallbackType,
  MAX_IN_FLIGHT_PER_ORIGIN,
  type StoredCallbackType,
} from "@/lib/domain/callbacks/callback";
import { CALLBACK_DUE } from "@/lib/domain/channels";
import type { CreditTarget } from "@/lib/domain/credit-target";
import type { CallbackFormat } from "@/lib/domain/keys/key-rules";

/** An event to insert. */
export interface NewEvent {
  id: string;
  merchantId: string;
  /** The credit target that the event belongs to. */
  target: CreditTarget;
  /** The transfer that the event is about; absent if it is about the whole target. */
  transferId?: string;
  type: CallbackType;
  /** The version of the order after the change. For a transfer, the version counts the transfer's own events. */
  version: number;
  body: string;
}

/**
 * Inserts events, one of each type for a version of an order or transfer. Duplicates are not inserted.
 * @returns the ids of the inserted events
 */
export async function insertEvents(db: Db, rows: readonly NewEvent[], now: Date): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const written = await db
    .insert(events)
    .values(rows.map(({ target, ...row }) => ({ ...row, ...targetColumns(target), createdAt: now })))
    .onConflictDoNothing()
    .returning({ id: events.id });
  return new Set(written.map(({ id }) => id));
}

/** A callback to insert, due immediately. */
export interface NewCallback {
  id: string;
  merchantId: string;
  /** The credit target that the callback belongs to. */
  target: CreditTarget;
  type: StoredCallbackType;
  url: string;
  origin: string;
  format: CallbackFormat;
  body: string;
  /** The plugin webhook that receives the callback; absent if the callback is sent to the order's own URL. */
  webhookId?: string;
}

/**
 * Inserts callbacks that are due now and notifies the senders at commit. Call it in a transaction. Each event has one callback; duplicates
 * are ignored.
 */
export async function insertCallbacks(db: Db, pending: readonly NewCallback[], now: Date): Promise<void> {
  if (pending.length === 0) return;
  const inserted = db
    .insert(callbacks)
    .values(
      pending.map(({ target, ...callback }) => ({
        ...callback,
        ...targetColumns(target),
        status: "pending" as const,
        nextAttemptAt: now,
        createdAt: now,
      })),
    )
    .onConflictDoNothing({ target: [callbacks.id, callbacks.merchantId] });
  await allEnded([inserted, announceCallbacks(db)]);
}

/** Notifies the senders when the transaction commits. */
export async function announceCallbacks(db: Db): Promise<void> {
  await db.execute(sql`select pg_notify(${CALLBACK_DUE}, '')`);
}

/** A callback that a sender has claimed until `leaseUntil`. */
export interface ClaimedCallback {
  id: string;
  merchantId: string;
  /** The credit target. The key that created it signs the callback. */
  target: CreditTarget;
  url: string;
  origin: string;
  format: CallbackFormat;
  body: string;
  /** The webhook whose secret signs the callback; null if a key signs it. */
  webhookId: string | null;
  /** The number of completed attempts of the current series. */
  seriesAttempts: number;
  /** The time since which the callback could not be signed; null if it could be signed or was not tried. */
  unsignedSince: Date | null;
  leaseOwner: string;
  leaseUntil: Date;
  /** The time at which it was due, as PostgreSQL writes it. */
  dueAt: string;
}

const AVOIDED = ["seqscan", "bitmapscan", "hashjoin", "mergejoin", "sort", "incremental_sort"];
const AVOID = sql.raw(
  [...AVOIDED.map((way) => `enable_${way}`), "jit"].map((way) => `set local ${way} = off`).join("; "),
);
/** The maximum number of due callbacks that are read one by one. If there are more, the query steps through the origins instead. */
const SHORT_QUEUE = 200;

/**
 * Locks origins with due callbacks that are not paused, least recently served first, for this transaction. A short
 * queue is read directly; in a long one each origin is found by one index step, however many callbacks are pending for
 * it. Origins that another sender has locked are skipped. The statement enforces the use of the indexes' order, because
 * statistics do not reflect a backlog that has just arrived.
 */
export async function lockDueOrigins(tx: Db, limit: number, now: Date): Promise<string[]> {
  const at = now.toISOString();
  const avoided = tx.execute(AVOID);
  const found = tx.execute<{ origin: string }>(sql`
    with recursive queue as materialized (
      select origin from callbacks where status = 'pending' and next_attempt_at <= ${at}::timestamptz
      order by next_attempt_at limit ${SHORT_QUEUE}
    ), waiting as (
      (select origin, next_attempt_at from callbacks
        where status = 'pending' and (select count(*) from queue) = ${SHORT_QUEUE}
        order by origin, next_attempt_at limit 1)
      union all
      select step.origin, step.next_attempt_at from waiting cross join lateral (
        select origin, next_attempt_at from callbacks where status = 'pending' and origin > waiting.origin
        order by origin, next_attempt_at limit 1) step
    ), due as (
      select origin from queue union select origin from waiting where next_attempt_at <= ${at}::timestamptz
    ), added as (
      insert into callback_origins (origin)
      select origin from due where not exists (select from callback_origins known where known.origin = due.origin)
      on conflict do nothing returning origin
    ), held as (
      select origin from callback_origins
      where origin in (select origin from due) and (paused_until is null or paused_until <= ${at}::timestamptz)
      order by served_at nulls first, origin limit ${limit} for update skip locked
    )
    select origin from added union all select origin from held limit ${limit}`);
  const [, rows] = await Promise.all([avoided, found]);
  return rows.map((row) => row.origin);
}

/**
 * Returns the condition that a due callback is next in its sequence: the callbacks of one order to one webhook are sent in the sequence in
 * which they were enqueued (`is_next_of_webhook`).
 * @param recorded the ids of callbacks whose attempts are being recorded by the same statement
 */
function isNextOfWebhook(at: string, recorded: readonly string[] = []): SQL {
  return sql`(callbacks.webhook_id is null or is_next_of_webhook(callbacks.merchant_id, callbacks.order_id, callbacks.webhook_id,
    callbacks.position, callbacks.series_attempts, ${at}::timestamptz, ${idList(recorded)}))`;
}

interface Claim {
  /** The origins that the transaction has locked. No other sender claims their callbacks meanwhile, so the limit per origin is exact. */
  origins: readonly string[];
  /** The maximum number of callbacks of each origin whose attempts can begin now. */
  share: number;
  /** The maximum number of further callbacks, by origin, that the owner holds while eight others of the origin are attempted. */
  ahead?: Readonly<Record<string, number>>;
  owner: string;
  leaseUntil: Date;
}

/**
 * Claims due callbacks of locked origins, longest overdue first, up to the share and to the maximum number in flight to an origin. Claims
 * further ones ahead if no other sender holds callbacks of the origin: then all senders together still attempt no more than the maximum,
 * because a sender holds at least as many callbacks as it attempts, and its later claims are counted here or only replace others. Only
 * the index on origin and time can provide the sort order. Otherwise PostgreSQL could use the index on time alone and read the whole
 * backlog of a different host.
 */
export async function claimDueCallbacks(tx: Db, claim: Claim, now: Date): Promise<ClaimedCallback[]> {
  const at = now.toISOString();
  const until = claim.leaseUntil.toISOString();
  const origins = sql`(select jsonb_array_elements_text(${JSON.stringify(claim.origins)}::jsonb))`;
  const ahead = sql`coalesce((${JSON.stringify(claim.ahead ?? {})}::text::jsonb ->> callback_origins.origin)::bigint, 0)`;
  const rows = await tx.execute<ClaimRow>(sql`
    with room as materialized (
      select callback_origins.origin,
        greatest(0, least(${claim.share}::bigint, case when failures > 0 then 1 else ${MAX_IN_FLIGHT_PER_ORIGIN} end - held.count))
          + case when failures = 0 and held.own = held.count
            then greatest(0, ${ahead} - greatest(0, held.count - ${MAX_IN_FLIGHT_PER_ORIGIN})) else 0 end as free
      from callback_origins cross join lateral (
        select count(*) as count, count(*) filter (where sent.lease_owner = ${claim.owner}) as own from callbacks sent
        where sent.origin = callback_origins.origin and sent.lease_until > ${at}::timestamptz) held
      where callback_origins.origin in ${origins}
    ), due as (
      select picked.id, picked.merchant_id, picked.next_attempt_at as due_at from room cross join lateral (
        select id, merchant_id, next_attempt_at from callbacks
        where status = 'pending' and callbacks.origin between room.origin and room.origin and next_attempt_at <= ${at}::timestamptz
          and ${isNextOfWebhook(at)}
        order by callbacks.origin, next_attempt_at limit room.free for update skip locked) picked
    ), served as (
      update callback_origins set served_at = ${at}::timestamptz where origin in ${origins}
    )
    update callbacks set lease_owner = ${claim.owner}, lease_until = ${until}::timestamptz, next_attempt_at = ${until}::timestamptz
    from due where callbacks.id = due.id and callbacks.merchant_id = due.merchant_id
    returning callbacks.id, callbacks.merchant_id, ${targetColumn("callbacks")} as target, url, origin, format, body, webhook_id, series_attempts, unsigned_since, due_at`);
  return rows.map((row) => toClaimed(row, claim));
}

function toClaimed(row: ClaimRow, { owner, leaseUntil }: Pick<Claim, "owner" | "leaseUntil">): ClaimedCallback {
  const {
    id,
    merchant_id: merchantId,
    target,
    url,
    origin,
    format,
    body,
    webhook_id: webhookId,
    series_attempts: seriesAttempts,
    due_at: dueAt,
  } = row;
  const unsignedSince = row.unsigned_since === null ? null : new Date(row.unsigned_since);
  return {
    id,
    merchantId,
    target,
    url,
    origin,
    format,
    body,
    webhookId,
    seriesAttempts,
    unsignedSince,
    leaseOwner: owner,
    leaseUntil,
    dueAt,
  };
}

interface ClaimRow extends Record<string, unknown> {
  id: string;
  merchant_id: string;
  target: CreditTarget;
  url: string;
  origin: string;
  format: CallbackFormat;
  body: string;
  webhook_id: string | null;
  series_attempts: number;
  unsigned_since: string | null;
  due_at: string;
}

/** A stored attempt, with the duration of each of its stages; null for a stage that it did not reach. */
export interface AttemptRecord {
  startedAt: Date;
  durationMs: number;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  httpStatus: number | null;
  /** A message that describes why there is no HTTP status. */
  error: string | null;
  answer: string | null;
  peer: string | null;
}

export interface CallbackMove {
  status: CallbackStatus;
  /** The time of the next attempt; set exactly while the status is pending. */
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
}

/** A completed attempt: its result and the next step. */
export interface EndedAttempt {
  claim: ClaimedCallback;
  attempt: AttemptRecord;
  move: CallbackMove;
  /** True, the default, if the origin's next callback is claimed in its place. */
  isReplaced?: boolean;
}

/** The sender that claims the next callbacks of an origin in place of completed ones. */
type Taker = Pick<Claim, "owner" | "leaseUntil">;

/**
 * Completes a batch of attempts in one statement: writes their results and next steps, and releases their leases.
 * @param well the origins that responded; their failure counts are reset
 * @returns the ids of the written attempts; an attempt that is not included lost its lease to another sender
 */
export async function recordAttempts(
  db: Db,
  ended: readonly EndedAttempt[],
  well: readonly string[],
): Promise<Set<string>> {
  const rows = await executePrepared<{ id: string }>(
    db,
    sql`
    with ${recording(ended, well)}
    select id from updated`,
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Completes attempts at origins that all responded successfully, and claims the next callbacks of each origin in their place, in the same
 * statement. The number of claims of an origin does not increase, so no lock and no count is needed.
 * @returns the ids of the written attempts, and the claimed callbacks: at most as many per origin as attempts were written
 */
export async function recordAndClaimNext(
  tx: Db,
  ended: readonly EndedAttempt[],
  taker: Taker,
  now: Date,
): Promise<{ written: Set<string>; claimed: ClaimedCallback[] }> {
  const at = now.toISOString();
  const until = taker.leaseUntil.toISOString();
  const ids = ended.map(({ claim }) => claim.id);
  const well = [...new Set(ended.map(({ claim }) => claim.origin))];
  const avoided = tx.execute(AVOID);
  const recorded = executePrepared<ClaimRow & { is_next: boolean }>(
    tx,
    sql`
    with ${recording(ended, well)}, places as (
      select origin, count(*) as free from updated where "isReplaced" group by origin
    ), due as (
      select picked.id, picked.merchant_id, picked.next_attempt_at as due_at from places cross join lateral (
        select id, merchant_id, next_attempt_at from callbacks
        where status = 'pending' and callbacks.origin between places.origin and places.origin
          and next_attempt_at <= ${at}::timestamptz and id <> all (${idList(ids)}) and ${isNextOfWebhook(at, ids)}
        order by callbacks.origin, next_attempt_at limit places.free for update skip locked) picked
    ), taken as (
      update callbacks set lease_owner = ${taker.owner}, lease_until = ${until}::timestamptz, next_attempt_at = ${until}::timestamptz
      from due where callbacks.id = due.id and callbacks.merchant_id = due.merchant_id
      returning callbacks.id, callbacks.merchant_id, ${targetColumn("callbacks")} as target, url, origin, format, body, webhook_id, series_attempts, unsigned_since, due_at
    )
    select false as is_next, id, merchant_id, null::json as target, '' as url, origin, '' as format, '' as body, null as webhook_id, 0 as series_attempts,
      null::timestamptz as unsigned_since, null::timestamptz as due_at from updated
    union all select true, taken.* from taken`,
  );
  const [, rows] = await Promise.all([avoided, recorded]);
  const next = rows.filter((row) => row.is_next);
  const old = rows.filter((row) => !row.is_next);
  return { written: new Set(old.map(({ id }) => id)), claimed: next.map((row) => toClaimed(row, taker)) };
}

/** Returns the CTEs that write attempts and release their leases. The CTE "updated" contains the written attempts. */
function recording(ended: readonly EndedAttempt[], well: readonly string[]): SQL {
  const list = ended.map(({ claim: { id, merchantId, leaseOwner, leaseUntil }, attempt, move, isReplaced = true }) => ({
    id,
    merchantId,
    leaseOwner,
    leaseUntil,
    isReplaced,
    ...attempt,
    ...move,
  }));
  return sql`
    ended as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(list)}::text::jsonb) as e (id text, "merchantId" text, "leaseOwner" text,
        "leaseUntil" timestamptz, "isReplaced" boolean, status text, "nextAttemptAt" timestamptz, "deliveredAt" timestamptz, "startedAt" timestamptz,
        "durationMs" integer, "dnsMs" integer, "connectMs" integer, "tlsMs" integer, "firstByteMs" integer,
        "httpStatus" integer, error text, answer text, peer text)
    ), updated as (
      update callbacks c set status = e.status, attempts = c.attempts + 1, series_attempts = c.series_attempts + 1,
        next_attempt_at = e."nextAttemptAt", last_http_status = e."httpStatus", lease_owner = null, lease_until = null,
        unsigned_reason = null, unsigned_since = null, delivered_at = coalesce(e."deliveredAt", c.delivered_at)
      from ended e
      where c.id = e.id and c.merchant_id = e."merchantId" and c.lease_owner = e."leaseOwner" and c.lease_until = e."leaseUntil"
      returning c.id, c.merchant_id, c.origin, c.attempts, e."isReplaced", e."startedAt", e."durationMs", e."dnsMs", e."connectMs", e."tlsMs",
        e."firstByteMs", e."httpStatus", e.error, e.answer, e.peer
    ), recovered as (
      update callback_origins set failures = 0, paused_until = null where origin = any(${idList(well)}) and failures > 0
    ), noted as (
      insert into callback_attempts (callback_id, merchant_id, number, started_at, duration_ms, dns_ms, connect_ms, tls_ms,
        first_byte_ms, http_status, error, answer, peer)
      select id, merchant_id, attempts, "startedAt", "durationMs", "dnsMs", "connectMs", "tlsMs", "firstByteMs",
        "httpStatus", error, answer, peer
      from updated
    )`;
}
