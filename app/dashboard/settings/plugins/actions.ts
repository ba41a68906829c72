"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { getContext } from "@/app/context";
import { readForm, textOf, textsOf } from "@/app/form-fields";
import { parentOrigin } from "@/lib/domain/checkout/brand";
import { fieldsReader, NO_RULES } from "@/lib/domain/fields/field";
import { findConnecting, type Integration } from "@/lib/domain/integrations/integration";
import { PRICE_CURRENCY_FORM, type SettingValues, settingsForm } from "@/lib/domain/integrations/settings";
import { ROTATION_FORM } from "@/lib/domain/keys/key-forms";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import {
  changePlugin,
  grantPluginKey,
  type IssuedPluginKey,
  revokePluginKey,
  rotatePluginKey,
  switchOffPlugin,
  switchOnPlugin,
  whyNotEnabled,
} from "@/lib/plugins/plugin-settings";

type Answer<T> = Promise<{ ok: T } | { errors: FieldError[] }>;

const PAGE = "/dashboard/settings/plugins";
const NO_PROTOCOL = problem("protocol_unknown");

/**
 * Enables an integration with the selected price currency, after the user confirmed the password. Issues a key if none is active; the list
 * is reloaded when the dialog closes. A shop without a receiving address is refused.
 */
export async function switchOn(form: FormData): Answer<{ issued: IssuedPluginKey | null }> {
  const integration = readIntegration(form);
  if (!integration) return refuse("", NO_PROTOCOL);
  const price = readPriceCurrency(form, integration);
  if ("errors" in price) return price;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  const invalid = await whyNotEnabled(db, who.merchantId, now);
  if (invalid) return refuse("", invalid);
  const issued = await switchOnPlugin(db, settingsContext(), { ...who, integration: integration.id, ...price }, now);
  if (!issued) revalidatePath(PAGE);
  return { ok: { issued } };
}

/** Disables an integration after the user confirmed the password. */
export async function switchOff(form: FormData): Answer<true> {
  const integration = readIntegration(form);
  if (!integration) return refuse("", NO_PROTOCOL);
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  await switchOffPlugin(confirmed.db, { ...confirmed.who, integration: integration.id }, confirmed.now);
  revalidatePath(PAGE);
  return { ok: true };
}

/** Changes the settings of an integration after the user confirmed the password. */
export async function changeRules(form: FormData): Answer<true> {
  const integration = readIntegration(form);
  if (!integration) return refuse("", NO_PROTOCOL);
  const price = readPriceCurrency(form, integration);
  if ("errors" in price) return price;
  const settings = readSettings(form, integration);
  if ("errors" in settings) return settings;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  const rules = { ...price, settings: settings.values };
  const invalid = await changePlugin(db, settingsContext(), { ...who, integration: integration.id }, rules, now);
  if (invalid) return refuse("", invalid);
  revalidatePath(PAGE);
  return { ok: true };
}

/** Issues a new key in addition to the active ones, after the user confirmed the password. */
export async function issueKey(form: FormData): Answer<IssuedPluginKey> {
  const integration = readIntegration(form);
  if (!integration) return refuse("", NO_PROTOCOL);
  const read = readForm(form, ROTATION_FORM);
  if ("errors" in read) return read;
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  const plugin = { ...who, integration: integration.id, ...read };
  const issued = await rotatePluginKey(db, settingsContext(), plugin, now);
  return issued ? { ok: issued } : refuse("", problem("protocol_never_on"));
}

/** Revokes a key immediately, after the user confirmed the password. */
export async function revokeKey(form: FormData): Answer<true> {
  const integration = readIntegration(form);
  if (!integration) return refuse("", NO_PROTOCOL);
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  const isRevoked = await revokePluginKey(db, { ...who, integration: integration.id, id: textOf(form, "id") }, now);
  revalidatePath(PAGE);
  return isRevoked ? { ok: true } : refuse("", problem("key_ended"));
}

/**
 * Issues the token that an application requests, after the user confirmed the password. Returns a ticket for the application's URL or, if
 * it specified none, the token, to be shown once. A shop without a receiving address is refused.
 */
export async function allowConnection(form: FormData): Answer<{ ticket: string } | { issued: IssuedPluginKey }> {
  const { env, integrations } = getContext();
  const connecting = findConnecting(integrations);
  if (!connecting) return refuse("", NO_PROTOCOL);
  const { integration, connection } = connecting;
  const ownOrigin = new URL(env.publicUrl).origin;
  const asked = connection.read(new URLSearchParams(textOf(form, "query")), ownOrigin);
  if ("why" in asked) return refuse("", problem("connection_refused"));
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  const invalid = await whyNotEnabled(db, who.merchantId, now);
  if (invalid) return refuse("", invalid);
  const { application, redirect, permissions } = asked;
  const host = redirect?.host ?? "";
  const label = [application, host].filter(Boolean).join(" · ");
  const site = redirect && parentOrigin(redirect.origin);
  const grant = { ...who, integration: integration.id, label, host, site, permissions };
  const issued = await grantPluginKey(db, settingsContext(), grant, now);
  if (!redirect) return { ok: { issued } };
  const token = { ...issued, redirect: redirect.href, userId: who.userId, permissions };
  return { ok: { ticket: connection.encryptToken(env.appSecret, token, now) } };
}

function settingsContext() {
  const { env, integrations } = getContext();
  return { appSecret: env.appSecret, integrations };
}

function readIntegration(form: FormData): Integration | undefined {
  return getContext().integrations.get(textOf(form, "integration"));
}

/** Reads the price currency; null for integrations whose requests always specify one. */
function readPriceCurrency(
  form: FormData,
  { description }: Integration,
): { fiat: string | null } | { errors: FieldError[] } {
  return description.hasPriceCurrency ? readForm(form, PRICE_CURRENCY_FORM) : { fiat: null };
}

function readSettings(
  form: FormData,
  { description }: Integration,
): { values: SettingValues } | { errors: FieldError[] } {
  const fields = settingsForm(description.settings);
  return fieldsReader(fields)(textsOf(form, fields), NO_RULES);
}
