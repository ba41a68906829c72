"use server";

import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { requirePerson } from "@/app/session";
import type { FormError } from "@/lib/errors";
import { wrong } from "@/lib/errors";
import { switchShop as go } from "@/lib/users/shops";

/** Goes to another shop of the person, whichever one the window shows. */
export async function switchShop(form: FormData): Promise<{ ok: true } | { errors: FormError[] }> {
  const person = await requirePerson();
  const isThere = await go(getContext().pool.db, person, textOf(form, "to"));
  return isThere ? { ok: true } : wrong("", "You do not belong to this shop any more. Reload the page");
}
