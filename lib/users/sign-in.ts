import { createHash, randomBytes } from "node:crypto";
import type { Db } from "@/db/client";
import {
  type AttemptRule,
  returnAttempt,
  returnAttemptOf,
  takeAttempt,
  takeAttemptOf,
} from "@/db/queries/merchants/attempts";
import { findChallenge, insertChallenge, spendChallenge } from "@/db/queries/users/factors";
import { findUser, findUserByEmail, lockPassword, type User } from "@/db/queries/users/users";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { findFactors } from "@/lib/users/change-factors";
import { checkCode } from "@/lib/users/check-code";
import { isPasswordRight } from "@/lib/users/password";
import { notePersonEvent } from "@/lib/users/person-events";
import { openSession, originOf, type Visitor } from "@/lib/users/session";

/** The second factors that can complete a sign-in, besides a recovery code: an app's code, a passkey, or both. */
export type SecondStepWays = "code" | "passkey" | "both";

/**
 * The result of the first step of a sign-in. With `ticket`, the browser proves in the second step that it completed the first. It is not a
 * session.
 */
export type SignedIn =
  | { sessionId: string }
  | { ticket: string; by: SecondStepWays }
  | { problem: "wrong" }
  | { problem: "tooMany"; retryAfterMs: number }
  /** Too many failures on devices that never signed in to this account. */
  | { problem: "unknownDevice"; retryAfterMs: number };

const QUARTER_HOUR_MS = 900_000;
const DAY_MS = 86_400_000;
const PER_EMAIL_AND_IP: AttemptRule = { count: 10, windowMs: QUARTER_HOUR_MS };
/** The limit of failed sign-ins from one address, for all kinds of proof. */
export const PER_IP: AttemptRule = { count: 30, windowMs: QUARTER_HOUR_MS };
/** The limit of failed sign-ins to one account, across all devices that never signed in to it. */
const PER_ACCOUNT: AttemptRule = { count: 50, windowMs: DAY_MS };
/** The limit of failed sign-ins on a device that signed in before. */
export const PER_DEVICE: AttemptRule = { count: 10, windowMs: QUARTER_HOUR_MS };
/** The limit of recorded failures, which keeps a shop's audit log readable during an attack from many addresses. */
const RECORDED: AttemptRule = { count: 20, windowMs: QUARTER_HOUR_MS };

/** Returns the hash of an email address, which identifies its account in rate limits and in the cookies of devices. */
export function accountHash(email: string): string {
  return createHash("sha256").update(email.trim().toLowerCase()).digest("base64url");
}

/** Returns the bucket of failed sign-ins to an account from unknown devices. */
export const accountBucket = (email: string) => `sign-in:account:${accountHash(email)}`;

interface SignInForm extends Visitor {
  email: string;
  password: string;
  /** The id of the browser, if it signed in to this account before. */
  device?: string | null;
}

/**
 * Checks email address and password, then starts a session and records it, or requests the second step from a user with a second factor.
 * Failures are recorded too. An unknown email address takes the same time as a wrong password and gets the same response.
 *
 * Failures on unknown devices are limited by network, by email address and network, and by account. A device that signed in to the account
 * before is exempt from these limits and has its own, so that failures elsewhere never lock its owner out.
 */
export async function signIn(db: Db, form: SignInForm, now: Date): Promise<SignedIn> {
  const email = form.email.trim().toLowerCase();
  const emailHash = accountHash(email);
  const refused = await takeTry(db, form, now);
  if (refused) return refused;
  const user = await findUserByEmail(db, email);
  const isRight = await isPasswordRight(user?.passwordHash ?? null, form.password);
  const opened = user && isRight ? await db.transaction((tx) => openOrAsk(tx, user, form, now)) : null;
  if (opened === null) {
    await recordFailure(db, { userId: user?.id ?? null, emailHash, network: form.ip }, now);
    return { problem: "wrong" };
  }
  await returnTry(db, form);
  return opened;
}

