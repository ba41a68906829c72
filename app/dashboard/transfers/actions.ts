"use server";

import { revalidatePath } from "next/cache";
import { getContext } from "@/app/context";
import { textOf, wrong } from "@/app/form-fields";
import { requirePerson } from "@/app/session";
import type { OrderStatus } from "@/lib/domain/order";
import type { FieldError } from "@/lib/errors";
import { assignTransfer } from "@/lib/orders/assign-transfer";

/** Gives an unmatched transfer to an order, once a person confirmed it. */
export async function assign(form: FormData): Promise<{ ok: OrderStatus } | { errors: FieldError[] }> {
  const { id: userId, merchantId, role } = await requirePerson();
  const { pool, env, log, now } = getContext();
  const what = { transferId: textOf(form, "transferId"), orderId: textOf(form, "orderId") };
  const ctx = { publicUrl: env.publicUrl, log };
  const done = await assignTransfer(pool.db, ctx, { userId, merchantId, role }, what, now());
  if ("problem" in done) return wrong("", done.problem);
  revalidatePath("/dashboard", "layout");
  return { ok: done.status };
}
