"use server";

import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { currentVisitor, keepSession } from "@/app/session";
import type { FormError } from "@/lib/errors";
import { wrong } from "@/lib/errors";
import { register } from "@/lib/users/register";

const REFUSED = { closed: "registered", tooMany: "tooManyTries" } as const;

/** Registers the first visitor as owner and signs them in. */
export async function registerOwner(form: FormData): Promise<{ ok: true } | { errors: FormError[] }> {
  const { env, pool, now } = getContext();
  const fields = {
    ...(await currentVisitor()),
    code: textOf(form, "code"),
    name: textOf(form, "name"),
    email: textOf(form, "email"),
    password: textOf(form, "password"),
  };
  const answer = await register(pool.db, env, fields, now());
  if ("errors" in answer) return answer;
  if ("refused" in answer) return wrong("", (await getTranslations("problems"))(REFUSED[answer.refused]));
  await keepSession(answer.sessionId);
  return { ok: true };
}
