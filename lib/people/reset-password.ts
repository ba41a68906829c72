import { randomInt } from "node:crypto";
import type { Db } from "@/db/client";
import { endSessions } from "@/db/queries/people/sessions";
import { findUserByEmail, updatePassword } from "@/db/queries/people/users";
import { hashPassword } from "@/lib/people/password";
import { notePersonEvent } from "@/lib/people/person-events";

/** Nothing that looks like something else. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const [GROUPS, GROUP_LENGTH] = [4, 5];

/**
 * Gives a person a new password, as whoever runs the installation asks on its machine, and ends all their sessions.
 * @returns the password, about 99 random bits, shown once; or what is wrong in words
 */
export async function resetPassword(
  db: Db,
  typed: string,
  now: Date,
): Promise<{ email: string; password: string; sessions: number } | { problem: string }> {
  const email = typed.trim().toLowerCase();
  const user = await findUserByEmail(db, email);
  if (!user) return { problem: `Nobody has the e-mail address "${email.slice(0, 80)}" here` };
  const password = newPassword();
  const newHash = await hashPassword(password);
  const sessions = await db.transaction(async (tx) => {
    await updatePassword(tx, { id: user.id }, newHash);
    const ended = await endSessions(tx, { userId: user.id }, now);
    await notePersonEvent(
      tx,
      { userId: user.id, action: "user.password_reset", detail: { sessions_ended: ended } },
      now,
    );
    return ended;
  });
  return { email, password, sessions };
}

function newPassword(): string {
  const letter = () => LETTERS.charAt(randomInt(LETTERS.length));
  return Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_LENGTH }, letter).join("")).join("-");
}
