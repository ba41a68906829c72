"use server";

import { revalidatePath } from "next/cache";
import { getContext } from "@/app/context";
import { requireMay } from "@/app/session";
import { resendFailedCallbacks } from "@/lib/callbacks/resend-callback";
import type { FieldError } from "@/lib/errors";

/** Sends again every callback of the merchant that has failed until now. Answers how many. */
export async function resendAllFailed(form: FormData): Promise<{ ok: number } | { errors: FieldError[] }> {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  const { user, merchantId } = allowed.person;
  const { pool, now } = getContext();
  const until = now();
  const count = await resendFailedCallbacks(pool.db, { merchantId, userId: user.id, from: new Date(0), until }, until);
  revalidatePath("/dashboard/orders");
  return { ok: count };
}
