"use server";

import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { requirePerson } from "@/app/session";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import { switchShop as go } from "@/lib/users/shops";

/** Switches to a different shop of the user, regardless of the shop that the window shows. */
export async function switchShop(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const person = await requirePerson();
  const isThere = await go(getContext().pool.db, person, textOf(form, "to"));
  return isThere ? { ok: true } : refuse("", problem("shop_left"));
}
