"use server";

import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { currentVisitor } from "@/app/session";
import { languageOf } from "@/components/messages/languages";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import { askReset } from "@/lib/users/reset-by-mail";

/** Lets a link to a new password be mailed, where anybody has the e-mail address. Answers the address, whoever has it. */
export async function mailReset(form: FormData): Promise<{ ok: string } | { errors: FieldError[] }> {
  const { env, pool, now } = getContext();
  if (env.smtpUrl === null) return refuse("", problem("mail_not_configured"));
  const visitor = await currentVisitor();
  const email = textOf(form, "email");
  const language = languageOf(visitor.language ?? "") ?? "en";
  const answer = await askReset(pool.db, { ...visitor, language, email }, now());
  return answer === true ? { ok: email.trim() } : answer;
}
