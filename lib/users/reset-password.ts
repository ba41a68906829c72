import { randomInt } from "node:crypto";
import type { Db } from "@/db/client";
import { clearAttempts } from "@/db/queries/merchants/attempts";
import { dropChallenges } from "@/db/queries/users/factors";
import { endSessions } from "@/db/queries/users/sessions";
import { findUserByEmail, updatePassword } from "@/db/queries/users/users";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { clearFactors } from "@/lib/users/change-factors";
import { hashPassword } from "@/lib/users/password";
import { notePersonEvent } from "@/lib/users/person-events";
import { accountBucket } from "@/lib/users/sign-in";

/** The alphabet, without characters that look alike. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const GROUP_LENGTH = 5;

/**
 * Sets a new password for a user, for the operator on the machine of the installation, and ends all their sessions; their second factors
 * are removed on request.
 * @returns the password, about 99 random bits, shown once; or the problem
 */
export async function resetPassword(
  db: Db,
  { typed, areFactorsLost }: { typed: string; areFactorsLost: boolean },
  now: Date,
): Promise<{ email: string; password: string; sessions: number; hadFactors: boolean } | { problem: Problem }> {
  const email = typed.trim().toLowerCase();
  const user = await findUserByEmail(db, email);
  if (!user) return { problem: problem("user_unknown", { email: email.slice(0, 80) }) };
  const password = newPassword();
  const newHash = await hashPassword(password);
  const done = await db.transaction(async (tx) => {
    await updatePassword(tx, { id: user.id }, newHash);
    await dropChallenges(tx, user.id);
    await clearAttempts(tx, accountBucket(email));
    const hadFactors = areFactorsLost && (await clearFactors(tx, user.id));
    const ended = await endSessions(tx, { userId: user.id }, now);
    await notePersonEvent(
      tx,
      {
        userId: user.id,
        action: "user.password_reset",
        detail: { sessions_ended: ended, ...(hadFactors ? { factors_removed: true } : {}) },
      },
      now,
    );
    return { sessions: ended, hadFactors };
  });
  return { email, password, ...done };
}

function newPassword(): string {
  const mail = () => ALPHABET.charAt(randomInt(ALPHABET.length));
  return Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_LENGTH }, mail).join("")).join("-");
}
