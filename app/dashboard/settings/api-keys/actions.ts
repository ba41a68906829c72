"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { sendTestEvent, type TestOutcome } from "@/lib/callbacks/send-test-event";
import { readCidrs } from "@/lib/domain/keys/api-key";
import { CALLBACK_FORMATS, type KeyRules, SCOPES } from "@/lib/domain/keys/key-rules";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import {
  changeKeyRules,
  chooseEvents,
  createApiKey,
  type IssuedApiKey,
  makeKeyDefault,
  OVERLAP_HOURS,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
  validateKeyName,
} from "@/lib/merchants/api-keys";
import packageJson from "@/package.json" with { type: "json" };

type Answer<T> = Promise<{ ok: T } | { errors: FieldError[] }>;

const PAGE = "/dashboard/settings/api-keys";
const GONE = problem("key_revoked");

/** Issues a key and its secret, once the password is confirmed. The list behind is read anew when the window closes. */
export async function generateKey(form: FormData): Answer<IssuedApiKey> {
  const name = textOf(form, "name");
  const wrong = validateKeyName(name);
  if (wrong) return refuse("name", wrong);
  const rules = readRules(form);
  if ("errors" in rules) return rules;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const key = { ...who, name, ...rules };
  const issued = await createApiKey(db, { appSecret: env.appSecret, mode: env.isSandbox ? "test" : "live" }, key, now);
  return { ok: issued };
}

/** Issues a successor of a key, once the password is confirmed. */
export async function rotateKey(form: FormData): Answer<IssuedApiKey> {
  const overlapHours = Number(textOf(form, "overlapHours") || OVERLAP_HOURS.default);
  if (!(overlapHours >= OVERLAP_HOURS.min && overlapHours <= OVERLAP_HOURS.max))
    return refuse("overlapHours", problem("overlap_out_of_range"));
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const key = { ...who, id: textOf(form, "id"), overlapHours };
  const issued = await rotateApiKey(db, { appSecret: env.appSecret, mode: env.isSandbox ? "test" : "live" }, key, now);
  return issued ? { ok: issued } : refuse("", GONE);
}

/** Ends a key at once, once its name was typed and the password is confirmed. */
export async function revokeKey(form: FormData): Answer<true> {
  const name = textOf(form, "expectedName");
  if (textOf(form, "typedName").trim() !== name)
    return refuse("typedName", problem("confirmation_text_differs", { name }));
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const isRevoked = await revokeApiKey(confirmed.db, { ...confirmed.who, id: textOf(form, "id") }, confirmed.now);
  revalidatePath(PAGE);
  return isRevoked ? { ok: true } : refuse("", GONE);
}

/** Names a key anew, once the password is confirmed. */
export async function renameKey(form: FormData): Answer<true> {
  const name = textOf(form, "name");
  const wrong = validateKeyName(name);
  if (wrong) return refuse("name", wrong);
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const key = { ...confirmed.who, id: textOf(form, "id"), name };
  const isRenamed = await renameApiKey(confirmed.db, key, confirmed.now);
  revalidatePath(PAGE);
  return isRenamed ? { ok: true } : refuse("", GONE);
}

/** Changes what a key may do and how its callbacks are written, once the password is confirmed. */
export async function changeKey(form: FormData): Answer<true> {
  const rules = readRules(form);
  if ("errors" in rules) return rules;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const key = { ...confirmed.who, id: textOf(form, "id"), ...rules };
  const isChanged = await changeKeyRules(confirmed.db, key, confirmed.now);
  revalidatePath(PAGE);
  return isChanged ? { ok: true } : refuse("", GONE);
}

/** Makes a key the default one, once the password is confirmed. */
export async function makeDefault(form: FormData): Answer<true> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const isMade = await makeKeyDefault(confirmed.db, { ...confirmed.who, id: textOf(form, "id") }, confirmed.now);
  revalidatePath(PAGE);
  return isMade ? { ok: true } : refuse("", GONE);
}

function readRules(form: FormData): KeyRules | { errors: FieldError[] } {
  const scopes = SCOPES.filter((scope) => form.getAll("scopes").includes(scope));
  if (scopes.length === 0) return refuse("scopes", problem("scopes_missing"));
  const read = readCidrs(textOf(form, "cidrs"));
  if ("problem" in read) return refuse("cidrs", read.problem);
  const callbackFormat = CALLBACK_FORMATS.find((format) => format === textOf(form, "callbackFormat"));
  if (!callbackFormat) return refuse("callbackFormat", problem("format_missing"));
  return { mustSign: form.has("mustSign"), scopes, cidrs: read.cidrs, callbackFormat };
}

/** Chooses what a key's merchant hears of besides confirmed payments, once the password is confirmed. */
export async function chooseKeyEvents(form: FormData): Answer<true> {
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const types = form.getAll("types").filter((type) => typeof type === "string");
  const isChosen = await chooseEvents(confirmed.db, { ...confirmed.who, id: textOf(form, "id"), types }, confirmed.now);
  revalidatePath(PAGE);
  return isChosen ? { ok: true } : refuse("", GONE);
}

/** Sends a test event to an address, signed by a key, once the password is confirmed. */
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
