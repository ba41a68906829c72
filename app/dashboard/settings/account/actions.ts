"use server";

import { confirmChange } from "@/app/confirm-change";
import { textOf } from "@/app/form-fields";
import { type FieldError, refuse } from "@/lib/domain/problems/problem";
import { changePassword as change } from "@/lib/users/change-password";
import { validatePassword } from "@/lib/users/password";

/** Changes the password, once the person proved again who they are, with the second factor where there is one; every other session ends, this one goes on. */
export async function changePassword(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const newPassword = textOf(form, "newPassword");
  const wrong = validatePassword(newPassword);
  if (wrong) return refuse("newPassword", wrong);
  const confirmed = await confirmChange(form, "look");
  if ("errors" in confirmed) return confirmed;
  const { db, who, person, now } = confirmed;
  const answer = await change(db, { ...who, sessionId: person.session.id, newPassword }, now);
  return answer === true ? { ok: true } : answer;
}
