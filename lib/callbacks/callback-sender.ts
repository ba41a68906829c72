import type { Db } from "@/db/client";
import { allEnded } from "@/db/pipeline";
import { listCallbackFormats } from "@/db/queries/callbacks/callback-keys";
import {
  type CallbackMove,
  type ClaimedCallback,
  claimDueCallbacks,
  type EndedAttempt,
  insertCallbacks,
  insertEvents,
  lockDueOrigins,
  type NewCallback,
  recordAndClaimNext,
  recordAttempts,
} from "@/db/queries/callbacks/callbacks";
import { lockOrigins, updateOriginHealth } from "@/db/queries/callbacks/origins";
import { releaseClaims } from "@/db/queries/callbacks/resends";
import { postponeUnsigned } from "@/db/queries/callbacks/unsigned";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { isDatabaseAway } from "@/db/unavailable";
import { createBatcher } from "@/lib/batcher";
import { OriginQueues } from "@/lib/callbacks/origin-queues";
import type { SignAt, SignCallback } from "@/lib/callbacks/sign-callback";
import { writeForIntegrations } from "@/lib/callbacks/write-for-integrations";
import {
  afterAttempt,
  type CallbackEvent,
  type CallbackType,
  callbackOrigin,
  healthAfter,
  isAcknowledged,
  isOriginIll,
  MAX_IN_FLIGHT_PER_ORIGIN,
  writeCallback,
  writeEvent,
} from "@/lib/domain/callbacks/callback";
import {
  canBeSignedLater,
  type UnsignedReason,
  unsignedProblem,
  unsignedWaitMs,
} from "@/lib/domain/callbacks/unsigned";
import { type CreditTarget, orderIdOf } from "@/lib/domain/credit-target";
import { newId } from "@/lib/domain/id";
import type { Echo, OrderIntegration } from "@/lib/domain/integration-id";
import { type Integrations, NO_INTEGRATIONS } from "@/lib/domain/integrations/integration";
import { type CallbackFormat, isKeyFormat, type KeyFormat } from "@/lib/domain/keys/key-rules";
import type { DetailData } from "@/lib/domain/orders/order-wire";
import type { Problem } from "@/lib/domain/problems/problem";
import { recordProblem } from "@/lib/domain/problems/recorded";
import type { Log } from "@/lib/log";
import { keepConnections } from "@/lib/outbound/connection";
import { guardedPost, type OutboundOptions, type PostResult } from "@/lib/outbound/guarded-post";

/** An event of an order that is pending for its merchant. */
export interface NewCallbackEvent {
  merchantId: string;
  orderId: string;
  type: CallbackType;
  version: number;
  /** The URL of the callback; null if the event is only listed. */
  url: string | null;
  data: DetailData;
  /** The integration that created the order, with the data that it stored; absent for the API. */
  integration?: OrderIntegration;
  echo?: Echo | null;
}

/** A stored event, for which a callback may be enqueued. */
export type WrittenEvent = NewCallbackEvent & CallbackEvent;

/**
 * Writes events of orders and their callbacks in a constant number of statements. Call it in the transaction of the change. Every event is
 * listed. A repeated call with the same order, type and version writes nothing.
 * @param integrations the integrations of this process; callbacks of other integrations stay pending until a worker has them
 */
export async function enqueueCallbacks(
  db: Db,
  pending: readonly NewCallbackEvent[],
  now: Date,
  integrations: Integrations = NO_INTEGRATIONS,
): Promise<void> {
  const payload = pending.map((each) => ({ ...each, id: `evt_${newId(now)}`, at: now }));
  const rows = payload.map(({ id, merchantId, orderId, type, version, at, data }) => {
    return { id, merchantId, target: toTarget(orderId), type, version, body: writeEvent({ id, type, at, data }) };
  });
  const isOfKey = ({ integration = "api", url }: NewCallbackEvent) => integration === "api" && url !== null;
  const orderIds = payload.filter(isOfKey).map(({ orderId }) => orderId);
  const [written, formats] = await allEnded([
    insertEvents(db, rows, now),
    listCallbackFormats(db, [...new Set(orderIds)], now),
  ]);
  const events = payload.filter(({ id }) => written.has(id));
  const ofKeys = events.filter(isOfKey);
  const ofIntegrations = events.flatMap(({ integration = "api", ...event }) =>
    integration === "api" ? [] : [{ ...event, integration }],
  );
  const callbacks = ofKeys.flatMap((event) => toCallback(event, formats.get(event.orderId) ?? "standard"));
  await insertCallbacks(db, [...callbacks, ...(await writeForIntegrations(db, integrations, ofIntegrations))], now);
}

