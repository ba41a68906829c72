"use server";

import { revalidatePath } from "next/cache";
import { getContext } from "@/app/context";
import { textOf, wrong } from "@/app/form-fields";
import { requirePerson } from "@/app/session";
import { resendCallback } from "@/lib/callbacks/resend-callback";
import { mayChange } from "@/lib/domain/role";
import type { FieldError } from "@/lib/errors";

/** Sends a callback again. */
export async function resend(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const person = await requirePerson();
  if (!mayChange(person.role)) return wrong("", "Your role may look at this but not change it");
  const { pool, now } = getContext();
  const one = { merchantId: person.merchantId, callbackId: textOf(form, "callbackId"), userId: person.id };
  if (!(await resendCallback(pool.db, one, now()))) return wrong("", "It is being sent at this moment");
  revalidatePath("/dashboard/orders/[tradeId]", "page");
  return { ok: true };
}
