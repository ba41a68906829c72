import type { Db } from "@/db/client";
import {
  type CallbackMove,
  type ClaimedCallback,
  claimDueCallbacks,
  type EndedAttempt,
  insertCallbacks,
  insertEvents,
  listFailingOrigins,
  listLiveSecrets,
  lockDueOrigins,
  lockOrigins,
  recordAttempts,
  type SealedSecret,
  updateOriginHealth,
} from "@/db/queries/callbacks/callbacks";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { isDatabaseAway } from "@/db/unavailable";
import { createBatcher } from "@/lib/batcher";
import {
  afterAttempt,
  type CallbackType,
  callbackOrigin,
  healthAfter,
  isOriginIll,
  MAX_IN_FLIGHT_PER_ORIGIN,
} from "@/lib/domain/callbacks/callback";
import { newId } from "@/lib/domain/id";
import { signMessage } from "@/lib/domain/keys/signature";
import { writeJson } from "@/lib/domain/orders/order-wire";
import type { Log } from "@/lib/log";
import { open } from "@/lib/merchants/vault";
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
  data: object;
}

/**
 * Tells merchants news of their orders, in as many statements for hundreds as for one: call it in the transaction that made the
 * news. Each is listed, and delivered where there is an address for it. What was told before, by order, type and version, stays.
 */
