import { getContext } from "@/app/context";
import { textOf, wrong } from "@/app/form-fields";
import { requirePerson } from "@/app/session";
import type { Db } from "@/db/client";
import type { Env } from "@/lib/env";
import type { FieldError } from "@/lib/errors";
import { confirmPerson } from "@/lib/people/confirm-person";

interface Confirmed {
  db: Db;
  env: Env;
  /** Whose change it is. */
  who: { merchantId: string; userId: string };
  now: Date;
}

/** Checks, before keys or addresses change, that the person is signed in, may change them and typed the password again. */
export async function confirmChange(form: FormData): Promise<Confirmed | { errors: FieldError[] }> {
  const person = await requirePerson();
  const { env, pool, now } = getContext();
  const time = now();
  const claim = { userId: person.id, epoch: person.sessionEpoch };
  const problem = await confirmPerson(pool.db, claim, textOf(form, "password"), time);
  if (problem) return wrong("password", problem);
  return { db: pool.db, env, who: { merchantId: person.merchantId, userId: person.id }, now: time };
}