const toTarget = (orderId: string): CreditTarget => ({ kind: "order", id: orderId });

/** Returns the callback of an event; none if the format has no message for it. */
function toCallback(event: WrittenEvent, format: KeyFormat): NewCallback[] {
  const { id, merchantId, orderId, type, url } = event;
  const body = writeCallback(format, event);
  if (url === null || body === null) return [];
  return [{ id, merchantId, target: toTarget(orderId), type, url, origin: callbackOrigin(url), format, body }];
}

export interface SenderContext extends OutboundOptions {
  sign: SignCallback;
  integrations: Integrations;
  /** The version of this service, for the user agent. */
  version: string;
  log: Log;
  /** Returns the jitter, from 0 to 1. */
  random?: () => number;
  /** The unique name of this process. */
  owner: string;
  now: () => Date;
  /** The maximum number of concurrent deliveries of this process. */
  capacity?: number;
  /** The duration of a claim, well beyond the longest attempt. */
  leaseMs?: number;
  onAttempt?: (outcome: Outcome, claim: ClaimedCallback) => void;
}

/**
 * A sender that delivers due callbacks concurrently. A slow delivery does not delay others: each completed delivery frees its slot
 * immediately.
 */
export interface CallbackSender {
  /**
   * Claims due callbacks and starts their deliveries, without waiting for responses.
   * @returns the number of started deliveries
   */
  tick(): Promise<number>;
  /** Stops starting deliveries and waits for those in progress. */
  drain(): Promise<void>;
}

const CAPACITY = 256;
const LEASE_MS = 30_000;
/** The share of a lease that must be left when a request is sent. It covers the longest request. */
const MIN_LEASE_SHARE = 0.55;
/** The time within which ended deliveries are recorded together, because a claim costs as much as its deliveries. */
const GATHER_MS = 5;
/** The longest attempt to an origin whose callbacks are claimed ahead. */
const FAST_MS = 250;

/**
 * Creates the sender of one process. Any number of senders share the work through the database. When attempts at a healthy origin end,
 * the same statement that records them claims as many of the origin's next callbacks. For a fast origin, a sender holds more callbacks
 * than it attempts concurrently, so that the next attempt begins while the previous one is recorded. When more callbacks are due than
 * this process has capacity for, origins are served in turn.
 */
export function createCallbackSender(db: Db, context: SenderContext): CallbackSender {
  const sender = new Sender(db, context);
  return { tick: () => sender.tick(), drain: () => sender.drain() };
}

/** A claimed callback, with the function that signs its attempt. */
interface Delivery {
  claim: ClaimedCallback;
  sign: SignAt;
}

