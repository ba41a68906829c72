"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { getContext } from "@/app/context";
import { readForm, textOf } from "@/app/form-fields";
import { authenticateAction, requireMay } from "@/app/session";
import { TREASURY_FORM } from "@/lib/domain/addresses/address-forms";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import { addTreasury, tryReceivers } from "@/lib/receivers/treasuries";

type Answer<T> = Promise<{ ok: T } | { errors: FieldError[] }>;

const PAGE = "/dashboard/settings/addresses";
const GONE = problem("treasury_removed");
const ELSEWHERE = problem("network_choice_missing");

/** Adds the treasury that receivers pay, after the user entered its address twice and confirmed the password. */
export async function addReceiverTreasury(form: FormData): Answer<true> {
  const fields = readForm(form, TREASURY_FORM);
  if ("errors" in fields) return fields;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const { log } = getContext();
  const added = await addTreasury(db, { appSecret: env.appSecret, log }, { ...who, ...fields }, now);
  if ("errors" in added) return added;
  revalidatePath(PAGE);
  return { ok: true };
}

/** Starts watching a network for the trial of receivers. This action transfers no funds, so it requires no password. */
export async function tryOnNetwork(form: FormData): Answer<true> {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  const { env, pool, now } = getContext();
  const id = textOf(form, "id");
  const network = textOf(form, "network");
  if (!env.rpcUrls.has(network)) return refuse("", ELSEWHERE);
  const who = await authenticateAction(allowed.person);
  const asked = await tryReceivers(pool.db, { appSecret: env.appSecret }, { ...who, id, network }, now());
  revalidatePath(`${PAGE}/receivers/${id}`);
  if (asked === "asked") return { ok: true };
  return refuse("", asked === "gone" ? GONE : ELSEWHERE);
}
