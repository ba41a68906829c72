"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { textOf } from "@/app/form-fields";
import { readBrand } from "@/lib/domain/checkout/brand";
import type { FieldError } from "@/lib/domain/problems/problem";
import { changeCheckout } from "@/lib/merchants/checkout/checkout-settings";
import packageJson from "@/package.json" with { type: "json" };

/** Changes how payment pages look and where they may be shown, once the password is confirmed. */
export async function saveCheckout(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const fields = {
    shownName: textOf(form, "shownName"),
    accent: textOf(form, "accent"),
    logoUrl: textOf(form, "logoUrl"),
    supportUrl: textOf(form, "supportUrl"),
    frameParents: textOf(form, "frameParents"),
    languages: form.getAll("languages").join(" "),
  };
  const read = readBrand(fields);
  if ("errors" in read) return read;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const fetching = { allowCidrs: env.callbackAllowCidrs, userAgent: `Stablegate/${packageJson.version}` };
  const change = { ...who, ...fields, isLogoNew: textOf(form, "isLogoNew") === "on" };
  const answer = await changeCheckout(db, fetching, change, now);
  if (answer !== true) return answer;
  revalidatePath("/dashboard/settings/checkout");
  return { ok: true };
}
