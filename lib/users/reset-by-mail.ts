import type { Db } from "@/db/client";
import { type AttemptRule, takeAttempt, takeAttemptOf } from "@/db/queries/merchants/attempts";
import { enqueueResetEmail } from "@/db/queries/notifications/account-emails";
import { dropChallenges, findChallenge, spendChallenge } from "@/db/queries/users/factors";
import { endSessions } from "@/db/queries/users/sessions";
import { findUser, updatePassword, verifyEmail } from "@/db/queries/users/users";
import { formReader } from "@/lib/domain/fields/form";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import { originText, type RequestOrigin } from "@/lib/domain/users/request-origin";
import { clearFactors } from "@/lib/users/change-factors";
import { hashPassword } from "@/lib/users/password";
import { notePersonEvent } from "@/lib/users/person-events";
import { hashOfReset } from "@/lib/users/reset-link";
import { originOf, type Visitor } from "@/lib/users/session";
import { newPassword } from "@/lib/users/user-forms";

/** The limit of link requests from one IP address. */
const ASKS: AttemptRule = { count: 10, windowMs: 900_000 };
/** The limit of emails to one email address. */
const MAILS: AttemptRule = { count: 3, windowMs: 3_600_000 };
const GONE = problem("reset_link_invalid");

/**
 * Enqueues a password reset link for an email address. The user of the address is only looked up when the email is sent, so that the
 * response and its time are the same for all addresses. Above the limit for one address, further requests are silently ignored.
 * @returns true, or a description of the problem
 */
export async function askReset(
  db: Db,
  form: Visitor & { email: string; language: string },
  now: Date,
): Promise<true | { errors: FieldError[] }> {
  const email = form.email.toLowerCase();
  if ((await takeAttemptOf(db, "reset:ip", form.ip, ASKS, now)) > 0) return refuse("", problem("too_many_attempts"));
  const from = originText(originOf(form));
  await db.transaction(async (tx) => {
    if ((await takeAttempt(tx, `reset:email:${hashOfReset(email)}`, MAILS, now)) > 0) return;
    await enqueueResetEmail(tx, { email, language: form.language, from }, now);
  });
  return true;
}

/** Returns the account of a link without using the link up; null if it is invalid. */
export async function findReset(db: Db, token: string, now: Date): Promise<{ email: string } | null> {
  const found = await findChallenge(db, { id: hashOfReset(token), purpose: "password_reset" }, now);
  const user = found?.userId ? await findUser(db, found.userId) : null;
  return user && { email: user.email };
}

/** Returns the account of a link without consuming the link; null if the link is invalid. */
export async function resetByMail(
  db: Db,
  form: { token: string; newPassword: string; from: RequestOrigin },
  now: Date,
): Promise<{ email: string } | { errors: FieldError[] }> {
  const account = await findReset(db, form.token, now);
  const read = formReader({ newPassword: newPassword(account ? [account.email] : []) })(form);
  if ("errors" in read) return read;
  if (!account) return refuse("", GONE);
  const one = { id: hashOfReset(form.token), purpose: "password_reset" } as const;
  const newHash = await hashPassword(read.newPassword);
  return db.transaction(async (tx) => {
    const userId = (await spendChallenge(tx, one, now))?.userId;
    if (!userId || !(await updatePassword(tx, { id: userId }, newHash))) return refuse("", GONE);
    await dropChallenges(tx, userId);
    const isFirstProof = await verifyEmail(tx, userId, now);
    const hadFactors = isFirstProof && (await clearFactors(tx, userId));
    const ended = await endSessions(tx, { userId }, now);
    const event = { userId, action: "user.password_reset", from: form.from } as const;
    const detail = { sessions_ended: ended, ...(hadFactors ? { factors_removed: true } : {}) };
    await notePersonEvent(tx, { ...event, detail }, now);
    return { email: account.email };
  });
}
