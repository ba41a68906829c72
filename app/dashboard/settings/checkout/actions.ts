"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { textOf, textsOf } from "@/app/form-fields";
import { BRAND_FORM, readBrand } from "@/lib/domain/checkout/brand";
import type { FieldError } from "@/lib/domain/problems/problem";
import { changeCheckout } from "@/lib/merchants/checkout/checkout-settings";
import packageJson from "@/package.json" with { type: "json" };

/** Changes the appearance of payment pages and the sites that may embed them, after the user confirmed their identity. */
export async function saveCheckout(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const languages = form.getAll("languages").join(" ");
  const brand = readBrand({ ...textsOf(form, BRAND_FORM), languages });
  if ("errors" in brand) return brand;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const fetching = { allowCidrs: env.callbackAllowCidrs, userAgent: `Stablegate/${packageJson.version}` };
  const change = { ...who, ...brand, isLogoNew: textOf(form, "isLogoNew") === "on" };
  const answer = await changeCheckout(db, fetching, change, now);
  if (answer !== true) return answer;
  revalidatePath("/dashboard/settings/checkout");
  return { ok: true };
}
