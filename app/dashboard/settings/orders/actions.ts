"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { textsOf } from "@/app/form-fields";
import { ORDER_TERMS_FORM } from "@/lib/domain/orders/terms-form";
import type { FieldError } from "@/lib/domain/problems/problem";
import { setOrderTerms } from "@/lib/merchants/order-terms";

/** Sets the terms of orders after the user confirmed their identity, because the terms affect the matching of payments to orders. */
export async function saveOrderTerms(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  const fields = textsOf(form, ORDER_TERMS_FORM);
  const names = (name: string) => form.getAll(name).map(String);
  const methods = { listed: names("listed"), offered: names("offered") };
  const linksShortPayments = String(form.get("linksShortPayments") === "true");
  const answer = await setOrderTerms(db, { ...who, ...fields, linksShortPayments, methods }, now);
  if (answer !== true) return answer;
  revalidatePath("/dashboard/settings/orders");
  return { ok: true };
}
