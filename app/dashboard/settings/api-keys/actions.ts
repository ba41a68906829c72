"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { getContext } from "@/app/context";
import { readForm, textOf } from "@/app/form-fields";
import { sendTestEvent, type TestOutcome } from "@/lib/callbacks/send-test-event";
import {
  KEY_EVENTS_FORM,
  KEY_FORM,
  KEY_NAME_FORM,
  KEY_RULES_FORM,
  REVOCATION_FORM,
  ROTATION_FORM,
} from "@/lib/domain/keys/key-forms";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import { allowPlugin, dismissPlugin } from "@/lib/merchants/activate-plugin";
import {
  changeKeyRules,
  chooseEvents,
  createApiKey,
  type IssuedApiKey,
  makeKeyDefault,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
} from "@/lib/merchants/api-keys";
import packageJson from "@/package.json" with { type: "json" };

type Answer<T> = Promise<{ ok: T } | { errors: FieldError[] }>;

const PAGE = "/dashboard/settings/api-keys";
const PLUGINS_PAGE = "/dashboard/settings/plugins";
const GONE = problem("key_revoked");

/** Issues a key and its secret, after the user confirmed the password. The list behind the dialog is reloaded when the dialog closes. */
export async function generateKey(form: FormData): Answer<IssuedApiKey> {
  const read = readForm(form, KEY_FORM);
  if ("errors" in read) return read;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const key = { ...who, ...read };
  const issued = await createApiKey(db, { appSecret: env.appSecret, mode: env.isSandbox ? "test" : "live" }, key, now);
  return { ok: issued };
}

/** Issues the successor of a key, after the user confirmed the password. */
export async function rotateKey(form: FormData): Answer<IssuedApiKey> {
  const read = readForm(form, ROTATION_FORM);
  if ("errors" in read) return read;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const key = { ...who, id: textOf(form, "id"), ...read };
  const issued = await rotateApiKey(db, { appSecret: env.appSecret, mode: env.isSandbox ? "test" : "live" }, key, now);
  return issued ? { ok: issued } : refuse("", GONE);
}

/** Revokes a key immediately, after the user typed its name and confirmed the password. */
export async function revokeKey(form: FormData): Answer<true> {
  const read = readForm(form, REVOCATION_FORM);
  if ("errors" in read) return read;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const isRevoked = await revokeApiKey(confirmed.db, { ...confirmed.who, id: textOf(form, "id") }, confirmed.now);
  revalidatePath(PAGE);
  return isRevoked ? { ok: true } : refuse("", GONE);
}

/** Renames a key, after the user confirmed the password. */
export async function renameKey(form: FormData): Answer<true> {
  const read = readForm(form, KEY_NAME_FORM);
  if ("errors" in read) return read;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const key = { ...confirmed.who, id: textOf(form, "id"), ...read };
  const isRenamed = await renameApiKey(confirmed.db, key, confirmed.now);
  revalidatePath(PAGE);
  return isRenamed ? { ok: true } : refuse("", GONE);
}

/** Changes the permissions of a key and the format of its callbacks, after the user confirmed the password. */
export async function changeKey(form: FormData): Answer<true> {
  const rules = readForm(form, KEY_RULES_FORM);
  if ("errors" in rules) return rules;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const key = { ...confirmed.who, id: textOf(form, "id"), ...rules };
  const isChanged = await changeKeyRules(confirmed.db, key, confirmed.now);
  revalidatePath(PAGE);
  return isChanged ? { ok: true } : refuse("", GONE);
}

/** Allows a plugin to use a key, after the user confirmed the password. */
export async function allowPluginFormat(form: FormData): Answer<true> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const isAllowed = await allowPlugin(confirmed.db, { ...confirmed.who, id: textOf(form, "id") }, confirmed.now);
  revalidatePath(PLUGINS_PAGE);
  return isAllowed ? { ok: true } : refuse("", GONE);
}

/** Dismisses the request of a plugin for a key, after the user confirmed the password. */
export async function dismissPluginRequest(form: FormData): Answer<true> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const isDismissed = await dismissPlugin(confirmed.db, { ...confirmed.who, id: textOf(form, "id") }, confirmed.now);
  revalidatePath(PLUGINS_PAGE);
  return isDismissed ? { ok: true } : refuse("", GONE);
}

/** Makes a key the default one, after the user confirmed the password. */
export async function makeDefault(form: FormData): Answer<true> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const isMade = await makeKeyDefault(confirmed.db, { ...confirmed.who, id: textOf(form, "id") }, confirmed.now);
  revalidatePath(PAGE);
  return isMade ? { ok: true } : refuse("", GONE);
}

/** Sets the events that a key's merchant receives besides confirmed payments, after the user confirmed the password. */
export async function chooseKeyEvents(form: FormData): Answer<true> {
  const read = readForm(form, KEY_EVENTS_FORM);
  if ("errors" in read) return read;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const key = { ...confirmed.who, id: textOf(form, "id"), ...read };
  const isChosen = await chooseEvents(confirmed.db, key, confirmed.now);
  revalidatePath(PAGE);
  return isChosen ? { ok: true } : refuse("", GONE);
}

/** Sends a test event to a URL, signed with a key, after the user confirmed the password. */
export async function testCallbacks(form: FormData): Answer<TestOutcome> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const { appSecret, callbackAllowCidrs: allowCidrs } = env;
  const environment = env.isSandbox ? "sandbox" : "production";
  const ctx = {
    appSecret,
    environment,
    allowCidrs,
    version: packageJson.version,
    log: getContext().log,
  } as const;
  const test = { ...who, keyId: textOf(form, "id"), url: textOf(form, "url").trim() };
  const outcome = await sendTestEvent(db, ctx, test, now);
  return "problem" in outcome ? refuse(outcome.field, outcome.problem) : { ok: outcome };
}
