import type { Db } from "@/db/client";
import { type AttemptRule, returnAttempt, takeAttempt } from "@/db/queries/merchants/attempts";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { markStrong } from "@/db/queries/users/sessions";
import { findUser, type User } from "@/db/queries/users/users";
import type { Env } from "@/lib/config/env";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { type Need, refusalOf } from "@/lib/domain/keys/role";
import { type FieldError, fieldError, type Problem, problem } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { checkCode } from "@/lib/users/check-code";
import { checkPasskey } from "@/lib/users/passkeys";
import { isPasswordRight } from "@/lib/users/password";
import type { Member } from "@/lib/users/session";

const RULE: AttemptRule = { count: 10, windowMs: 900_000 };

/** The proof of identity: password and, if there is a second factor, its code; or a passkey alone. */
export interface Proof {
  password: string;
  /** The code of the authenticator app, or a recovery code. */
  code: string;
  /** The assertion of a passkey, JSON; "" if none was requested. */
  passkey: string;
}

/**
 * Confirms the identity of a signed-in user before keys, receiving addresses, factors or users change. The confirmation is valid for that
 * one change, and is recorded.
 * @returns the field and the problem (insufficient role, wrong proof, too many attempts, ended session), or null
 */
export async function confirmPerson(
  db: Db,
  { appSecret, publicUrl }: Pick<Env, "appSecret" | "publicUrl">,
  member: Pick<Member, "user" | "session" | "role" | "merchantId" | "factors">,
  { need, from, ...proof }: Proof & { need: Need; from?: RequestOrigin | undefined },
  now: Date,
): Promise<FieldError | null> {
  const refused = refusalOf(member.role, need);
  if (refused) return fieldError("password", refused);
  const userId = member.user.id;
  const proven = proof.passkey
    ? await checkPasskey(db, publicUrl, { answer: proof.passkey, userId }, now)
    : await checkTyped(db, { appSecret, userId, from, ...proof }, member.factors, now);
  if ("problem" in proven) return fieldError("isCode" in proven ? "code" : "password", proven.problem);
  const origin = await markStrong(db, member.session.id, now);
  if (!origin) return fieldError("password", problem("session_ended"));
  const by = "by" in proven ? proven.by : "passkey";
  const { merchantId } = member;
  await insertAuditEvent(db, { merchantId, userId, action: "person.confirmed", detail: { by, ...origin } }, now);
  return null;
}

async function checkTyped(
  db: Db,
  {
    appSecret,
    userId,
    password,
    code,
    from,
  }: Omit<Proof, "passkey"> & {
    appSecret: AppSecret;
    userId: string;
    from: RequestOrigin | undefined;
  },
  { hasTotp, passkeys }: Member["factors"],
  now: Date,
): Promise<{ by: string } | { problem: Problem; isCode?: true }> {
  const checked = await checkPassword(db, userId, password, now);
  if ("problem" in checked) return checked;
  if (!hasTotp && passkeys === 0) return { by: "password" };
  const second = await checkCode(db, { appSecret, userId, code, from }, now);
  return "problem" in second ? { problem: second.problem, isCode: true } : { by: second.by };
}

/** Returns the user with this password, or the problem; failures are limited per user. */
export async function checkPassword(
  db: Db,
  userId: string,
  password: string,
  now: Date,
): Promise<{ user: User } | { problem: Problem }> {
  if (!password) return { problem: problem("password_missing") };
  const bucket = `confirm:${userId}`;
  const retryAfterMs = await takeAttempt(db, bucket, RULE, now);
  if (retryAfterMs > 0)
    return { problem: problem("password_attempts_exceeded", { minutes: Math.ceil(retryAfterMs / 60_000) }) };
  const user = await findUser(db, userId);
  const isRight = await isPasswordRight(user?.passwordHash ?? null, password);
  if (!user || !isRight) return { problem: problem("password_wrong") };
  await returnAttempt(db, bucket, RULE);
  return { user };
}
