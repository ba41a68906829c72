"use server";

import { revalidatePath } from "next/cache";
import { confirmPayment } from "@/app/confirm-change";
import { getContext } from "@/app/context";
import { readForm, textOf } from "@/app/form-fields";
import { authenticateAction, requireMay } from "@/app/session";
import { resendCallback } from "@/lib/callbacks/resend-callback";
import { REASON_FORM } from "@/lib/domain/orders/reason";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";

type Answer = Promise<{ ok: true } | { errors: FieldError[] }>;

/** Resends a callback. */
export async function resend(form: FormData): Answer {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  const { pool, now } = getContext();
  const one = { ...(await authenticateAction(allowed.person)), callbackId: textOf(form, "callbackId") };
  if (!(await resendCallback(pool.db, one, now()))) return refuse("", problem("callback_being_sent"));
  revalidatePath("/dashboard/orders/[tradeId]", "page");
  revalidatePath("/dashboard/callbacks/[callbackId]", "page");
  return { ok: true };
}

/** Marks an order as paid, with a reason. */
export async function markPaid(form: FormData): Answer {
  const confirmed = await confirmPayment(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, person, now } = confirmed;
  const actor = { ...who, role: person.role };
  const { log, integrations } = getContext();
  const ctx = { publicUrl: env.publicUrl, log, integrations };
  const read = readForm(form, REASON_FORM);
  if ("errors" in read) return read;
  return answer(await markOrderPaid(db, ctx, actor, { orderId: textOf(form, "orderId"), ...read }, now));
}

/** Cancels an order that is waiting for its payment. */
export async function cancel(form: FormData): Answer {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  const { person } = allowed;
  const { pool, env, log, integrations, now } = getContext();
  const actor = { ...(await authenticateAction(person)), role: person.role };
  const ctx = { publicUrl: env.publicUrl, log, integrations };
  return answer(await cancelOrder(pool.db, ctx, actor, textOf(form, "orderId"), now()));
}

function answer(done: Awaited<ReturnType<typeof cancelOrder>>): { ok: true } | { errors: FieldError[] } {
  if ("problem" in done) return refuse("", done.problem);
  revalidatePath("/dashboard/orders/[tradeId]", "page");
  return { ok: true };
}
