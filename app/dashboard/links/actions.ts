"use server";

import { revalidatePath } from "next/cache";
import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { authenticateAction, requireMay } from "@/app/session";
import { typedAmount } from "@/lib/domain/links/link";
import { CURRENCIES } from "@/lib/domain/networks";
import { type FieldError, fieldError, problem, refuse } from "@/lib/domain/problems/problem";
import type { AppError } from "@/lib/errors";
import { readLinkRequest } from "@/lib/http/read-link-request";
import { closeLink, createLink, type LinkRequest } from "@/lib/links/create-link";

const DAY_MS = 86_400_000;

/** The fields of the form by their API names. */
const FORM_FIELDS: Readonly<Record<string, string>> = {
  fiat: "unit",
  fiat_amount: "amount",
  currency: "unit",
  min_amount: "min",
  max_amount: "max",
  note_label: "noteLabel",
  expires_in: "expires",
  max_uses: "maxUses",
};

/** Creates a payment link, and returns its id. A form that is submitted twice creates one link. */
export async function createPaymentLink(form: FormData): Promise<{ ok: { id: string } } | { errors: FieldError[] }> {
  const allowed = await actorOf(form);
  if ("errors" in allowed) return allowed;
  const { db, env, orders, actor, now } = allowed;
  const isOpen = textOf(form, "kind") === "open";
  if (!isOpen && textOf(form, "amount").trim() === "") return refuse("amount", problem("link_amount_missing"));
  const end = endOf(form);
  if (end && !(end > now)) return refuse("lastDay", problem("link_date_malformed"));
  try {
    const request: LinkRequest = readLinkRequest(toRequest(form, isOpen), { env });
    if (end) request.expires = { at: end };
    const { link } = await createLink(db, { ...orders, env }, actor, request, now);
    revalidatePath("/dashboard", "layout");
    return { ok: { id: link.id } };
  } catch (error) {
    return refused(error);
  }
}

/** Closes a payment link. */
export async function closePaymentLink(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const allowed = await actorOf(form);
  if ("errors" in allowed) return allowed;
  try {
    await closeLink(allowed.db, allowed.actor, { id: textOf(form, "linkId") }, allowed.now);
    revalidatePath("/dashboard", "layout");
    return { ok: true };
  } catch (error) {
    return refused(error);
  }
}

async function actorOf(form: FormData) {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  const { env, orders, pool, now } = getContext();
  const who = await authenticateAction(allowed.person);
  return { db: pool.db, env, orders, actor: { ...who, role: allowed.person.role }, now: now() };
}

/** Returns the end of the last day in UTC; an invalid date if it is malformed; null if the form has none. */
function endOf(form: FormData): Date | null {
  if (textOf(form, "expires") !== "date") return null;
  return new Date(new Date(`${textOf(form, "lastDay")}T00:00:00Z`).getTime() + DAY_MS);
}

function toRequest(form: FormData, isOpen: boolean): Record<string, string> {
  const unit = textOf(form, "unit");
  const isToken = CURRENCIES.some((currency) => currency === unit);
  const amountOf = (name: string) => typedAmount(textOf(form, name));
  const expires = textOf(form, "expires");
  const fields = {
    ...(isToken ? { currency: unit } : { fiat: unit }),
    ...(isOpen
      ? { min_amount: amountOf("min"), max_amount: amountOf("max") }
      : { [isToken ? "amount" : "fiat_amount"]: amountOf("amount") }),
    network: textOf(form, "network"),
    subject: textOf(form, "subject").trim(),
    note_label: textOf(form, "noteLabel").trim(),
    max_uses: textOf(form, "maxUses").trim(),
    mch_link_id: textOf(form, "madeUp"),
    expires_in: expires === "date" ? "0" : expires,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ""));
}

/** Returns the errors of the form. Their messages use the field names of the API. */
function refused(error: unknown): { errors: FieldError[] } {
  // The server's functions are bundled twice, so that instanceof does not recognize every AppError.
  if (!(error instanceof Error) || error.name !== "AppError") throw error;
  const { errors, problem: reason } = error as AppError;
  if (!errors || errors.length === 0) return refuse("", reason);
  return {
    errors: errors.map(({ field, code, params }) => ({
      ...fieldError(FORM_FIELDS[field] ?? field, { code, params: { field, ...params } }),
    })),
  };
}
