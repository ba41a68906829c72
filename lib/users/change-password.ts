import type { Db } from "@/db/client";
import { dropChallenges } from "@/db/queries/users/factors";
import { endSessions, markStrong } from "@/db/queries/users/sessions";
import { findUser, updatePassword } from "@/db/queries/users/users";
import { formReader } from "@/lib/domain/fields/form";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { hashPassword } from "@/lib/users/password";
import { notePersonEvent } from "@/lib/users/person-events";
import { newPassword } from "@/lib/users/user-forms";

const CHANGED = problem("password_changed_elsewhere");

/**
 * Changes the password of a user who just confirmed their identity (`confirmPerson`: with the second factor if there is one), and ends all
 * their sessions but the current one.
 * @returns true, or the problem
 */
export async function changePassword(
  db: Db,
  form: { userId: string; sessionId: string; newPassword: string; from?: RequestOrigin | undefined },
  now: Date,
): Promise<true | { errors: FieldError[] }> {
  const user = await findUser(db, form.userId);
  if (!user) return refuse("", CHANGED);
  const read = formReader({ newPassword: newPassword([user.email]) })(form);
  if ("errors" in read) return read;
  const { id, passwordHash } = user;
  const newHash = await hashPassword(read.newPassword);
  return db.transaction(async (tx) => {
    if (!(await updatePassword(tx, { id, oldHash: passwordHash }, newHash))) return refuse("", CHANGED);
    await dropChallenges(tx, id);
    const ended = await endSessions(tx, { userId: id, except: form.sessionId }, now);
    await markStrong(tx, form.sessionId, now);
    await notePersonEvent(
      tx,
      { userId: id, action: "user.password_changed", from: form.from, detail: { sessions_ended: ended } },
      now,
    );
    return true;
  });
}
