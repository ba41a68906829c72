"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { getContext } from "@/app/context";
import { readForm, textOf } from "@/app/form-fields";
import { type FieldError, refuse } from "@/lib/domain/problems/problem";
import { REFUND_FORM, REFUND_SETTINGS_FORM } from "@/lib/domain/refunds/forms";
import type { AppError } from "@/lib/errors";
import { saveRefundSettings } from "@/lib/refunds/change-settings";
import { approveRefund, cancelRefund, reopenRefund } from "@/lib/refunds/decide-refund";
import { refundContext } from "@/lib/refunds/move-refund";
import { requestRefund as request } from "@/lib/refunds/request-refund";

type Done = { ok: true } | { errors: FieldError[] };

/** Requests a refund of an order or a transfer, and returns its id. */
export async function requestRefund(form: FormData): Promise<{ ok: { id: string } } | { errors: FieldError[] }> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, person, now } = confirmed;
  const read = readForm(form, REFUND_FORM);
  if ("errors" in read) return read;
  const orderId = textOf(form, "orderId");
  const subject =
    orderId === "" ? { orderId: null, transferId: textOf(form, "transferId") } : { orderId, transferId: null };
  const { amount, isFiat, reason, email, days } = read;
  const chosen = amount === null ? "all" : isFiat ? { fiatAmount: amount.text } : { microUnits: amount.microUnits };
  const terms = { subject, amount: chosen, reason, email, mchRefundId: null, expiresInSeconds: days * 86_400 } as const;
  try {
    const { refund } = await request(db, { ...who, role: person.role }, terms, now);
    revalidatePath("/dashboard", "layout");
    return { ok: { id: refund.id } };
  } catch (error) {
    // The server's functions are bundled twice, so that instanceof does not recognize every AppError.
    if (!(error instanceof Error) || error.name !== "AppError") throw error;
    return refuse("amount", (error as AppError).problem);
  }
}

/** Approves a claimed refund. */
export async function approve(form: FormData): Promise<Done> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, person, now } = confirmed;
  const refused = await approveRefund(
    db,
    refundContext(getContext()),
    { ...who, role: person.role },
    textOf(form, "refundId"),
    now,
  );
  return finish(refused);
}

/** Reopens a claimed refund, so that the customer can enter another address. */
export async function reopen(form: FormData): Promise<Done> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, person, now } = confirmed;
  const what = { id: textOf(form, "refundId"), reason: textOf(form, "reason") };
  return finish(await reopenRefund(db, refundContext(getContext()), { ...who, role: person.role }, what, now));
}

/** Cancels a refund that was not sent. */
export async function cancel(form: FormData): Promise<Done> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, person, now } = confirmed;
  const what = { id: textOf(form, "refundId"), reason: textOf(form, "reason") };
  return finish(await cancelRefund(db, refundContext(getContext()), { ...who, role: person.role }, what, now));
}

/** Saves the settings for refunds. */
export async function saveSettings(form: FormData): Promise<Done> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, person, now } = confirmed;
  const read = readForm(form, REFUND_SETTINGS_FORM);
  if ("errors" in read) return read;
  return finish(await saveRefundSettings(db, { ...who, role: person.role }, read, now));
}

function finish(refused: { problem: Parameters<typeof refuse>[1] } | null): Done {
  if (refused) return refuse("", refused.problem);
  revalidatePath("/dashboard", "layout");
  return { ok: true };
}
