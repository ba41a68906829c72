"use server";

import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { authenticateAction, requireMay } from "@/app/session";
import { CURRENCIES } from "@/lib/domain/networks";
import { type FieldError, refuse } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { readCheckoutRequest } from "@/lib/http/read-order-request";
import { createCheckout } from "@/lib/orders/create-checkout";

/** The details of an order that a user needs to request its payment. */
export interface MadeLink {
  tradeId: string;
  number: string;
  url: string;
  /** True if the same form was submitted before. */
  isReplayed: boolean;
}

/** The fields of the form by their API names. */
const FORM_FIELDS: Readonly<Record<string, string>> = {
  fiat: "unit",
  fiat_amount: "amount",
  currency: "unit",
  mch_order_id: "ownNumber",
  expires_in: "expiresIn",
};

/** Creates an order as order/checkout does, and returns its link. A form that is submitted twice creates one order. */
export async function createPaymentLink(form: FormData): Promise<{ ok: MadeLink } | { errors: FieldError[] }> {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  const { pool, env, orders, now } = getContext();
  const caller = { ...(await authenticateAction(allowed.person)), apiKeyId: null } as const;
  try {
    const request = readCheckoutRequest(toRequest(form), { env });
    const { order, isReplayed } = await createCheckout(pool.db, { ...orders, env }, caller, request, now());
    return { ok: { tradeId: order.id, number: order.mchOrderId, url: `${env.publicUrl}/pay/${order.id}`, isReplayed } };
  } catch (error) {
    if (error instanceof AppError) return refused(error);
    throw error;
  }
}

function toRequest(form: FormData): Record<string, string> {
  const unit = textOf(form, "unit");
  const amount = textOf(form, "amount").trim();
  const isToken = CURRENCIES.some((currency) => currency === unit);
  const fields = {
    ...(isToken ? { currency: unit, amount } : { fiat: unit, fiat_amount: amount }),
    network: textOf(form, "network"),
    mch_order_id: textOf(form, "ownNumber").trim() || textOf(form, "madeUp"),
    subject: textOf(form, "subject").trim(),
    expires_in: textOf(form, "expiresIn"),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ""));
}

/** Returns the errors of the form. Their messages use the field names of the API. */
function refused({ errors, problem }: AppError): { errors: FieldError[] } {
  if (!errors || errors.length === 0) return refuse("", problem);
  return {
    errors: errors.map(({ field, code, params }) => ({
      field: FORM_FIELDS[field] ?? field,
      code,
      params: { field, ...params },
    })),
  };
}
