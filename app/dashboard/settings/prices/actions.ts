"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { readForm, textsOf } from "@/app/form-fields";
import type { FieldError } from "@/lib/domain/problems/problem";
import { PRICE_DECIMALS_FORM, PRICE_FORM, readPriceForm } from "@/lib/domain/rates/price-form";
import { setPriceDecimals, setPrice as setTo } from "@/lib/merchants/prices";

type Answer = Promise<{ ok: true } | { errors: FieldError[] }>;

const PAGE = "/dashboard/settings/prices";

/** Sets the conversion of prices in a currency, after the user confirmed their identity. */
export async function setPrice(form: FormData): Answer {
  const price = readPriceForm(textsOf(form, PRICE_FORM));
  if ("errors" in price) return price;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  await setTo(db, { ...who, ...price }, now);
  revalidatePath(PAGE);
  return { ok: true };
}

/** Sets the number of decimals of converted amounts, after the user confirmed their identity. */
export async function setDecimals(form: FormData): Answer {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const read = readForm(form, PRICE_DECIMALS_FORM);
  if ("errors" in read) return read;
  const { db, who, now } = confirmed;
  await setPriceDecimals(db, { ...who, ...read }, now);
  revalidatePath(PAGE);
  return { ok: true };
}