export async function oweCallbacks(db: Db, owed: readonly OwedCallback[], now: Date): Promise<void> {
  const rows = owed.map(({ data, ...event }) => {
    const id = `evt_${newId(now)}`;
    return { ...event, id, body: writeJson({ id, type: event.type, timestamp: now.toISOString(), data }) };
  });
  const written = await insertEvents(
    db,
    rows.map(({ url: _, ...event }) => event),
    now,
  );
  const due = rows.flatMap(({ version: _, url, ...event }) =>
    url !== null && written.has(event.id) ? [{ ...event, url, origin: callbackOrigin(url) }] : [],
  );
  await insertCallbacks(db, due, now);
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
export function createCallbackSender(db: Db, ctx: SenderContext): CallbackSender {
  const underWay = new Set<Promise<void>>();
  let isDraining = false;
  let current: Promise<number> | null = null;
  let isWantedAgain = false;

  const together = deliverTogether(db);

  const start = (claim: ClaimedCallback) => {
    const delivery = deliver(together, ctx, claim, ctx.now())
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

export interface DeliveryContext extends OutboundOptions {
  appSecret: string;
  /** Of this service, for the user agent. */
  version: string;
  log: Log;
  /** From 0 to 1, for the jitter; Math.random when left out. */
  random?: () => number;
}

type Outcome = PostResult | { kind: "unsigned"; error: string };

/** An attempt that is over and not written yet. */
interface Ended extends EndedAttempt {
  outcome: Outcome;
  endedAt: Date;
}

/** What deliveries ask of the database. */
interface Together {
  findSecrets(asked: { merchantId: string; at: Date }): Promise<readonly SealedSecret[]>;
  /** Resolves to whether it was written: only while the claim holds. */
  record(ended: Ended): Promise<boolean>;
}

/** What deliveries that begin or end together ask of the database goes in one statement for all of them. */
function deliverTogether(db: Db): Together {
  const isWorthRetrying = (error: unknown) => !isDatabaseAway(error);
  const ownerOf = () => "";
  const findAll = async (asked: readonly { merchantId: string; at: Date }[]) => {
    const merchantIds = asked.map(({ merchantId }) => merchantId);
    const secrets = await listLiveSecrets(db, merchantIds, asked[0]?.at ?? new Date(0));
    return merchantIds.map((id) => secrets.get(id) ?? []);
  };
  return {
    findSecrets: createBatcher({ run: findAll, ownerOf, isWorthRetrying }),
    record: createBatcher({ run: (ended) => recordEnded(db, ended), ownerOf, isWorthRetrying }),
  };
}

/**
 * Makes one attempt at a claimed callback and writes what came of it, only while the claim holds. Dying on the way loses
 * nothing: the lease ends and another sender makes the attempt again with the same id.
 */
export async function deliverCallback(db: Db, ctx: DeliveryContext, claim: ClaimedCallback, now: Date): Promise<void> {
  await deliver(deliverTogether(db), ctx, claim, now);
}

async function deliver(together: Together, ctx: DeliveryContext, claim: ClaimedCallback, now: Date): Promise<void> {
  const outcome = await attempt(together, ctx, claim, now);
  const isRecorded = await together.record(toEnded(ctx, claim, outcome, now));
  if (!isRecorded) ctx.log.warn({ callbackId: claim.id }, "callback was taken over by another sender meanwhile");
}

async function attempt(together: Together, ctx: DeliveryContext, claim: ClaimedCallback, now: Date): Promise<Outcome> {
  const secrets = openSecrets(ctx, await together.findSecrets({ merchantId: claim.merchantId, at: now }));
  if (typeof secrets === "string") return { kind: "unsigned", error: secrets };
  const headers = {
    "content-type": "application/json",
    "user-agent": `Stablegate/${ctx.version}`,
    "webhook-id": claim.id,
    "webhook-timestamp": Math.floor(now.getTime() / 1000).toString(),
    "webhook-signature": signMessage(secrets, claim.id, now, claim.body),
  };
  return guardedPost({ url: claim.url, headers, body: claim.body }, ctx, now);
}

function openSecrets(ctx: DeliveryContext, sealed: readonly SealedSecret[]): string[] | string {
  if (sealed.length === 0) return "there is no live API key to sign with; create one under Settings → API keys";
  const secrets = sealed.flatMap(({ apiKeyId, secretCipher }) => {
    try {
      return [open(ctx.appSecret, `api_keys:${apiKeyId}`, secretCipher)];
    } catch (error) {
      ctx.log.error({ err: error, apiKeyId }, "the secret of an API key cannot be opened: is APP_SECRET another one?");
      return [];
    }
  });
  return secrets.length > 0 ? secrets : "the secrets to sign with cannot be opened; create a new API key";
}

function toEnded(ctx: DeliveryContext, claim: ClaimedCallback, outcome: Outcome, startedAt: Date): Ended {
  const durationMs = outcome.kind === "unsigned" ? 0 : outcome.durationMs;
  const endedAt = new Date(startedAt.getTime() + durationMs);
  const isAnswered = outcome.kind === "answered";
  const attempt = {
    ...{ startedAt, durationMs },
    ...(outcome.kind === "unsigned" ? NO_TIMES : outcome.times),
    httpStatus: isAnswered ? outcome.httpStatus : null,
    error: isAnswered ? null : outcome.error.toWellFormed(),
    answer: isAnswered ? outcome.answer : null,
    peer: outcome.kind === "unsigned" ? null : outcome.peer,
  };
  return { claim, outcome, attempt, endedAt, move: toMove(claim, outcome, endedAt, (ctx.random ?? Math.random)()) };
}

const NO_TIMES = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };

/** Writes attempts that are over, in as many statements for all as for one. @returns which of them were written */
async function recordEnded(db: Db, ended: readonly Ended[]): Promise<boolean[]> {
  return db.transaction(async (tx) => {
    const written = await recordAttempts(tx, ended);
    const own = ended.filter(({ claim }) => written.has(claim.id));
    await noteHealth(tx, own);
    for (const one of own) if (one.move.status === "failed") await tellFailed(tx, one);
    return ended.map(({ claim }) => written.has(claim.id));
  });
}

async function tellFailed(tx: Db, { claim, attempt, endedAt }: Ended): Promise<void> {
  const { merchantId, orderId, id: callbackId } = claim;
  const detail = { callbackId, httpStatus: attempt.httpStatus, error: attempt.error };
  await insertAuditEvent(tx, { merchantId, orderId, action: "callback.failed", detail }, endedAt);
}

function toMove(claim: ClaimedCallback, outcome: Outcome, endedAt: Date, random: number): CallbackMove {
  const how =
    outcome.kind === "answered"
      ? { httpStatus: outcome.httpStatus, retryAfterMs: outcome.retryAfterMs }
      : { httpStatus: null, retryAfterMs: null };
  const after = afterAttempt(claim.seriesAttempts + 1, how, random);
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

async function noteHealth(tx: Db, ended: readonly Ended[]): Promise<void> {
  const asked = ended.filter(({ outcome }) => outcome.kind !== "unsigned");
  const ofOrigin = Map.groupBy(asked, ({ claim }) => claim.origin);
  const isIll = ({ attempt }: Ended) => isOriginIll(attempt.httpStatus);
  const ill = [...ofOrigin].flatMap(([origin, some]) => (some.some(isIll) ? [origin] : []));
  const failing = await listFailingOrigins(tx, [...ofOrigin.keys()]);
  if (ill.length + failing.length === 0) return;
  const held = await lockOrigins(tx, [...new Set([...ill, ...failing])]);
  await updateOriginHealth(
    tx,
    held.map((health) => ({ ...health, ...healthAfter(health, (ofOrigin.get(health.origin) ?? []).map(toTry)) })),
  );
}

const toTry = ({ attempt: { startedAt, httpStatus }, endedAt }: Ended) => ({ startedAt, endedAt, httpStatus });
