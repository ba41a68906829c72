"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { textOf } from "@/app/form-fields";
import type { FieldError } from "@/lib/domain/problems/problem";
import { setPriceDecimals, setPrice as setTo, validatePrice } from "@/lib/merchants/prices";

type Answer = Promise<{ ok: true } | { errors: FieldError[] }>;

const PAGE = "/dashboard/settings/prices";

/** Sets how prices in a currency are counted, once the password is confirmed. */
export async function setPrice(form: FormData): Answer {
  const fields = {
    fiat: textOf(form, "fiat"),
    mode: textOf(form, "mode"),
    markUp: textOf(form, "markUp"),
    fixedRate: textOf(form, "fixedRate"),
  };
  const validated = validatePrice(fields);
  if ("errors" in validated) return validated;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  const answer = await setTo(db, { ...who, ...fields }, now);
  if (answer !== true) return answer;
  revalidatePath(PAGE);
  return { ok: true };
}

/** Sets how many decimals amounts have that prices come to, once the password is confirmed. */
export async function setDecimals(form: FormData): Answer {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  const answer = await setPriceDecimals(db, { ...who, text: textOf(form, "decimals") }, now);
  if (answer !== true) return answer;
  revalidatePath(PAGE);
  return { ok: true };
}
