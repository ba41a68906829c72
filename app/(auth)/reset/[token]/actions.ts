"use server";

import { getContext } from "@/app/context";
import { keepDevice } from "@/app/device-cookie";
import { textOf } from "@/app/form-fields";
import { currentVisitor } from "@/app/session";
import type { FieldError } from "@/lib/domain/problems/problem";
import { resetByMail } from "@/lib/users/reset-by-mail";
import { originOf } from "@/lib/users/session";

/** Sets the password chosen by a user who followed the link of a reset email. */
export async function setPassword(form: FormData): Promise<{ ok: { email: string } } | { errors: FieldError[] }> {
  const token = textOf(form, "token");
  const newPassword = textOf(form, "newPassword");
  const { pool, now } = getContext();
  const answer = await resetByMail(pool.db, { token, newPassword, from: originOf(await currentVisitor()) }, now());
  if ("errors" in answer) return answer;
  // The user has proved access to the mailbox, so failed attempts on other devices must not lock out this device.
  await keepDevice(answer.email);
  return { ok: answer };
}