class Sender implements CallbackSender {
  readonly #db: Db;
  readonly #ctx: SenderContext;
  readonly #kept = keepConnections();
  readonly #underWay = new Set<Promise<void>>();
  readonly #queues = new OriginQueues<Delivery>();
  #current: Promise<number> | null = null;
  #isDraining = false;
  #isWantedAgain = false;
  #isSoon = false;
  /** True if more callbacks were due than there was capacity for. */
  #isCrowded = true;
  /**
   * Records attempts that end together in one statement, because a statement costs as much as several attempts. Waiting for one locked
   * origin does not delay others.
   */
  readonly #record = createBatcher<Ended, boolean>({
    run: (ended) => this.#recordAll(ended),
    ownerOf: ({ claim }) => claim.origin,
    isWorthRetrying: (error) => !isDatabaseAway(error),
    maxConcurrent: 1,
  });

  constructor(db: Db, context: SenderContext) {
    this.#db = db;
    this.#ctx = { kept: this.#kept, ...context };
  }

  tick(): Promise<number> {
    this.#isWantedAgain = this.#current !== null;
    this.#current ??= this.#round().finally(() => {
      this.#current = null;
      if (this.#isWantedAgain) this.#tickSoon();
    });
    return this.#current;
  }

  async drain(): Promise<void> {
    this.#isDraining = true;
    await this.#current?.catch(() => {});
    this.#release(this.#queues.takeWaiting());
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    this.#kept.close();
  }

  async #round(): Promise<number> {
    const ctx = this.#ctx;
    const free = (ctx.capacity ?? CAPACITY) - this.#queues.attempting;
    if (this.#isDraining) return 0;
    const ahead = this.#isCrowded ? {} : this.#queues.listAhead();
    const started = free > 0 ? this.#add(await claim(this.#db, ctx, { free, ahead }, ctx.now())) : 0;
    this.#isCrowded = started >= free;
    return started;
  }

  #tickSoon(): void {
    if (this.#isSoon || this.#isDraining) return;
    this.#isSoon = true;
    setTimeout(() => {
      this.#isSoon = false;
      this.tick().catch((err: unknown) => this.#ctx.log.error({ err }, "callbacks could not be claimed"));
    }, GATHER_MS);
  }

  /**
   * Adds claimed callbacks to the deliveries that wait.
   * @returns the number of started deliveries
   */
  #add(claimed: readonly ClaimedCallback[]): number {
    let started = 0;
    for (const [origin, own] of Map.groupBy(claimed, (one) => one.origin)) {
      this.#queues.add(
        origin,
        own.map((one) => this.#prepare(one)),
      );
      started += this.#fill(origin);
    }
    return started;
  }

  #prepare(claim: ClaimedCallback): Delivery {
    const { sign, now } = this.#ctx;
    const attempt = { ...claim, targetId: claim.target.id, attemptsBefore: claim.seriesAttempts };
    return { claim, sign: sign.prepare?.(attempt, now()) ?? ((at) => sign(attempt, at)) };
  }

  /**
   * Starts the deliveries to an origin that wait and may begin; a sender that is stopping releases them.
   * @returns the number of started deliveries
   */
  #fill(origin: string): number {
    let started = 0;
    for (; !this.#isDraining; started++) {
      const next = this.#queues.next(origin);
      if (!next) return started;
      this.#start(next);
    }
    this.#release(this.#queues.takeWaiting(origin));
    return started;
  }

  /** Starts a delivery. If the database failed, nothing that waits is sent, because other senders may have claimed it. */
  #start(delivery: Delivery): void {
    const { claim } = delivery;
    const delivered = this.#deliver(delivery).catch((err: unknown) => {
      this.#ctx.log.error({ err, ...namesOf(claim) }, "callback attempt was not recorded");
      this.#release(this.#queues.takeWaiting());
      this.#tickSoon();
    });
    this.#track(delivered.finally(() => this.#queues.release(claim.origin)));
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  /**
   * Makes one attempt at a claimed callback and records the result, if the claim is still valid. The next delivery to the same origin
   * begins when the attempt ends. A crash loses no callback: the lease ends, and another sender repeats the attempt with the same id.
   */
  async #deliver(delivery: Delivery): Promise<void> {
    const { claim } = delivery;
    const { log, onAttempt } = this.#ctx;
    let ended: Ended | null = null;
    try {
      ended = await this.#attempt(delivery);
    } finally {
      this.#queues.end(claim.origin);
      if (ended && isWell(ended)) this.#fill(claim.origin);
      else this.#release(this.#queues.takeWaiting(claim.origin));
    }
    if (!ended) return this.#release([delivery]);
    onAttempt?.(ended.outcome, claim);
    const isWritten = await this.#record(ended);
    if (isWritten) return;
    log.warn(namesOf(claim), "the callback was claimed by another sender in the meantime");
    this.#release(this.#queues.takeWaiting(claim.origin));
  }

  /** Makes one attempt. Returns null, without sending anything, if the lease could end before the attempt. */
  async #attempt({ claim, sign }: Delivery): Promise<Ended | null> {
    const ctx = this.#ctx;
    const startedAt = ctx.now();
    const signed = await sign(startedAt);
    const leftMs = claim.leaseUntil.getTime() - ctx.now().getTime();
    if (leftMs < (ctx.leaseMs ?? LEASE_MS) * MIN_LEASE_SHARE) return null;
    return toEnded(ctx, claim, await send(ctx, claim, signed, startedAt), startedAt);
  }

  /** Releases claims whose attempts did not begin. If that fails, their leases end. */
  #release(deliveries: readonly Delivery[]): void {
    if (deliveries.length === 0) return;
    const claims = deliveries.map(({ claim }) => claim);
    const released = releaseClaims(this.#db, claims);
    this.#track(
      released.catch((err: unknown) => this.#ctx.log.warn({ err }, "claimed callbacks could not be released")),
    );
  }

  /**
   * Records ended attempts, and starts the next attempts of their origins.
   * @returns for each attempt, true if it was recorded
   */
  async #recordAll(ended: readonly Ended[]): Promise<boolean[]> {
    const db = this.#db;
    const ctx = this.#ctx;
    const lease = !this.#isDraining && !this.#isCrowded && ended.every(isWell) ? toLease(ctx) : null;
    const postponed = await postponeUnsigned(db, ended.flatMap(toUnsigned));
    const attempted = this.#limitNext(ended).filter((one) => toUnsigned(one).length === 0);
    const { written, claimed } = await recordEnded(db, attempted, lease, ctx.now());
    const mayClaimMore = this.#noteSpeed(ended, claimed);
    this.#add(claimed);
    if (!lease || mayClaimMore) this.#tickSoon();
    return ended.map(({ claim }) => written.has(claim.id) || postponed.has(claim.id));
  }

  /** Returns ended attempts without a next one for each callback that this process holds beyond its limit. */
  #limitNext(ended: readonly Ended[]): Ended[] {
    return [...Map.groupBy(ended, originOf)].flatMap(([origin, own]) => {
      const count = own.length + this.#queues.free(origin);
      return own.map((one, index) => ({ ...one, isReplaced: index < count }));
    });
  }

  /**
   * Stores whether recorded attempts were fast. Call it before the claimed callbacks are added.
   * @returns true if more callbacks of an origin may be due, and this process may hold more
   */
  #noteSpeed(ended: readonly Ended[], claimed: readonly ClaimedCallback[]): boolean {
    const next = Map.groupBy(claimed, ({ origin }) => origin);
    let mayClaimMore = false;
    for (const [origin, own] of Map.groupBy(ended, originOf)) {
      this.#queues.setFast(origin, own.every(isFast));
      const count = next.get(origin)?.length ?? 0;
      mayClaimMore ||= count === own.length && this.#queues.free(origin) > 0;
    }
    return mayClaimMore;
  }
}

