"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { getContext } from "@/app/context";
import { readForm } from "@/app/form-fields";
import { requireMay } from "@/app/session";
import { CONTACT_FORM } from "@/lib/domain/checkout/brand";
import { SETTLE_FORM } from "@/lib/domain/onboarding/first-steps";
import type { FieldError } from "@/lib/domain/problems/problem";
import { changeContact } from "@/lib/merchants/checkout/checkout-settings";
import { settleStep } from "@/lib/merchants/first-steps";

type Answer = Promise<{ ok: true } | { errors: FieldError[] }>;

/** Marks a first step as done, or skips it. */
export async function settle(form: FormData): Answer {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  const read = readForm(form, SETTLE_FORM);
  if ("errors" in read) return read;
  await settleStep(getContext().pool.db, allowed.person.merchantId, read.step);
  revalidatePath("/dashboard");
  return { ok: true };
}

/** Changes the contact that payment pages show, after the user confirmed their identity. */
export async function saveContact(form: FormData): Answer {
  const read = readForm(form, CONTACT_FORM);
  if ("errors" in read) return read;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  await changeContact(db, { ...who, ...read }, now);
  revalidatePath("/dashboard");
  return { ok: true };
}
