"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { textOf } from "@/app/form-fields";
import type { FieldError } from "@/lib/errors";
import { setOrderTerms } from "@/lib/merchants/order-terms";

/** Sets how long orders wait, once the person proved again who they are: it decides whose a late payment is. */
export async function saveOrderTerms(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  const fields = { expiresIn: textOf(form, "expiresIn"), lateWindow: textOf(form, "lateWindow") };
  const answer = await setOrderTerms(db, { ...who, ...fields }, now);
  if (answer !== true) return answer;
  revalidatePath("/dashboard/settings/orders");
  return { ok: true };
}
