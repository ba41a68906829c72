import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { authenticateAction, requireMay } from "@/app/session";
import type { Db } from "@/db/client";
import type { Env } from "@/lib/config/env";
import type { Need } from "@/lib/domain/keys/role";
import type { FieldError } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { confirmPerson } from "@/lib/users/confirm-person";
import type { Member } from "@/lib/users/session";

interface Confirmed {
  db: Db;
  env: Env;
  /** The user who makes the change, for the audit log. */
  who: { merchantId: string; userId: string; from: RequestOrigin };
  person: Member;
  now: Date;
}

/**
 * Checks that the user is signed in, has the required role and has confirmed their identity again, before keys, addresses or members
 * change.
 */
export async function confirmChange(
  form: FormData,
  need: Need = "work",
  options: { mayLackFactor?: true } = {},
): Promise<Confirmed | { errors: FieldError[] }> {
  const allowed = await requireMay(need, form, options);
  if ("errors" in allowed) return allowed;
  const { person } = allowed;
  const change = await changeOf(person);
  const { db, env, who, now } = change;
  const password = textOf(form, "password");
  const code = textOf(form, "code");
  const passkey = textOf(form, "passkey");
  const error = await confirmPerson(db, env, person, { need, password, code, passkey, from: who.from }, now);
  return error ? { errors: [error] } : change;
}

/**
 * Authorizes an action on payments. If the shop requires second factors, the user must confirm their identity as in `confirmChange`.
 * Otherwise, the user's role is sufficient.
 */
export async function confirmPayment(form: FormData): Promise<Confirmed | { errors: FieldError[] }> {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  return allowed.person.asksFactor ? confirmChange(form) : changeOf(allowed.person);
}

async function changeOf(person: Member): Promise<Confirmed> {
  const { env, pool, now } = getContext();
  return { db: pool.db, env, who: await authenticateAction(person), person, now: now() };
}
