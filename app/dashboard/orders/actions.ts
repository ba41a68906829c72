"use server";

import { revalidatePath } from "next/cache";
import { getContext } from "@/app/context";
import { wrong } from "@/app/form-fields";
import { requirePerson } from "@/app/session";
import { resendFailedCallbacks } from "@/lib/callbacks/resend-callback";
import { MAY_ONLY_LOOK, mayChange } from "@/lib/domain/keys/role";
import type { FieldError } from "@/lib/errors";

/** Sends again every callback of the merchant that has failed until now. Answers how many. */
export async function resendAllFailed(): Promise<{ ok: number } | { errors: FieldError[] }> {
  const { id: userId, merchantId, role } = await requirePerson();
  if (!mayChange(role)) return wrong("", MAY_ONLY_LOOK);
  const { pool, now } = getContext();
  const until = now();
  const count = await resendFailedCallbacks(pool.db, { merchantId, userId, from: new Date(0), until }, until);
  revalidatePath("/dashboard/orders");
  return { ok: count };
}
