import type { Db } from "@/db/client";
import { type CallbackMove, recordAttempt } from "@/db/queries/callbacks/attempts";
import type { ClaimedCallback } from "@/db/queries/callbacks/claims";
import { clearOriginFailures, lockOrigin, updateOriginHealth } from "@/db/queries/callbacks/origins";
import { listLiveSecrets } from "@/db/queries/callbacks/secrets";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { afterAttempt, isOriginIll, originPauseMs } from "@/lib/domain/callbacks/callback";
import { signMessage } from "@/lib/domain/keys/signature";
import type { Log } from "@/lib/log";
import { open } from "@/lib/merchants/vault";
import { guardedPost, type PostOptions, type PostResult } from "@/lib/outbound/guarded-post";

export interface DeliveryContext extends PostOptions {
  appSecret: string;
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
  const secrets = await openSecrets(db, ctx, claim.merchantId, now);
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

async function openSecrets(db: Db, ctx: DeliveryContext, merchantId: string, now: Date): Promise<string[] | string> {
  const sealed = await listLiveSecrets(db, merchantId, now);
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

/** Failures of attempts that ran side by side count once: only one that began after the last counted failure adds to it. */
async function noteHealth(tx: Db, origin: string, isIll: boolean, startedAt: Date, endedAt: Date): Promise<void> {
  if (!isIll) return clearOriginFailures(tx, origin);
  const health = await lockOrigin(tx, origin);
  if (!health || (health.pausedUntil && health.pausedUntil > startedAt)) return;
  const failures = health.failures + 1;
  const pausedUntil = new Date(endedAt.getTime() + originPauseMs(failures));
  await updateOriginHealth(tx, origin, { failures, pausedUntil });
}
