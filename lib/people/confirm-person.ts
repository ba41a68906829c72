import type { Db } from "@/db/client";
import { type AttemptRule, returnAttempt, takeAttempt } from "@/db/queries/merchants/attempts";
import { markStrong } from "@/db/queries/people/sessions";
import { findUser, type User } from "@/db/queries/people/users";
import { type Need, refusalOf } from "@/lib/domain/keys/role";
import { isPasswordRight } from "@/lib/people/password";
import type { Member } from "@/lib/people/session";

const RULE: AttemptRule = { count: 10, windowMs: 900_000 };

/**
 * Asks a person who is signed in for the password again, before keys, receiving addresses or people change.
 * @returns what is wrong, in words (a role that is not enough, a wrong password, too many tries, a session that ended), or null.
 */
export async function confirmPerson(
  db: Db,
  member: Pick<Member, "user" | "session" | "role">,
  { need, password }: { need: Need; password: string },
  now: Date,
): Promise<string | null> {
  const refused = refusalOf(member.role, need);
  if (refused) return refused;
  const checked = await checkPassword(db, member.user.id, password, now);
  if ("problem" in checked) return checked.problem;
  return (await markStrong(db, member.session.id, now)) ? null : "Your session has ended. Sign in again";
}

/** The person whose password this is, or what is wrong in words; wrong tries are limited per person. */
export async function checkPassword(
  db: Db,
  userId: string,
  password: string,
  now: Date,
): Promise<{ user: User } | { problem: string }> {
  if (!password) return { problem: "Enter your password" };
  const bucket = `confirm:${userId}`;
  const retryAfterMs = await takeAttempt(db, bucket, RULE, now);
  if (retryAfterMs > 0)
    return { problem: `Too many wrong passwords. Try again in ${Math.ceil(retryAfterMs / 60_000)} min` };
  const user = await findUser(db, userId);
  const isRight = await isPasswordRight(user?.passwordHash ?? null, password);
  if (!user || !isRight) return { problem: "This is not your password" };
  await returnAttempt(db, bucket, RULE);
  return { user };
}
