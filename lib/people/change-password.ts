import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { updatePassword } from "@/db/queries/people/users";
import type { FieldError } from "@/lib/errors";
import { checkPassword } from "@/lib/people/confirm-person";
import { hashPassword, validatePassword } from "@/lib/people/password";

/**
 * Changes a person's password and ends all their sessions.
 * @returns the new session epoch, with which this one session can go on, or what is wrong in words.
 */
export async function changePassword(
  db: Db,
  form: { userId: string; oldPassword: string; newPassword: string },
  now: Date,
): Promise<{ epoch: number } | { errors: FieldError[] }> {
  const problem = validatePassword(form.newPassword);
  if (problem) return wrong("newPassword", problem);
  const checked = await checkPassword(db, form.userId, form.oldPassword, now);
  if ("problem" in checked) return wrong("oldPassword", checked.problem);
  const { id, merchantId, passwordHash } = checked.user;
  const newHash = await hashPassword(form.newPassword);
  return db.transaction(async (tx) => {
    const epoch = await updatePassword(tx, { id, oldHash: passwordHash }, newHash);
    if (epoch === null) return wrong("oldPassword", "Your password was just changed elsewhere. Sign in again");
    await insertAuditEvent(tx, { merchantId, userId: id, action: "user.password_changed" }, now);
    return { epoch };
  });
}

function wrong(field: string, message: string): { errors: FieldError[] } {
  return { errors: [{ field, message }] };
}
