"use server";

import { getContext } from "@/app/context";
import { readForm } from "@/app/form-fields";
import { currentVisitor } from "@/app/session";
import { languageOf } from "@/components/messages/languages";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import { askReset } from "@/lib/users/reset-by-mail";
import { EMAIL_FORM } from "@/lib/users/user-forms";

/** Sends a password reset link if an account has this email address. The response is the same in either case. */
export async function mailReset(form: FormData): Promise<{ ok: string } | { errors: FieldError[] }> {
  const { env, pool, now } = getContext();
  if (env.smtpUrl === null) return refuse("", problem("mail_not_configured"));
  const visitor = await currentVisitor();
  const read = readForm(form, EMAIL_FORM);
  if ("errors" in read) return read;
  const language = languageOf(visitor.language ?? "") ?? "en";
  const answer = await askReset(pool.db, { ...visitor, ...read, language }, now());
  return answer === true ? { ok: read.email } : answer;
}