const deviceBucket = (device: string, email: string) => `sign-in:device:${device}:${accountHash(email)}`;
const emailName = (email: string) => `sign-in:email:${accountHash(email)}`;

/** Counts an attempt before the password is compared, so that concurrent attempts are all counted. */
async function takeTry(db: Db, { email, ip, device }: SignInForm, now: Date): Promise<SignedIn | null> {
  if (device) {
    const retryAfterMs = await takeAttempt(db, deviceBucket(device, email), PER_DEVICE, now);
    return retryAfterMs > 0 ? { problem: "tooMany", retryAfterMs } : null;
  }
  const ofNetwork =
    (await takeAttemptOf(db, "sign-in:ip", ip, PER_IP, now)) ||
    (await takeAttemptOf(db, emailName(email), ip, PER_EMAIL_AND_IP, now));
  if (ofNetwork > 0) return { problem: "tooMany", retryAfterMs: ofNetwork };
  const retryAfterMs = await takeAttempt(db, accountBucket(email), PER_ACCOUNT, now);
  return retryAfterMs > 0 ? { problem: "unknownDevice", retryAfterMs } : null;
}

async function returnTry(db: Db, { email, ip, device }: SignInForm): Promise<void> {
  if (device) return returnAttempt(db, deviceBucket(device, email), PER_DEVICE);
  await returnAttemptOf(db, "sign-in:ip", ip, PER_IP);
  await returnAttemptOf(db, emailName(email), ip, PER_EMAIL_AND_IP);
  await returnAttempt(db, accountBucket(email), PER_ACCOUNT);
}

async function openOrAsk(tx: Db, user: User, visitor: Visitor, now: Date) {
  // A concurrent password change waits for this lock, and then ends this session.
  if (!(await lockPassword(tx, user))) return null;
  const factors = await findFactors(tx, user.id);
  if (!factors.hasTotp && factors.passkeys === 0) {
    const sessionId = await openSession(tx, user, visitor, now);
    return sessionId === null ? null : { sessionId };
  }
  const ticket = randomBytes(32).toString("base64url");
  await insertChallenge(tx, { id: ticketHash(ticket), purpose: "second_step", userId: user.id }, now);
  if (factors.passkeys === 0) return { ticket, by: "code" as const };
  return { ticket, by: factors.hasTotp ? ("both" as const) : ("passkey" as const) };
}

const ticketHash = (ticket: string) => createHash("sha256").update(ticket).digest("base64url");
const GONE = problem("sign_in_expired");

/**
 * Completes a sign-in with a code of the authenticator app or a recovery code, in the browser in which the first step was completed at
 * most five minutes ago. Only a valid code uses up the ticket. Failures are limited per user, and recorded.
 * @returns the session, or the problem; `isOver`: the first step must be repeated
 */
export async function takeSecondStep(
  db: Db,
  appSecret: AppSecret,
  form: Visitor & { ticket: string; code: string },
  now: Date,
): Promise<{ sessionId: string } | { problem: Problem; isOver?: true }> {
  const one = { id: ticketHash(form.ticket), purpose: "second_step" } as const;
  const userId = (await findChallenge(db, one, now))?.userId;
  if (!userId) return { problem: GONE, isOver: true };
  const checked = await checkCode(db, { appSecret, userId, code: form.code, from: originOf(form) }, now);
  if ("problem" in checked) {
    const event = { userId, action: "second_step.failed", detail: { network: form.ip } } as const;
    if (checked.isGuess) await notePersonEvent(db, event, now);
    return { problem: checked.problem };
  }
  return db.transaction(async (tx) => {
    const user = await findUser(tx, userId);
    const isMine = (await spendChallenge(tx, one, now)) !== null;
    const sessionId = user && isMine ? await openSession(tx, user, form, now) : null;
    return sessionId === null ? { problem: GONE, isOver: true } : { sessionId };
  });
}

/**
 * Records a failure in one transaction for known and unknown addresses, so that the response time does not reveal whether the address is
 * known.
 */
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
