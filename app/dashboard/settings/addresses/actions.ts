"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { requireMay } from "@/app/session";
import { ownershipText, SIGN_WITHIN_MS } from "@/lib/domain/addresses/ownership";
import { deriveAddresses, firstAddresses, type XpubFamily } from "@/lib/domain/addresses/xpub";
import { findNetwork } from "@/lib/domain/networks";
import { type FieldError, fieldError, problem, refuse } from "@/lib/domain/problems/problem";
import { addAddressList as addList, type LineProblem, validateList } from "@/lib/merchants/add-address-list";
import {
  addSource,
  limitSource,
  removeSource,
  type SourceForm,
  validateMost,
  validateSource,
} from "@/lib/merchants/address-sources";
import {
  addAddress as add,
  labelAddress as label,
  pauseAddress as pause,
  removeAddress as remove,
  resumeAddress as resume,
  validateAddressForm,
  validateLabel,
} from "@/lib/merchants/addresses";
import { setMerchantWait, validateConfirmations } from "@/lib/merchants/confirmations";

type Answer<T> = Promise<{ ok: T } | { errors: FieldError[] }>;

const PAGE = "/dashboard/settings/addresses";
const TAMPERED = problem("address_tampered");
const GONE = problem("address_removed");

/** Adds a receiving address that was pasted twice alike, once the password is confirmed. */
export async function addAddress(form: FormData): Answer<true> {
  const fields = {
    network: textOf(form, "network"),
    address: textOf(form, "address").trim(),
    label: textOf(form, "label"),
    kind: textOf(form, "kind") === "dedicated" ? "dedicated" : "shared",
  } as const;
  const errors = validatePasted(fields, textOf(form, "again").trim());
  if (errors.length > 0) return { errors };
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const added = await add(db, env, { ...who, ...fields }, now);
  if ("errors" in added) return added;
  revalidatePath(PAGE);
  return { ok: true };
}

function validatePasted(fields: Parameters<typeof validateAddressForm>[0], again: string): FieldError[] {
  if (!fields.address) return refuse("address", problem("address_missing")).errors;
  const checked = validateAddressForm(fields);
  const errors = "errors" in checked ? checked.errors : [];
  if (fields.address === again) return errors;
  const code = again ? "address_repeat_differs" : "address_repeat_missing";
  return [...errors, fieldError("again", problem(code))];
}

/** What a person is told of a pasted list: how many were added, or what is wrong with which lines. */
export interface ListValidation {
  added: number;
  /** Lines that could be added although others cannot; 0 once they were. */
  good: number;
  problems: LineProblem[];
}

/** Adds a pasted list of addresses, once the password is confirmed; with problems, only when the person accepts the good lines. */
export async function addAddressList(form: FormData): Answer<ListValidation> {
  const fields = {
    network: textOf(form, "network"),
    text: textOf(form, "text"),
    label: textOf(form, "label"),
    kind: textOf(form, "kind") === "shared" ? "shared" : "dedicated",
    isPartial: textOf(form, "isPartial") === "true",
  } as const;
  const checked = validateList(fields);
  if ("errors" in checked) return checked;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const answer = await addList(db, env, { ...who, ...fields }, now);
  if ("errors" in answer) return answer;
  revalidatePath(PAGE);
  return { ok: { added: 0, good: 0, ...answer } };
}

/** What a person compares before a public key is added: its first addresses, none once it was; and what the first of them may sign. */
export interface KeyPreview {
  first: string[];
  text: string;
  /** Unix milliseconds. */
  until: number;
}

/** Shows the first addresses of a public key; adds it once the person says that they are their wallet's, and the password is confirmed. */
export async function addPublicKey(form: FormData): Answer<KeyPreview> {
  const allowed = await requireMay("work", form);
  if ("errors" in allowed) return allowed;
  const fields = readKeyForm(form);
  const checked = validateSource(fields);
  if ("errors" in checked) return checked;
  const { env, now } = getContext();
  if (!fields.networks.every((id) => env.rpcUrls.has(id)))
    return refuse("networks", problem("networks_choice_unknown"));
  const { merchantName: shop } = allowed.person;
  const { publicUrl } = env;
  if (textOf(form, "isCompared") !== "true")
    return { ok: previewOf(fields.family, checked.xpub, { shop, publicUrl }, now()) };
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

function readKeyForm(form: FormData): Pick<SourceForm, "family" | "text" | "label" | "networks" | "most"> {
  return {
    family: textOf(form, "family") === "tron" ? "tron" : "evm",
    text: textOf(form, "xpub"),
    label: textOf(form, "label"),
    networks: form.getAll("networks").filter((id) => typeof id === "string" && findNetwork(id)?.id === id) as string[],
    most: numberOf(form),
  };
}

const numberOf = (form: FormData) => (/^\d{1,6}$/.test(textOf(form, "most")) ? Number(textOf(form, "most")) : 0);

/** Changes how many addresses a public key gives at most, once the password is confirmed. */
export async function limitPublicKey(form: FormData): Answer<true> {
  const most = numberOf(form);
  const wrong = validateMost(most);
  if (wrong) return refuse("most", wrong);
  return change(form, (db, one, now) => limitSource(db, { ...one, most }, now));
}

/** Removes a public key with its addresses, once the password is confirmed. */
export async function removePublicKey(form: FormData): Answer<true> {
  return change(form, removeSource);
}

/** Sets how many confirmations payments on a network need at least, or for how long they are waited for, once the password is confirmed. */
export async function changeConfirmations(form: FormData): Answer<true> {
  const fields = { network: textOf(form, "network"), text: textOf(form, "confirmations") };
  const checked = validateConfirmations(fields);
  if ("errors" in checked) return checked;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  const answer = await setMerchantWait(db, { ...who, ...fields }, now);
  if ("errors" in answer) return answer;
  revalidatePath(PAGE);
  return { ok: true };
}

/** Takes an address out of the offer, once the password is confirmed. */
export async function pauseAddress(form: FormData): Answer<true> {
  return change(form, pause);
}

/** Puts an address back into the offer, once the password is confirmed. */
export async function resumeAddress(form: FormData): Answer<true> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const answer = await resume(db, env, { ...who, id: textOf(form, "id") }, now);
  revalidatePath(PAGE);
  if (answer === "resumed") return { ok: true };
  return refuse("", answer === "gone" ? GONE : TAMPERED);
}

/** Labels an address, once the password is confirmed. */
export async function labelAddress(form: FormData): Answer<true> {
  const text = textOf(form, "label");
  const wrong = validateLabel(text);
  if (wrong) return refuse("label", wrong);
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
  return isDone ? { ok: true } : refuse("", GONE);
}
