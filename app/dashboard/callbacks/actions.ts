"use server";

import { revalidatePath } from "next/cache";
import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { authenticateAction, requireMay } from "@/app/session";
import { resendFailedCallbacks } from "@/lib/callbacks/resend-callback";
import { callbackFilter } from "@/lib/domain/callbacks/filter";
import type { FieldError } from "@/lib/domain/problems/problem";

/** Resends the failed callbacks that match the filter in the list's URL. Returns their number. */
export async function resendFailed(form: FormData): Promise<{ ok: number } | { errors: FieldError[] }> {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  const { pool, now } = getContext();
  const filter = callbackFilter.parse(Object.fromEntries(new URLSearchParams(textOf(form, "filter"))));
  const count = await resendFailedCallbacks(pool.db, { ...(await authenticateAction(allowed.person)), filter }, now());
  revalidatePath("/dashboard/callbacks");
  return { ok: count };
}
