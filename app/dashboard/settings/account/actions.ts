"use server";

import { confirmChange } from "@/app/confirm-change";
import { readForm } from "@/app/form-fields";
import type { FieldError } from "@/lib/domain/problems/problem";
import { changePassword as change } from "@/lib/users/change-password";
import { newPassword } from "@/lib/users/user-forms";

const FORM = { newPassword: newPassword([]) };

/**
 * Changes the password after the user confirmed their identity, with the second factor if there is one. Every other
 * session ends.
 */
export async function changePassword(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const read = readForm(form, FORM);
  if ("errors" in read) return read;
  const confirmed = await confirmChange(form, "look");
  if ("errors" in confirmed) return confirmed;
  const { db, who, person, now } = confirmed;
  const answer = await change(db, { ...who, sessionId: person.session.id, ...read }, now);
  return answer === true ? { ok: true } : answer;
}
