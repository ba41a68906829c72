"use server";

import { revalidatePath } from "next/cache";
import { confirmPayment } from "@/app/confirm-change";
import { getContext } from "@/app/context";
import { readForm, textOf } from "@/app/form-fields";
import { authenticateAction, requireMay } from "@/app/session";
import type { AssignOutcome } from "@/lib/domain/callbacks/assignment";
import type { OrderStatus } from "@/lib/domain/orders/order";
import { REASON_FORM } from "@/lib/domain/orders/reason";
import { type FieldError, refuse } from "@/lib/domain/problems/problem";
import { acknowledgeLost } from "@/lib/ledger/acknowledge-lost";
import { assignTransfer, foreseeAssignment } from "@/lib/ledger/assign-transfer";
import { noteRefund } from "@/lib/ledger/note-refund";
import { unlinkTransfer } from "@/lib/ledger/unlink-transfer";
import type { Member } from "@/lib/users/session";

/** Assigns an unmatched transfer to an order, after the user confirmed the assignment. */
export async function assign(
  form: FormData,
): Promise<{ ok: { status: OrderStatus } | { changed: AssignOutcome } } | { errors: FieldError[] }> {
  const confirmed = await confirmPayment(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, person, now } = confirmed;
  const expected = textOf(form, "expected");
  const what = {
    transferId: textOf(form, "transferId"),
    orderId: textOf(form, "orderId"),
    ...(expected && { expected }),
  };
  const { log, integrations } = getContext();
  const ctx = { publicUrl: env.publicUrl, log, integrations };
  const done = await assignTransfer(db, ctx, { ...who, role: person.role }, what, now);
  if ("problem" in done) return refuse("", done.problem);
  if ("status" in done) revalidatePath("/dashboard", "layout");
  return { ok: done };
}

/** Returns the result of assigning a transfer to an order, without assigning it. */
export async function foresee(form: FormData): Promise<{ ok: AssignOutcome } | { errors: FieldError[] }> {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  const actor = await actorOf(allowed.person);
  const { pool, env, log, integrations, now } = getContext();
  const what = { transferId: textOf(form, "transferId"), orderId: textOf(form, "orderId") };
  const ctx = { publicUrl: env.publicUrl, log, integrations };
  const seen = await foreseeAssignment(pool.db, ctx, actor, what, now());
  return "problem" in seen ? refuse("", seen.problem) : { ok: seen.outcome };
}

/** Unlinks a transfer from an order that is not paid, with a reason. */
export async function unlink(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  const actor = await actorOf(allowed.person);
  const { pool, env, log, integrations, now } = getContext();
  const read = readForm(form, REASON_FORM);
  if ("errors" in read) return read;
  const what = { transferId: textOf(form, "transferId"), orderId: textOf(form, "orderId"), ...read };
  const done = await unlinkTransfer(pool.db, { publicUrl: env.publicUrl, log, integrations }, actor, what, now());
  if ("problem" in done) return refuse("", done.problem);
  revalidatePath("/dashboard", "layout");
  return { ok: true };
}

/** Acknowledges a dropped transfer, which removes it from the first page. */
export async function acknowledge(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  const actor = await actorOf(allowed.person);
  const { pool, now } = getContext();
  const refused = await acknowledgeLost(pool.db, actor, textOf(form, "transferId"), now());
  if (refused) return refuse("", refused.problem);
  revalidatePath("/dashboard", "layout");
  return { ok: true };
}

/** Records the transaction with which a transfer was refunded. */
export async function refund(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  const actor = await actorOf(allowed.person);
  const { pool, now } = getContext();
  const note = { transferId: textOf(form, "transferId"), text: textOf(form, "txId") };
  const refused = await noteRefund(pool.db, actor, note, now());
  if (refused) return refuse("txId", refused.problem);
  revalidatePath("/dashboard", "layout");
  return { ok: true };
}

async function actorOf(person: Member) {
  return { ...(await authenticateAction(person)), role: person.role };
}
