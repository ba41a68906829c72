import type { Db } from "@/db/client";
import { listKeysOfLine } from "@/db/queries/callbacks/callback-keys";
import { takeAttempt } from "@/db/queries/merchants/attempts";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { type KeyContext, signBy } from "@/lib/callbacks/sign-callback";
import { findInstallationKey } from "@/lib/callbacks/signing-keys";
import { validateCallbackUrl } from "@/lib/domain/callbacks/address-rule";
import { isAcknowledged } from "@/lib/domain/callbacks/callback";
import { newId } from "@/lib/domain/id";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { guardedPost, type OutboundOptions, type PostResult } from "@/lib/outbound/guarded-post";

/** A test event: the key that signs it, and the URL to which it is sent. */
export interface TestEvent {
  merchantId: string;
  userId: string;
  from?: RequestOrigin | undefined;
  keyId: string;
  url: string;
}

interface TestContext extends OutboundOptions, KeyContext {
  /** The version of this service, for the user agent. */
  version: string;
}

/** The result of a test event for its sender; `answer` is the first KiB of the server's response. */
export interface TestOutcome {
  isAcknowledged: boolean;
  result: Problem;
  answer: string | null;
}

/** The limit per user. It allows manual tests, but is too low to flood another server. */
const RULE = { count: 10, windowMs: 10 * 60_000 };

/**
 * Sends one event of the type `test` immediately, with the same checks and signatures as a callback of an order that
 * the key created. The event belongs to no order, is not stored and affects no statistics. The audit log records the
 * test and its result.
 * @returns the result, or the problem of the request
 */
export async function sendTestEvent(
  db: Db,
  ctx: TestContext,
  test: TestEvent,
  now: Date,
): Promise<TestOutcome | { problem: Problem; field: "url" | "" }> {
  const { merchantId, userId, keyId, url, from } = test;
  const invalid = validateCallbackUrl(url, ctx);
  if (invalid) return { problem: problem("callback_address_invalid", { problem: invalid }), field: "url" };
  const waitMs = await takeAttempt(db, `test-event:${merchantId}`, RULE, now);
  if (waitMs > 0)
    return {
      problem: problem("too_many_tests", { seconds: Math.ceil(waitMs / 1_000) }),
      field: "",
    };
  const keys = await listKeysOfLine(db, { merchantId, id: keyId }, now);
  const installation = await findInstallationKey(db, ctx, now);
  const id = `evt_${newId(now)}`;
  const body = writeTest(id, now);
  const signed = signBy(ctx, keys, installation, { id, body, merchantId, attemptsBefore: 0 }, now);
  if ("problem" in signed) return { problem: problem("test_unsigned", { reason: signed.problem }), field: "" };
  const headers = { "content-type": "application/json", "user-agent": `Stablegate/${ctx.version}`, ...signed.headers };
  // The audit entry precedes the request, so that it exists even if this process dies.
  const line = { merchantId, userId, from, detail: { apiKeyId: keyId, eventId: id, url } };
  await insertAuditEvent(db, { ...line, action: "callback.tested" }, now);
  const outcome = toOutcome(await guardedPost({ url, headers, body }, ctx, now));
  const detail = { ...line.detail, text: inEnglish(outcome.result) };
  await insertAuditEvent(db, { ...line, action: "callback.test_answered", detail }, now);
  return outcome;
}

/**
 * Returns a test event in the standard format. It belongs to no order and has a type of its own, so that a server that acts on
 * `payment.confirmed` ignores it.
 */
function writeTest(id: string, at: Date): string {
  const data = { message: "This is a test. No payment was made." };
  return JSON.stringify({ id, type: "test", timestamp: at.toISOString(), data });
}

function toOutcome(result: PostResult): TestOutcome {
  const milliseconds = Math.round(result.durationMs);
  if (result.kind === "failed") {
    const unanswered = problem("test_unanswered", { milliseconds, reason: result.error });
    return { isAcknowledged: false, result: unanswered, answer: null };
  }
  const { httpStatus: status, answer } = result;
  const isAcked = isAcknowledged(status);
  const code = isAcked ? "test_acknowledged" : "test_not_acknowledged";
  return { isAcknowledged: isAcked, result: problem(code, { status, milliseconds }), answer: answer || null };
}
