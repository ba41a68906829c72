"use server";

import { revalidatePath } from "next/cache";
import { getContext } from "@/app/context";
import { requireMay } from "@/app/session";
import type { FieldError } from "@/lib/domain/problems/problem";
import { askSweepable } from "@/lib/receivers/sweeping";

/**
 * Requests that the workers read the balances of the shop's receivers and derived addresses, without waiting for the
 * result.
 */
export async function readSweepable(form: FormData): Promise<{ ok: { asked: number } } | { errors: FieldError[] }> {
  const allowed = await requireMay("look", form);
  if ("errors" in allowed) return allowed;
  const { env, pool, now } = getContext();
  const asked = await askSweepable(pool.db, new Set(env.rpcUrls.keys()), allowed.person.merchantId, now());
  revalidatePath("/dashboard/settings/addresses/sweeping");
  return { ok: { asked } };
}
