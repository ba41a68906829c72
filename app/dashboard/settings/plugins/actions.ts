"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { OFFERED, type OfferedIntegration } from "@/components/dashboard/plugins/known-plugins";
import { EXPIRATIONS } from "@/lib/domain/integration-id";
import { readConnection } from "@/lib/domain/integrations/connection";
import { storePermissions } from "@/lib/domain/integrations/greenfield";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import { findFiat } from "@/lib/domain/rates/currencies";
import { sealHandOver } from "@/lib/integrations/greenfield/hand-over";
import { OVERLAP_HOURS } from "@/lib/merchants/api-keys";
import {
  changePlugin,
  grantPluginKey,
  type IssuedPluginKey,
  revokePluginKey,
  rotatePluginKey,
  switchOffPlugin,
  switchOnPlugin,
} from "@/lib/plugins/plugin-settings";

type Answer<T> = Promise<{ ok: T } | { errors: FieldError[] }>;

const PAGE = "/dashboard/settings/plugins";
const NO_PROTOCOL = problem("protocol_unknown");

/** Switches a protocol on, once the password is confirmed. With a key where none lives; the list behind is read anew when its window closes. */
export async function switchOn(form: FormData): Answer<{ issued: IssuedPluginKey | null }> {
  const integration = readIntegration(form);
  if (!integration) return refuse("", NO_PROTOCOL);
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const issued = await switchOnPlugin(db, env.appSecret, { ...who, integration }, now);
  if (!issued) revalidatePath(PAGE);
  return { ok: { issued } };
}

/** Switches a protocol off, once the password is confirmed. */
export async function switchOff(form: FormData): Answer<true> {
  const integration = readIntegration(form);
  if (!integration) return refuse("", NO_PROTOCOL);
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  await switchOffPlugin(confirmed.db, { ...confirmed.who, integration }, confirmed.now);
  revalidatePath(PAGE);
  return { ok: true };
}

/** Decides how a protocol's requests are read, once the password is confirmed. */
export async function changeRules(form: FormData): Answer<true> {
  const integration = readIntegration(form);
  if (!integration) return refuse("", NO_PROTOCOL);
  const typed = textOf(form, "fiat").trim();
  const fiat = typed === "" ? null : findFiat(typed)?.code;
  if (fiat === undefined) return refuse("fiat", problem("currency_code_missing"));
  const expiration = EXPIRATIONS.find((one) => one === textOf(form, "expiration"));
  if (!expiration) return refuse("expiration", problem("expiration_meaning_missing"));
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  const rules = { takesKeyInUrl: form.has("takesKeyInUrl"), expiration, fiat };
  const wrong = await changePlugin(db, { ...who, integration }, rules, now);
  if (wrong) return refuse("", wrong);
  revalidatePath(PAGE);
  return { ok: true };
}

/** Issues a new key beside those that live, once the password is confirmed. */
export async function issueKey(form: FormData): Answer<IssuedPluginKey> {
  const integration = readIntegration(form);
  if (!integration) return refuse("", NO_PROTOCOL);
  const overlapHours = Number(textOf(form, "overlapHours") || OVERLAP_HOURS.default);
  if (!(overlapHours >= OVERLAP_HOURS.min && overlapHours <= OVERLAP_HOURS.max))
    return refuse("overlapHours", problem("overlap_out_of_range"));
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const issued = await rotatePluginKey(db, env.appSecret, { ...who, integration, overlapHours }, now);
  return issued ? { ok: issued } : refuse("", problem("protocol_never_on"));
}

/** Ends a key at once, once the password is confirmed. */
export async function revokeKey(form: FormData): Answer<true> {
  const integration = readIntegration(form);
  if (!integration) return refuse("", NO_PROTOCOL);
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, who, now } = confirmed;
  const isRevoked = await revokePluginKey(db, { ...who, integration, id: textOf(form, "id") }, now);
  revalidatePath(PAGE);
  return isRevoked ? { ok: true } : refuse("", problem("key_ended"));
}

/**
 * Gives an application the token that it asks for, once the password is confirmed: sealed on its way to where it said, or, where it
 * said nothing, to be shown once.
 */
export async function allowConnection(form: FormData): Answer<{ ticket: string } | { issued: IssuedPluginKey }> {
  const ownOrigin = new URL(getContext().env.publicUrl).origin;
  const asked = readConnection(new URLSearchParams(textOf(form, "query")), ownOrigin);
  if ("why" in asked) return refuse("", problem("connection_refused"));
  const confirmed = await confirmChange(form);
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const { application, redirect, permissions } = asked;
  const host = redirect?.host ?? "";
  const label = [application, host].filter(Boolean).join(" · ");
  const grant = { ...who, integration: "greenfield", label, host, permissions } as const;
  const issued = await grantPluginKey(db, env.appSecret, grant, now);
  if (!redirect) return { ok: { issued } };
  const carried = {
    redirect: redirect.href,
    apiKey: issued.key,
    userId: who.userId,
    permissions: storePermissions(issued.publicId, permissions),
  };
  return { ok: { ticket: sealHandOver(env.appSecret, carried, now) } };
}

function readIntegration(form: FormData): OfferedIntegration | undefined {
  return OFFERED.find((one) => one === textOf(form, "integration"));
}
