import { createHash } from "node:crypto";
import type { Db } from "@/db/client";
import { type AttemptRule, returnAttempt, takeAttempt } from "@/db/queries/merchants/attempts";
import { findUserByEmail } from "@/db/queries/people/users";
import { isPasswordRight } from "@/lib/people/password";
import { notePersonEvent } from "@/lib/people/person-events";
import { openSession, type Visitor } from "@/lib/people/session";

export type SignedIn = { sessionId: string } | { problem: "wrong" } | { problem: "tooMany"; retryAfterMs: number };

const QUARTER_HOUR_MS = 900_000;
const PER_EMAIL_AND_IP: AttemptRule = { count: 10, windowMs: QUARTER_HOUR_MS };
const PER_IP: AttemptRule = { count: 30, windowMs: QUARTER_HOUR_MS };
/** Failures that are recorded: the record of a shop is for reading, whoever tries from however many addresses. */
const RECORDED: AttemptRule = { count: 20, windowMs: QUARTER_HOUR_MS };

/**
 * Checks e-mail and password, begins a session and records it; failures are recorded too. Failures are limited per IP address,
 * and per e-mail address from each IP address, so that nobody can lock the owner out from elsewhere; an unknown e-mail address
 * takes the time of a wrong password and answers the same.
 */
export async function signIn(
  db: Db,
  form: Visitor & { email: string; password: string },
  now: Date,
): Promise<SignedIn> {
  const email = form.email.trim().toLowerCase();
  const emailHash = createHash("sha256").update(email).digest("base64url");
  const buckets: [key: string, rule: AttemptRule][] = [
    [`sign-in:ip:${form.ip}`, PER_IP],
    [`sign-in:email:${emailHash}:${form.ip}`, PER_EMAIL_AND_IP],
  ];
  for (const [key, rule] of buckets) {
    const retryAfterMs = await takeAttempt(db, key, rule, now);
    if (retryAfterMs > 0) return { problem: "tooMany", retryAfterMs };
  }
  const user = await findUserByEmail(db, email);
  const isRight = await isPasswordRight(user?.passwordHash ?? null, form.password);
  const sessionId = user && isRight ? await db.transaction((tx) => openSession(tx, user, form, now)) : null;
  if (sessionId === null) {
    await recordFailure(db, { userId: user?.id ?? null, emailHash, network: form.ip }, now);
    return { problem: "wrong" };
  }
  for (const [key, rule] of buckets) await returnAttempt(db, key, rule);
  return { sessionId };
}

/** One transaction whoever was meant: how long it takes must not say whether an e-mail address is known. */
async function recordFailure(
  db: Db,
  { userId, emailHash, network }: { userId: string | null; emailHash: string; network: string },
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const isTooMany = (await takeAttempt(tx, `sign-in:recorded:${emailHash}`, RECORDED, now)) > 0;
    const event = { userId: userId ?? "", action: "sign_in.failed", detail: { network } } as const;
    if (!isTooMany) await notePersonEvent(tx, event, now);
  });
}
