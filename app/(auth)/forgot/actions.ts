"use server";

import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { currentVisitor } from "@/app/session";
import { languageOf } from "@/components/messages/languages";
import { type FormError, wrong } from "@/lib/errors";
import { askReset } from "@/lib/users/reset-by-mail";

/** Lets a link to a new password be mailed, where anybody has the e-mail address. Answers the address, whoever has it. */
export async function mailReset(form: FormData): Promise<{ ok: string } | { errors: FormError[] }> {
  const { env, pool, now } = getContext();
  if (env.smtpUrl === null) return wrong("", "This installation sends no mail. Ask whoever runs it for a new password");
  const visitor = await currentVisitor();
  const email = textOf(form, "email");
  const language = languageOf(visitor.language ?? "") ?? "en";
  const answer = await askReset(pool.db, { ...visitor, language, email }, now());
  return answer === true ? { ok: email.trim() } : answer;
}
