import type { Db } from "@/db/client";
import { listCallbackFormats } from "@/db/queries/callbacks/callback-keys";
import {
  type CallbackMove,
  type ClaimedCallback,
  claimDueCallbacks,
  clearOriginFailures,
  insertCallbacks,
  insertEvents,
  lockDueOrigins,
  lockOrigin,
  type NewCallback,
  recordAttempt,
  updateOriginHealth,
} from "@/db/queries/callbacks/callbacks";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { createCallbackSigner, type SignCallback, type SigningContext } from "@/lib/callbacks/sign-callback";
import {
  afterAttempt,
  type CallbackEvent,
  type CallbackType,
  callbackOrigin,
  isAcknowledged,
  isOriginIll,
  MAX_IN_FLIGHT_PER_ORIGIN,
  originPauseMs,
  writeCallback,
  writeEvent,
} from "@/lib/domain/callbacks/callback";
import { newId } from "@/lib/domain/id";
import type { CallbackFormat } from "@/lib/domain/keys/key-rules";
import type { DetailData } from "@/lib/domain/orders/order-wire";
import type { Log } from "@/lib/log";
import { guardedPost, type OutboundOptions, type PostResult } from "@/lib/outbound/guarded-post";

/** News that a merchant is to hear of an order. */
export interface OwedCallback {
  merchantId: string;
  orderId: string;
  type: CallbackType;
  /** Of the order, after the change that is told. */
  version: number;
  /** Null: it is only listed. */
  url: string | null;
  /** The order as the merchant's server shall read it. */
  data: DetailData;
}

/**
 * Tells merchants news of their orders, in as many statements for hundreds as for one: call it in the transaction that made the
 * news. Each is listed, and delivered where there is an address for it. What was told before, by order, type and version, stays.
 */
export async function oweCallbacks(db: Db, owed: readonly OwedCallback[], now: Date): Promise<void> {
  const news = owed.map((each) => ({ ...each, id: `evt_${newId(now)}`, at: now }));
  const rows = news.map(({ url: _url, data, at, ...row }) => ({ ...row, body: writeEvent({ ...row, at, data }) }));
  const written = await insertEvents(db, rows, now);
  const told = news.filter(({ id, url }) => url !== null && written.has(id));
  const formats = await listCallbackFormats(
    db,
    told.map(({ orderId }) => orderId),
    now,
  );
  await insertCallbacks(
    db,
    told.flatMap((each) => toCallback(each, formats.get(each.orderId) ?? "standard")),
    now,
  );
}

/** Nothing where the format has no words for it. */
function toCallback({ url, ...news }: OwedCallback & CallbackEvent, format: CallbackFormat): NewCallback[] {
  const body = writeCallback(format, news);
  if (url === null || body === null) return [];
  const { id, merchantId, orderId, type } = news;
  return [{ id, merchantId, orderId, type, url, origin: callbackOrigin(url), format, body }];
}

export interface SenderContext extends DeliveryContext {
  /** Of this process, unlike any other's. */
  owner: string;
  now: () => Date;
  /** Deliveries under way in this process at a time. */
  capacity?: number;
  /** How long a claim holds: well beyond the longest attempt. */
  leaseMs?: number;
}

/** Delivers what is due, many at a time. A slow delivery holds up nobody: whatever ends makes room for the next at once. */
export interface CallbackSender {
  /** Claims what is due and starts sending it, without waiting for answers. @returns how many were started. */
  tick(): Promise<number>;
  /** Starts nothing more and waits for what is under way. */
  drain(): Promise<void>;
}

const CAPACITY = 256;
const LEASE_MS = 30_000;

/** A sender for one process; any number of them share the work through the database. */
export function createCallbackSender(db: Db, context: SenderContext): CallbackSender {
  const ctx = { ...context, sign: context.sign ?? createCallbackSigner(db, context) };
  const underWay = new Set<Promise<void>>();
  let isDraining = false;
  let current: Promise<number> | null = null;
  let isWantedAgain = false;

  const start = (claim: ClaimedCallback) => {
    const delivery = deliverCallback(db, ctx, claim, ctx.now())
      .catch((error: unknown) =>
        ctx.log.error({ err: error, callbackId: claim.id }, "callback attempt was not recorded"),
      )
      .then(() => {
        underWay.delete(delivery);
        tickSoon();
      });
    underWay.add(delivery);
  };

  const round = async () => {
    const room = (ctx.capacity ?? CAPACITY) - underWay.size;
    if (isDraining || room <= 0) return 0;
    const claims = await claim(db, ctx, room, ctx.now());
    claims.forEach(start);
    return claims.length;
  };

  const tick = (): Promise<number> => {
    isWantedAgain = current !== null;
    current ??= round().finally(() => {
      current = null;
      if (isWantedAgain) tickSoon();
    });
    return current;
  };

  const tickSoon = () => {
    tick().catch((error: unknown) => ctx.log.error({ err: error }, "callbacks could not be claimed"));
  };

  return {
    tick,
    async drain() {
      isDraining = true;
      await current?.catch(() => {});
      await Promise.all(underWay);
    },
  };
}