const originOf = ({ claim }: Ended) => claim.origin;

type Lease = Pick<ClaimedCallback, "leaseUntil"> & { owner: string };

const toLease = (ctx: SenderContext): Lease => ({
  owner: ctx.owner,
  leaseUntil: new Date(ctx.now().getTime() + (ctx.leaseMs ?? LEASE_MS)),
});

/** The number of deliveries that a sender can start, and the numbers of callbacks to claim ahead by origin. */
interface Capacity {
  free: number;
  ahead: Record<string, number>;
}

async function claim(db: Db, ctx: SenderContext, { free, ahead }: Capacity, now: Date): Promise<ClaimedCallback[]> {
  return db.transaction(async (tx) => {
    const origins = await lockDueOrigins(tx, free, now);
    if (origins.length === 0) return [];
    const share = Math.min(MAX_IN_FLIGHT_PER_ORIGIN, Math.max(1, Math.floor(free / origins.length)));
    return claimDueCallbacks(tx, { origins, share, ahead, ...toLease(ctx) }, now);
  });
}

/** The result of an attempt. The callback's format defines which responses acknowledge it. */
export type Outcome =
  | (Extract<PostResult, { kind: "answered" }> & { isAcknowledged: boolean })
  | Exclude<PostResult, { kind: "answered" }>
  | { kind: "unsigned"; reason: UnsignedReason; error: Problem };

interface Ended extends EndedAttempt {
  outcome: Outcome;
  endedAt: Date;
}

async function send(
  ctx: SenderContext,
  claim: ClaimedCallback,
  signed: Awaited<ReturnType<SignAt>>,
  now: Date,
): Promise<Outcome> {
  if (typeof signed === "string")
    return { kind: "unsigned", reason: signed, error: unsignedProblem(signed, claim.format) };
  const headers = { "user-agent": `Stablegate/${ctx.version}`, ...signed.headers };
  const result = await guardedPost({ ...signed, headers }, ctx, now);
  if (result.kind !== "answered") return result;
  return { ...result, isAcknowledged: isEnqueued(ctx, claim.format, result) };
}

function isEnqueued(
  { integrations }: SenderContext,
  format: CallbackFormat,
  { httpStatus, text }: { httpStatus: number; text: string },
): boolean {
  if (isKeyFormat(format)) return isAcknowledged(httpStatus);
  return integrations.get(format)?.callbacks.isAcknowledged(httpStatus, text) ?? false;
}

