"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { getContext } from "@/app/context";
import { readForm, textOf } from "@/app/form-fields";
import { requireMay } from "@/app/session";
import {
  LABEL_FORM,
  LIMIT_FORM,
  NEW_ADDRESS_FORM,
  NEW_ADDRESS_LIST_FORM,
  PUBLIC_KEY_FORM,
} from "@/lib/domain/addresses/address-forms";
import { ownershipText, SIGN_WITHIN_MS } from "@/lib/domain/addresses/ownership";
import { deriveAddresses, firstAddresses, type XpubFamily } from "@/lib/domain/addresses/xpub";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import { addAddressList as addList, type LineProblem } from "@/lib/merchants/add-address-list";
import { addSource, limitSource, removeSource } from "@/lib/merchants/address-sources";
import {
  addAddress as add,
  labelAddress as label,
  pauseAddress as pause,
  removeAddress as remove,
  resumeAddress as resume,
} from "@/lib/merchants/addresses";
import { readConfirmations, setMerchantWait } from "@/lib/merchants/confirmations";

type Answer<T> = Promise<{ ok: T } | { errors: FieldError[] }>;

const PAGE = "/dashboard/settings/addresses";
const INTEGRITY_FAILED = problem("address_tampered");
const GONE = problem("address_removed");

/** Adds a receiving address after the user entered it twice and confirmed the password. */
export async function addAddress(form: FormData): Answer<true> {
  const fields = readForm(form, NEW_ADDRESS_FORM);
  if ("errors" in fields) return fields;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const added = await add(db, env, { ...who, ...fields, network: fields.network.id }, now);
  if ("errors" in added) return added;
  revalidatePath(PAGE);
  return { ok: true };
}

/** The result of a pasted list: the number of added addresses, or the lines with errors. */
export interface ListValidation {
  added: number;
  /** The number of valid lines if other lines have errors; 0 once they have been added. */
  good: number;
  problems: LineProblem[];
}

/**
 * Adds a pasted list of addresses after the user confirmed the password. With errors, it adds the valid lines only if
 * the user accepts that.
 */
export async function addAddressList(form: FormData): Answer<ListValidation> {
  const fields = readForm(form, NEW_ADDRESS_LIST_FORM);
  if ("errors" in fields) return fields;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const answer = await addList(db, env, { ...who, ...fields }, now);
  revalidatePath(PAGE);
  return { ok: { added: 0, good: 0, ...answer } };
}

/**
 * The first addresses of a public key, for comparison before the key is added, and the message that the first address can sign. All are
 * empty once the key has been added.
 */
export interface KeyPreview {
  first: string[];
  text: string;
  /** The expiry of the message, in Unix milliseconds. */
  until: number;
}

/**
 * Returns the first addresses of a public key. Adds the key once the user has confirmed the password and that the addresses belong to
 * their wallet.
 */
export async function addPublicKey(form: FormData): Answer<KeyPreview> {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  const fields = readForm(form, PUBLIC_KEY_FORM);
  if ("errors" in fields) return fields;
  const { env, now } = getContext();
  if (!fields.networks.every((id) => env.rpcUrls.has(id)))
    return refuse("networks", problem("networks_choice_unknown"));
  const { merchantName: shop } = allowed.person;
  const { publicUrl } = env;
  if (textOf(form, "isCompared") !== "true")
    return { ok: previewOf(fields.family, fields.xpub, { shop, publicUrl }, now()) };
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who } = confirmed;
  const { log } = getContext();
  const signature = textOf(form, "signature").trim();
  const until = Number(textOf(form, "until"));
  const proof = signature === "" ? {} : { proof: { shop, publicUrl, until, signature } };
  const added = await addSource(db, { appSecret: env.appSecret, log }, { ...who, ...fields, ...proof }, confirmed.now);
  if ("errors" in added) return added;
  revalidatePath(PAGE);
  return { ok: { first: [], text: "", until: 0 } };
}

function previewOf(
  family: XpubFamily,
  xpub: string,
  where: { shop: string; publicUrl: string },
  now: Date,
): KeyPreview {
  const [address = ""] = deriveAddresses(family, xpub, 0, 1);
  const until = now.getTime() + SIGN_WITHIN_MS;
  return { first: firstAddresses(family, xpub), text: ownershipText({ ...where, family, address, until }), until };
}

/** Changes the maximum number of addresses of a public key, after the user confirmed the password. */
export async function limitPublicKey(form: FormData): Answer<true> {
  const read = readForm(form, LIMIT_FORM);
  if ("errors" in read) return read;
  return change(form, (db, one, now) => limitSource(db, { ...one, ...read }, now));
}

/** Removes a public key with its addresses, after the user confirmed the password. */
export async function removePublicKey(form: FormData): Answer<true> {
  return change(form, removeSource);
}

/**
 * Sets the minimum number of confirmations for payments on a network, or the minimum time to wait for them, after the user confirmed the
 * password.
 */
export async function changeConfirmations(form: FormData): Answer<true> {
  const fields = { network: textOf(form, "network"), text: textOf(form, "confirmations") };
  const checked = readConfirmations(fields);
  if ("errors" in checked) return checked;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  const answer = await setMerchantWait(db, { ...who, ...fields }, now);
  if ("errors" in answer) return answer;
  revalidatePath(PAGE);
  return { ok: true };
}

/** Pauses an address, so that new orders do not use it, after the user confirmed the password. */
export async function pauseAddress(form: FormData): Answer<true> {
  return change(form, pause);
}

/** Resumes a paused address, after the user confirmed the password. */
export async function resumeAddress(form: FormData): Answer<true> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const answer = await resume(db, env, { ...who, id: textOf(form, "id") }, now);
  revalidatePath(PAGE);
  if (answer === "resumed") return { ok: true };
  return refuse("", answer === "gone" ? GONE : INTEGRITY_FAILED);
}

/** Labels an address, after the user confirmed the password. */
export async function labelAddress(form: FormData): Answer<true> {
  const read = readForm(form, LABEL_FORM);
  if ("errors" in read) return read;
  return change(form, (db, one, now) => label(db, { ...one, ...read }, now));
}

/** Removes an address, after the user confirmed the password. */
export async function removeAddress(form: FormData): Answer<true> {
  return change(form, remove);
}

async function change(form: FormData, run: typeof remove): Answer<true> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const isDone = await run(confirmed.db, { ...confirmed.who, id: textOf(form, "id") }, confirmed.now);
  revalidatePath(PAGE);
  return isDone ? { ok: true } : refuse("", GONE);
}
