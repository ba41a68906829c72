"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { textOf, wrong } from "@/app/form-fields";
import type { FieldError } from "@/lib/errors";
import {
  addAddress as add,
  judgeLabel,
  labelAddress as label,
  pauseAddress as pause,
  removeAddress as remove,
} from "@/lib/merchants/addresses";

type Answer<T> = Promise<{ ok: T } | { errors: FieldError[] }>;

const PAGE = "/dashboard/settings/addresses";
const GONE = "This address was removed already. Reload the page";

/** Adds a receiving address that was pasted twice alike, once the password is confirmed. */
export async function addAddress(form: FormData): Answer<true> {
  const [address, again] = [textOf(form, "address").trim(), textOf(form, "again").trim()];
  if (!address) return wrong("address", "Paste the address from your wallet");
  if (address !== again)
    return wrong("again", again ? "This is not the same address. Copy it from your wallet again" : "Paste it again");
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const kind = textOf(form, "kind") === "dedicated" ? "dedicated" : "shared";
  const fields = { ...who, network: textOf(form, "network"), address, kind, label: textOf(form, "label") } as const;
  const added = await add(db, env, fields, now);
  if ("errors" in added) return added;
  revalidatePath(PAGE);
  return { ok: true };
}

/** Takes an address out of the offer, or puts it back, once the password is confirmed. */
export async function pauseAddress(form: FormData): Answer<true> {
  const isPaused = textOf(form, "isPaused") === "true";
  return change(form, (db, one, now) => pause(db, { ...one, isPaused }, now));
}

/** Labels an address, once the password is confirmed. */
export async function labelAddress(form: FormData): Answer<true> {
  const text = textOf(form, "label");
  const problem = judgeLabel(text);
  if (problem) return wrong("label", problem);
  return change(form, (db, one, now) => label(db, { ...one, label: text }, now));
}

/** Removes an address, once the password is confirmed. */
export async function removeAddress(form: FormData): Answer<true> {
  return change(form, remove);
}

async function change(form: FormData, run: typeof remove): Answer<true> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const isDone = await run(confirmed.db, { ...confirmed.who, id: textOf(form, "id") }, confirmed.now);
  revalidatePath(PAGE);
  return isDone ? { ok: true } : wrong("", GONE);
}
