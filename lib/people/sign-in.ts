import { createHash } from "node:crypto";
import type { Db } from "@/db/client";
import { type AttemptRule, returnAttempt, takeAttempt } from "@/db/queries/merchants/attempts";
import { findUserByEmail } from "@/db/queries/people/users";
import { isPasswordRight } from "@/lib/people/password";
import { type Person, toPerson } from "@/lib/people/session";

export type SignedIn = { person: Person } | { problem: "wrong" } | { problem: "tooMany"; retryAfterMs: number };

const QUARTER_HOUR_MS = 900_000;
const PER_EMAIL_AND_IP: AttemptRule = { count: 10, windowMs: QUARTER_HOUR_MS };
const PER_IP: AttemptRule = { count: 30, windowMs: QUARTER_HOUR_MS };

/**
 * Checks e-mail and password. Failures are limited per IP address, and per e-mail address from each IP address, so that
 * nobody can lock the owner out from elsewhere; an unknown e-mail address takes the time of a wrong password and answers
 * the same.
 * @param form.ip what the visitor can hardly change of its address: all of IPv4, the /64 network of IPv6
 */
export async function signIn(
  db: Db,
  form: { email: string; password: string; ip: string },
  now: Date,
): Promise<SignedIn> {
  const email = form.email.trim().toLowerCase();
  const buckets: [key: string, rule: AttemptRule][] = [
    [`sign-in:ip:${form.ip}`, PER_IP],
    [`sign-in:email:${createHash("sha256").update(email).digest("base64url")}:${form.ip}`, PER_EMAIL_AND_IP],
  ];
  for (const [key, rule] of buckets) {
    const retryAfterMs = await takeAttempt(db, key, rule, now);
    if (retryAfterMs > 0) return { problem: "tooMany", retryAfterMs };
  }
  const user = await findUserByEmail(db, email);
  const isRight = await isPasswordRight(user?.passwordHash ?? null, form.password);
  if (!user || !isRight) return { problem: "wrong" };
  for (const [key, rule] of buckets) await returnAttempt(db, key, rule);
  return { person: toPerson(user) };
}