function toEnded(ctx: SenderContext, claim: ClaimedCallback, outcome: Outcome, startedAt: Date): Ended {
  const { durationMs, peer, times } = outcome.kind === "unsigned" ? UNSENT : outcome;
  const endedAt = new Date(startedAt.getTime() + durationMs);
  const isAnswered = outcome.kind === "answered";
  const attempt = {
    startedAt,
    durationMs,
    peer,
    ...times,
    httpStatus: isAnswered ? outcome.httpStatus : null,
    error: isAnswered ? null : recordProblem(outcome.error),
    answer: isAnswered ? outcome.answer : null,
  };
  return { claim, outcome, attempt, endedAt, move: toMove(claim, outcome, endedAt, (ctx.random ?? Math.random)()) };
}

const NO_ANSWER = { httpStatus: null, retryAfterMs: null, isAcknowledged: false };
const UNSENT = { durationMs: 0, peer: null, times: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null } };

/**
 * Records ended attempts in a constant number of statements.
 * @param lease the lease for the next callbacks of their origins; null to claim none
 * @returns the ids of the recorded attempts, and the claimed callbacks
 */
async function recordEnded(db: Db, ended: readonly Ended[], lease: Lease | null, now: Date) {
  if (ended.length === 0) return { written: new Set<string>(), claimed: [] };
  const origins = [...new Set(ended.map(({ claim }) => claim.origin))];
  if (lease) return db.transaction((tx) => recordAndClaimNext(tx, ended, lease, now));
  if (ended.every(isWell)) return { written: await recordAttempts(db, ended, origins), claimed: [] };
  return db.transaction(async (tx) => {
    const written = await recordAttempts(tx, ended, []);
    const own = ended.filter(({ claim }) => written.has(claim.id));
    await noteHealth(tx, origins, own);
    for (const one of own) if (one.move.status === "failed") await enqueueFailureEvent(tx, one);
    return { written, claimed: [] };
  });
}

async function enqueueFailureEvent(tx: Db, { claim, attempt: { httpStatus, error }, endedAt }: Ended): Promise<void> {
  const { merchantId, id: callbackId } = claim;
  const orderId = orderIdOf(claim.target);
  const detail = { callbackId, httpStatus, error };
  await insertAuditEvent(tx, { merchantId, orderId, action: "callback.failed", detail }, endedAt);
}

/** Returns the row of a callback that could not be signed and will be retried. */
function toUnsigned({ claim, outcome, endedAt: at, move: { nextAttemptAt } }: Ended) {
  return outcome.kind === "unsigned" && nextAttemptAt ? [{ claim, reason: outcome.reason, at, nextAttemptAt }] : [];
}

function toMove(claim: ClaimedCallback, outcome: Outcome, endedAt: Date, random: number): CallbackMove {
  if (outcome.kind === "unsigned") return afterUnsigned(claim, outcome.reason, endedAt, random);
  const after = afterAttempt(claim.seriesAttempts + 1, outcome.kind === "answered" ? outcome : NO_ANSWER, random);
  return {
    status: after.status,
    nextAttemptAt: after.status === "pending" ? new Date(endedAt.getTime() + after.waitMs) : null,
    deliveredAt: after.status === "delivered" ? endedAt : null,
  };
}

function afterUnsigned(
  { unsignedSince }: ClaimedCallback,
  reason: UnsignedReason,
  endedAt: Date,
  random: number,
): CallbackMove {
  if (!canBeSignedLater(reason)) return { status: "failed", nextAttemptAt: null, deliveredAt: null };
  const waitedMs = unsignedSince === null ? 0 : endedAt.getTime() - unsignedSince.getTime();
  const nextAttemptAt = new Date(endedAt.getTime() + unsignedWaitMs(waitedMs, random));
  return { status: "pending", nextAttemptAt, deliveredAt: null };
}

async function noteHealth(tx: Db, origins: readonly string[], ended: readonly Ended[]): Promise<void> {
  const asked = ended.filter(({ outcome }) => outcome.kind !== "unsigned");
  const ofOrigin = Map.groupBy(asked, ({ claim }) => claim.origin);
  const held = await lockOrigins(tx, origins);
  await updateOriginHealth(
    tx,
    held.map((health) => ({ ...health, ...healthAfter(health, (ofOrigin.get(health.origin) ?? []).map(toTry)) })),
  );
}

const isWell = ({ outcome, attempt, move }: Ended) =>
  outcome.kind === "answered" && !isOriginIll(attempt.httpStatus) && move.status !== "failed";
const isFast = (one: Ended) => isWell(one) && one.attempt.durationMs <= FAST_MS;
const toTry = ({ attempt: { startedAt, httpStatus }, endedAt }: Ended) => ({ startedAt, endedAt, httpStatus });
const namesOf = ({ id, target }: ClaimedCallback) => ({ callbackId: id, tradeId: target.id });
