import { textOf } from "@/app/form-fields";
import { officeContext, requireMay, whoIs } from "@/app/session";
import type { Db } from "@/db/client";
import type { Need } from "@/lib/domain/keys/role";
import type { Place } from "@/lib/domain/people/place";
import type { Env } from "@/lib/env";
import type { FieldError } from "@/lib/errors";
import { confirmPerson } from "@/lib/people/confirm-person";
import type { Member } from "@/lib/people/session";

interface Confirmed {
  db: Db;
  env: Env;
  /** Whose change it is. */
  who: { merchantId: string; userId: string; from: Place };
  person: Member;
  now: Date;
}

/** Checks, before keys, addresses or people change, that the person is signed in, may change them and proved again who they are. */
export async function confirmChange(
  form: FormData,
  need: Need = "work",
  options: { mayLackFactor?: true } = {},
): Promise<Confirmed | { errors: FieldError[] }> {
  const allowed = await requireMay(need, form, options);
  if ("errors" in allowed) return allowed;
  const { person } = allowed;
  const { env, pool, now } = await officeContext();
  const time = now();
  const [password, code, passkey] = [textOf(form, "password"), textOf(form, "code"), textOf(form, "passkey")];
  const who = await whoIs(person);
  const error = await confirmPerson(pool.db, env, person, { need, password, code, passkey, from: who.from }, time);
  if (error) return { errors: [error] };
  return { db: pool.db, env, who, person, now: time };
}
