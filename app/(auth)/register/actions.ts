"use server";

import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { currentVisitor, keepSession } from "@/app/session";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import { register } from "@/lib/users/register";

const REFUSED = { closed: "registration_over", tooMany: "too_many_registrations" } as const;

/** Registers the first user as owner and signs them in. */
export async function registerOwner(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
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
  if ("refused" in answer) return refuse("", problem(REFUSED[answer.refused]));
  await keepSession(answer.sessionId);
  return { ok: true };
}