async function claim(db: Db, ctx: SenderContext, room: number, now: Date): Promise<ClaimedCallback[]> {
  const leaseUntil = new Date(now.getTime() + (ctx.leaseMs ?? LEASE_MS));
  return db.transaction(async (tx) => {
    const origins = await lockDueOrigins(tx, room, now);
    if (origins.length === 0) return [];
    const share = Math.min(MAX_IN_FLIGHT_PER_ORIGIN, Math.max(1, Math.floor(room / origins.length)));
    return claimDueCallbacks(tx, { origins, share, owner: ctx.owner, leaseUntil }, now);
  });
}

export interface DeliveryContext extends OutboundOptions, SigningContext {
  /** Left out: what one is asked for is looked up anew. */
  sign?: SignCallback;
  /** Of this service, for the user agent. */
  version: string;
  log: Log;
  /** From 0 to 1, for the jitter; Math.random when left out. */
  random?: () => number;
}

type Outcome = PostResult | { kind: "unsigned"; error: string };

/**
 * Makes one attempt at a claimed callback and writes what came of it, in one transaction and only while the claim holds.
 * Dying on the way loses nothing: the lease ends and another sender makes the attempt again with the same id.
 */
export async function deliverCallback(db: Db, ctx: DeliveryContext, claim: ClaimedCallback, now: Date): Promise<void> {
  const outcome = await attempt(db, ctx, claim, now);
  const isRecorded = await db.transaction((tx) => record(tx, ctx, claim, outcome, now));
  if (!isRecorded) ctx.log.warn({ callbackId: claim.id }, "callback was taken over by another sender meanwhile");
}

async function attempt(db: Db, ctx: DeliveryContext, claim: ClaimedCallback, now: Date): Promise<Outcome> {
  const sign = ctx.sign ?? createCallbackSigner(db, ctx);
  const { url, body, seriesAttempts: attemptsBefore } = claim;
  const signed = await sign({ ...claim, attemptsBefore }, now);
  if (typeof signed === "string") return { kind: "unsigned", error: signed };
  const headers = { "content-type": "application/json", "user-agent": `Stablegate/${ctx.version}`, ...signed };
  return guardedPost({ url, headers, body }, ctx, now);
}

async function record(tx: Db, ctx: DeliveryContext, claim: ClaimedCallback, outcome: Outcome, startedAt: Date) {
  const durationMs = outcome.kind === "unsigned" ? 0 : outcome.durationMs;
  const endedAt = new Date(startedAt.getTime() + durationMs);
  const isAnswered = outcome.kind === "answered";
  const httpStatus = isAnswered ? outcome.httpStatus : null;
  const move = toMove(claim, outcome, endedAt, (ctx.random ?? Math.random)());
  const written = {
    startedAt,
    durationMs,
    httpStatus,
    error: isAnswered ? null : outcome.error,
    answer: isAnswered ? outcome.answer : null,
    peer: outcome.kind === "unsigned" ? null : outcome.peer,
  };
  if (!(await recordAttempt(tx, claim, written, move))) return false;
  if (outcome.kind !== "unsigned") await noteHealth(tx, claim.origin, isOriginIll(httpStatus), startedAt, endedAt);
  if (move.status === "failed") {
    const detail = { callbackId: claim.id, httpStatus, error: written.error };
    const { merchantId, orderId } = claim;
    await insertAuditEvent(tx, { merchantId, orderId, action: "callback.failed", detail }, endedAt);
  }
  return true;
}

function toMove(claim: ClaimedCallback, outcome: Outcome, endedAt: Date, random: number): CallbackMove {
  const how =
    outcome.kind === "answered"
      ? { httpStatus: outcome.httpStatus, retryAfterMs: outcome.retryAfterMs }
      : { httpStatus: null, retryAfterMs: null };
  const isAcked = how.httpStatus !== null && isAcknowledged(claim.format, how.httpStatus);
  const after = afterAttempt(claim.seriesAttempts + 1, { ...how, isAcknowledged: isAcked }, random);
  switch (after.status) {
    case "delivered":
      return { status: "delivered", nextAttemptAt: null, deliveredAt: endedAt };
    case "failed":
      return { status: "failed", nextAttemptAt: null, deliveredAt: null };
    case "pending":
      return {
        status: "pending",
        nextAttemptAt: new Date(endedAt.getTime() + after.waitMs),
        deliveredAt: null,
      };
  }
}

/** Failures of attempts that ran side by side count once: only one that began after the last counted failure adds to it. */
async function noteHealth(tx: Db, origin: string, isIll: boolean, startedAt: Date, endedAt: Date): Promise<void> {
  if (!isIll) return clearOriginFailures(tx, origin);
  const health = await lockOrigin(tx, origin);
  if (!health || (health.pausedUntil && health.pausedUntil > startedAt)) return;
  const failures = health.failures + 1;
  const pausedUntil = new Date(endedAt.getTime() + originPauseMs(failures));
  await updateOriginHealth(tx, origin, { failures, pausedUntil });
}
