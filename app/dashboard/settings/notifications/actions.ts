"use server";

import { revalidatePath } from "next/cache";
import { getLocale } from "next-intl/server";
import { confirmChange } from "@/app/confirm-change";
import { getContext } from "@/app/context";
import { readForm, textOf, textsOf } from "@/app/form-fields";
import { authenticateAction, requireMay } from "@/app/session";
import { renderNotification } from "@/components/notifications/render-email";
import { CHANNEL_FORM, NOTIFICATIONS_FORM } from "@/lib/domain/notifications/notification-forms";
import type { FieldError } from "@/lib/domain/problems/problem";
import * as channels from "@/lib/notifications/channels";
import { openPostOffice } from "@/lib/notifications/mail-transport";
import packageJson from "@/package.json" with { type: "json" };

type Answer<T> = Promise<{ ok: T } | { errors: FieldError[] }>;

const PAGE = "/dashboard/settings/notifications";

/** Adds a channel after the user confirmed their identity. Returns its id and its destination for display. */
export async function addChannel(form: FormData): Answer<{ id: string; shown: string }> {
  const asked = await ask(form, { mustConfirm: true });
  if ("errors" in asked) return asked;
  const { db, ctx, owner, now } = asked;
  const fields = { ...textsOf(form, CHANNEL_FORM), language: await getLocale() };
  return answer(await channels.addChannel(db, ctx, owner, fields, now));
}

/** Verifies the code that was sent to a channel. */
export async function confirmChannel(form: FormData): Answer<true> {
  const asked = await ask(form);
  if ("errors" in asked) return asked;
  const typed = { id: textOf(form, "id"), code: textOf(form, "code") };
  return answer(await channels.confirmChannel(asked.db, asked.owner, typed, asked.now));
}

/** Sends a new code to a channel. */
export async function resendCode(form: FormData): Answer<true> {
  const asked = await ask(form);
  if ("errors" in asked) return asked;
  return answer(await channels.resendCode(asked.db, asked.ctx, asked.owner, textOf(form, "id"), asked.now));
}

/** Sends a test message immediately. */
export async function testChannel(form: FormData): Answer<true> {
  const asked = await ask(form);
  if ("errors" in asked) return asked;
  return answer(await channels.testChannel(asked.db, asked.ctx, asked.owner, textOf(form, "id"), asked.now));
}

/** Removes a channel after the user confirmed their identity. */
export async function removeChannel(form: FormData): Answer<true> {
  const asked = await ask(form, { mustConfirm: true });
  if ("errors" in asked) return asked;
  return answer(await channels.removeChannel(asked.db, asked.owner, textOf(form, "id"), asked.now));
}

/** Sets the notifications that each of the user's channels receives, and the time of their daily report. */
export async function chooseNotifications(form: FormData): Answer<true> {
  const asked = await ask(form);
  if ("errors" in asked) return asked;
  const chosen = readForm(form, NOTIFICATIONS_FORM);
  if ("errors" in chosen) return chosen;
  return answer(await channels.chooseNotifications(asked.db, asked.owner, chosen, asked.now));
}

/** Checks that the user is signed in, with any role: each member has their own channels. */
async function ask(form: FormData, { mustConfirm = false } = {}) {
  const allowed = await (mustConfirm ? confirmChange(form, "look") : requireMay("look", form));
  if ("errors" in allowed) return allowed;
  const shop = allowed.person.merchantName;
  const { env, pool, now } = getContext();
  const { appSecret, publicUrl, smtpUrl, mailFrom, telegramUrl, callbackAllowCidrs: allowCidrs } = env;
  const office = openPostOffice({ smtpUrl, mailFrom, telegramUrl, allowCidrs, version: packageJson.version });
  const ctx = { appSecret, office, write: renderNotification.bind(null, publicUrl), allowCidrs };
  return { db: pool.db, ctx, owner: { ...(await authenticateAction(allowed.person)), shop }, now: now() };
}

async function answer<T extends object | true>(
  done: T | channels.Refused,
): Promise<{ ok: Exclude<T, channels.Refused> } | { errors: FieldError[] }> {
  if (!isRefused(done)) {
    revalidatePath(PAGE);
    return { ok: done as Exclude<T, channels.Refused> };
  }
  return done;
}

function isRefused(done: object | true): done is channels.Refused {
  return done !== true && "errors" in done;
}
