import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { requireMay } from "@/app/session";
import type { Db } from "@/db/client";
import type { Need } from "@/lib/domain/keys/role";
import type { Env } from "@/lib/env";
import type { FieldError } from "@/lib/errors";
import { wrong } from "@/lib/errors";
import { confirmPerson } from "@/lib/people/confirm-person";
import type { Member } from "@/lib/people/session";

interface Confirmed {
  db: Db;
  env: Env;
  /** Whose change it is. */
  who: { merchantId: string; userId: string };
  person: Member;
  now: Date;
}

/** Checks, before keys, addresses or people change, that the person is signed in, may change them and typed the password again. */
export async function confirmChange(
  form: FormData,
  need: Need = "work",
): Promise<Confirmed | { errors: FieldError[] }> {
  const allowed = await requireMay(need, form);
  if ("errors" in allowed) return allowed;
  const { person } = allowed;
  const { env, pool, now } = getContext();
  const time = now();
  const problem = await confirmPerson(pool.db, person, { need, password: textOf(form, "password") }, time);
  if (problem) return wrong("password", problem);
  return { db: pool.db, env, who: { merchantId: person.merchantId, userId: person.user.id }, person, now: time };
}
