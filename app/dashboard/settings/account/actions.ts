"use server";

import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { requireMay } from "@/app/session";
import type { FieldError } from "@/lib/errors";
import { changePassword as change } from "@/lib/people/change-password";

/** Changes the password; every other session ends, this one goes on. */
export async function changePassword(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const allowed = await requireMay("look", form);
  if ("errors" in allowed) return allowed;
  const { user, session } = allowed.person;
  const { pool, now } = getContext();
  const fields = {
    ...{ userId: user.id, sessionId: session.id },
    oldPassword: textOf(form, "oldPassword"),
    newPassword: textOf(form, "newPassword"),
  };
  const answer = await change(pool.db, fields, now());
  return answer === true ? { ok: true } : answer;
}
