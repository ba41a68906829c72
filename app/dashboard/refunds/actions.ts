"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { getContext } from "@/app/context";
import { readForm, textOf } from "@/app/form-fields";
import { authenticateAction, requireMay } from "@/app/session";
import type { WalletRequest } from "@/lib/domain/checkout/wallet-request";
import { type FieldError, refuse } from "@/lib/domain/problems/problem";
import { BATCH_KINDS, type BatchFile } from "@/lib/domain/refunds/batch";
import { REFUND_FORM, REFUND_SETTINGS_FORM } from "@/lib/domain/refunds/forms";
import type { AppError } from "@/lib/errors";
import { saveRefundSettings } from "@/lib/refunds/change-settings";
import { approveRefund, cancelRefund, reopenRefund } from "@/lib/refunds/decide-refund";
import { refundContext } from "@/lib/refunds/move-refund";
import { beginWalletPayment, dropWalletPayment, noteWalletPayment } from "@/lib/refunds/pay-by-wallet";
import { requestRefund as request } from "@/lib/refunds/request-refund";
import { writeBatch } from "@/lib/refunds/write-batch";

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
  const acceptsListed = textOf(form, "acceptsListed") === "yes";
  const actor = { ...who, role: person.role };
  const ctx = refundContext(getContext());
  return finish(await approveRefund(db, ctx, actor, textOf(form, "refundId"), now, { acceptsListed }));
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

/** A request to a wallet, and the time (ISO 8601) at which it was recorded. */
interface WalletAnswer {
  request: WalletRequest;
  askedAt: string | null;
}

/**
 * Returns the request to a wallet for an approved refund. With the account of the wallet, it is recorded that the refund is being paid.
 */
export async function beginPayment(form: FormData): Promise<{ ok: WalletAnswer } | { errors: FieldError[] }> {
  const allowed = await actorOf(form);
  if ("errors" in allowed) return allowed;
  const { db, env, actor, now } = allowed;
  const payment = {
    id: textOf(form, "refundId"),
    mark: textOf(form, "mark"),
    isAgain: textOf(form, "isAgain") === "yes",
    account: textOf(form, "account") || null,
  };
  const started = await beginWalletPayment(db, env, actor, payment, now);
  if ("problem" in started) return refuse("", started.problem);
  return { ok: { request: started.request, askedAt: started.askedAt?.toISOString() ?? null } };
}

/** Records the transaction that a wallet returned for a refund. */
export async function notePayment(form: FormData): Promise<Done> {
  const allowed = await actorOf(form);
  if ("errors" in allowed) return allowed;
  const { db, actor, now } = allowed;
  const payment = { id: textOf(form, "refundId"), text: textOf(form, "txId") };
  return finish(await noteWalletPayment(db, actor, payment, now));
}

/** Removes the record of a payment that its user declined in the wallet. */
export async function dropPayment(form: FormData): Promise<Done> {
  const allowed = await actorOf(form);
  if ("errors" in allowed) return allowed;
  const { db, actor } = allowed;
  const payment = { id: textOf(form, "refundId"), askedAt: new Date(textOf(form, "askedAt")) };
  return finish(await dropWalletPayment(db, actor, payment));
}

/** Returns a file with the payments of the selected refunds, and records that they are in a file. */
export async function writeBatchFile(form: FormData): Promise<{ ok: BatchFile } | { errors: FieldError[] }> {
  const allowed = await actorOf(form);
  if ("errors" in allowed) return allowed;
  const { db, env, actor, now } = allowed;
  const refunds = form.getAll("refund").map((value) => {
    const [id = "", mark = ""] = String(value).split(" ");
    return { id, mark };
  });
  const typed = textOf(form, "kind");
  const batch = {
    network: textOf(form, "network"),
    kind: BATCH_KINDS.find((kind) => kind === typed) ?? "csv",
    refunds,
    from: textOf(form, "from"),
    isAgain: textOf(form, "isAgain") === "yes",
  };
  const written = await writeBatch(db, env, actor, batch, now);
  if ("problem" in written) return refuse(written.field, written.problem);
  revalidatePath("/dashboard", "layout");
  return { ok: written.file };
}

async function actorOf(form: FormData) {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  const { env, pool, now } = getContext();
  const who = await authenticateAction(allowed.person);
  return { db: pool.db, env, actor: { ...who, role: allowed.person.role }, now: now() };
}

function finish(refused: { problem: Parameters<typeof refuse>[1] } | null): Done {
  if (refused) return refuse("", refused.problem);
  revalidatePath("/dashboard", "layout");
  return { ok: true };
}
