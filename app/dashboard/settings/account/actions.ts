"use server";

import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { requirePerson, startSession } from "@/app/session";
import type { FieldError } from "@/lib/errors";
import { changePassword as change } from "@/lib/people/change-password";

/** Changes the password; every other session ends, this one goes on. */
export async function changePassword(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const person = await requirePerson();
  const { pool, now } = getContext();
  const fields = {
    userId: person.id,
    oldPassword: textOf(form, "oldPassword"),
    newPassword: textOf(form, "newPassword"),
  };
  const answer = await change(pool.db, fields, now());
  if ("errors" in answer) return answer;
  await startSession({ userId: person.id, epoch: answer.epoch });
  return { ok: true };
}
