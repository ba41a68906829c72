"use server";

import { revalidatePath } from "next/cache";
import { getContext } from "@/app/context";
import { requireMay } from "@/app/session";
import type { FieldError } from "@/lib/domain/problems/problem";
import { askBalances, nextAskAt, readBalances } from "@/lib/reports/balances";

/** Requests that the workers read the on-chain balances of the shop's addresses, without waiting for the result. */
export async function readChainBalances(
  form: FormData,
): Promise<{ ok: { asked: number; again: string | null } } | { errors: FieldError[] }> {
  const allowed = await requireMay("look", form);
  if ("errors" in allowed) return allowed;
  const { merchantId } = allowed.person;
  const { env, pool, now } = getContext();
  const isOn = new Set(env.rpcUrls.keys());
  const asked = await askBalances(pool.db, isOn, merchantId, now());
  const next = asked > 0 ? null : nextAskAt(await readBalances(pool.db, isOn, merchantId), now());
  revalidatePath("/dashboard/reports");
  return { ok: { asked, again: next?.toISOString() ?? null } };
}
