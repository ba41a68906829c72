"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { textOf } from "@/app/form-fields";
import type { FieldError } from "@/lib/domain/problems/problem";
import { setOrderTerms } from "@/lib/merchants/order-terms";

const FIELDS = [
  ...(["expiresIn", "lateWindow", "settledHold", "leastAmount", "mostAmount"] as const),
  ...(["tolerancePercent", "toleranceAmount", "unpaidDays"] as const),
];

/** Sets what orders may ask for and how long they wait, once the person proved again who they are: it decides whose a payment is. */
export async function saveOrderTerms(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  const fields = Object.fromEntries(FIELDS.filter((name) => form.has(name)).map((name) => [name, textOf(form, name)]));
  const names = (name: string) => form.getAll(name).map(String);
  const methods = { listed: names("listed"), offered: names("offered") };
  const answer = await setOrderTerms(db, { ...who, ...fields, methods }, now);
  if (answer !== true) return answer;
  revalidatePath("/dashboard/settings/orders");
  return { ok: true };
}
