import { createHash, randomInt } from "node:crypto";
import type { Db } from "@/db/client";
import { type AttemptRule, takeAttempt } from "@/db/queries/merchants/attempts";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import {
  deleteChannel,
  findChannel,
  insertChannel,
  listChannels,
  type Owner,
  replaceChoices,
  updateCode,
  updateReportTime,
  verifyChannel,
} from "@/db/queries/notifications/channels";
import { updateChannelProblem } from "@/db/queries/notifications/outbox";
import { NO_RULES, type ValuesOf } from "@/lib/domain/fields/field";
import { newId } from "@/lib/domain/id";
import {
  type CHANNEL_FORM,
  type ChannelForm,
  type NOTIFICATIONS_FORM,
  readChannelForm,
} from "@/lib/domain/notifications/notification-forms";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import { encrypt } from "@/lib/merchants/vault";
import type { Delivery, Target } from "@/lib/notifications/mail-transport";
import {
  type NotificationContext,
  type NotificationMessage,
  openTarget,
} from "@/lib/notifications/notification-sender";

/** The dependencies for sending immediately; `allowCidrs` are the private ranges that webhooks may use. */
export type ChannelContext = Pick<NotificationContext, "appSecret" | "office" | "write"> & {
  allowCidrs: readonly string[];
};

/** The field errors of a refused request. */
export type Refused = { errors: FieldError[] };

const MAX_CHANNELS = 10;
const CODE_MS = 900_000;
/** The limit of messages to a destination whose owner may not have consented to them. */
const SENDS: AttemptRule = { count: 10, windowMs: 900_000 };
const GUESSES: AttemptRule = { count: 10, windowMs: 900_000 };

/** A channel as its user entered it, in the language of the back office. */
export type NewChannel = Partial<ChannelForm> & { language: string };

/**
 * Adds a channel of a user in a shop and sends a code to it; a webhook receives a test instead. No events are sent to the channel before
 * it is verified.
 * @returns its id and its displayed destination; or the errors
 */
export async function addChannel(
  db: Db,
  ctx: ChannelContext,
  owner: Owner & { shop: string },
  form: NewChannel,
  now: Date,
): Promise<{ id: string; shown: string } | Refused> {
  const read = readChannelForm(form, { ...NO_RULES, callbackAllowCidrs: ctx.allowCidrs });
  if ("errors" in read) return read;
  const target = toTarget(read);
  if (!ctx.office.isOpen(target.way)) return refuse("", problem("channel_mail_not_configured"));
  const { merchantId, userId, shop, from } = owner;
  const mine = await listChannels(db, { merchantId, userId });
  if (mine.length >= MAX_CHANNELS) return refuse("", problem("too_many_channels", { count: mine.length }));
  const { timeZone } = read;
  const id = newId(now);
  const shown = shownOf(target);
  const row = { id, merchantId, userId, way: target.way, shown, language: form.language, timeZone, reportHour: 8 };
  const targetCipher = encrypt(ctx.appSecret, `notification_channels:${id}`, JSON.stringify(target));
  await db.transaction(async (tx) => {
    await insertChannel(tx, { ...row, targetCipher, codeHash: null, codeExpiresAt: null }, now);
    const detail = { way: target.way, shown };
    await insertAuditEvent(tx, { merchantId, userId, from, action: "notifications.channel_added", detail }, now);
  });
  const channel = { id, merchantId, shop, language: form.language, targetCipher };
  const failed = await (target.way === "webhook"
    ? sendFirstTest(db, ctx, owner, channel, now)
    : sendCode(db, ctx, { merchantId, userId }, channel, now));
  if (!failed) return { id, shown };
  await deleteChannel(db, { merchantId, userId }, id);
  return failed;
}

function toTarget({ way, email, token, chatId, url }: ValuesOf<typeof CHANNEL_FORM>): Target {
  if (way === "email") return { way, email };
  return way === "telegram" ? { way, token, chatId } : { way, url };
}

function shownOf(target: Target): string {
  if (target.way === "email") return target.email;
  return target.way === "telegram" ? target.chatId : new URL(target.url).host;
}

type Sendable = Pick<
  NonNullable<Awaited<ReturnType<typeof findChannel>>>,
  "id" | "merchantId" | "shop" | "language" | "targetCipher"
>;

async function sendCode(
  db: Db,
  ctx: ChannelContext,
  owner: Owner,
  channel: Sendable,
  now: Date,
): Promise<Refused | null> {
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  await updateCode(db, owner, channel.id, hashOf(channel.id, code), new Date(now.getTime() + CODE_MS));
  const delivery = await sendNow(db, ctx, owner, channel, { type: "code", code }, now);
  if (delivery === "tooMany") return refuse("", problem("too_many_channel_attempts"));
  return delivery.kind === "sent" ? null : refuse("", problem("channel_code_failed", { reason: delivery.problem }));
}

const hashOf = (id: string, code: string) => createHash("sha256").update(`${id} ${code}`).digest("hex");

async function sendFirstTest(
  db: Db,
  ctx: ChannelContext,
  owner: Owner,
  channel: Sendable,
  now: Date,
): Promise<Refused | null> {
  const delivery = await sendNow(db, ctx, owner, channel, { type: "test" }, now);
  if (delivery === "tooMany") return refuse("", problem("too_many_channel_attempts"));
  if (delivery.kind === "failed") return refuse("", problem("channel_test_failed", { reason: delivery.problem }));
  return (await verify(db, owner, { id: channel.id, codeHash: null }, now))
    ? null
    : refuse("", problem("channel_unknown"));
}

async function sendNow(
  db: Db,
  { appSecret, office, write }: ChannelContext,
  owner: Owner,
  channel: Sendable,
  message: NotificationMessage,
  now: Date,
): Promise<Delivery | "tooMany"> {
  if ((await takeAttempt(db, `notify-send:${owner.userId}`, SENDS, now)) > 0) return "tooMany";
  const { language, shop } = channel;
  const mail = write(message, { language, shop, unsubscribeUrl: null });
  const rest = { id: newId(now), kind: message.type, shop, facts: [], unsubscribeUrl: null };
  return office.send(openTarget(appSecret, channel), { ...mail, ...rest }, now);
}

/** Sends a new code to a channel that is not verified yet. */
export async function resendCode(
  db: Db,
  ctx: ChannelContext,
  owner: Owner,
  id: string,
  now: Date,
): Promise<true | Refused> {
  const channel = await findChannel(db, owner, id);
  if (!channel || channel.verifiedAt) return refuse("", problem("channel_unknown"));
  return (await sendCode(db, ctx, owner, channel, now)) ?? true;
}

/** Verifies a channel by the code that was sent to it; wrong codes are limited per user. */
export async function confirmChannel(
  db: Db,
  owner: Owner,
  { id, code }: { id: string; code: string },
  now: Date,
): Promise<true | Refused> {
  if ((await takeAttempt(db, `notify-code:${owner.userId}`, GUESSES, now)) > 0)
    return refuse("code", problem("too_many_channel_attempts"));
  const isRight = await verify(db, owner, { id, codeHash: hashOf(id, code.trim()) }, now);
  return isRight ? true : refuse("code", problem("channel_code_wrong"));
}

/**
 * Marks a channel as verified and records it.
 * @returns false if the code is wrong or the channel no longer exists
 */
async function verify(
  db: Db,
  owner: Owner,
  channel: { id: string; codeHash: string | null },
  now: Date,
): Promise<boolean> {
  const { merchantId, userId, from } = owner;
  return db.transaction(async (tx) => {
    const shown = await verifyChannel(tx, { merchantId, userId }, channel, now);
    if (shown === null) return false;
    const event = { merchantId, userId, from, action: "notifications.channel_verified", detail: { shown } } as const;
    await insertAuditEvent(tx, event, now);
    return true;
  });
}

/** Sends a test immediately and records its result. */
export async function testChannel(
  db: Db,
  ctx: ChannelContext,
  owner: Owner,
  id: string,
  now: Date,
): Promise<true | Refused> {
  const channel = await findChannel(db, owner, id);
  if (!channel?.verifiedAt) return refuse("", problem("channel_unknown"));
  const delivery = await sendNow(db, ctx, owner, channel, { type: "test" }, now);
  if (delivery === "tooMany") return refuse("", problem("too_many_channel_attempts"));
  const reason = delivery.kind === "sent" ? null : delivery.problem;
  await updateChannelProblem(db, channel, reason);
  return reason === null ? true : refuse("", problem("channel_test_failed", { reason }));
}

/** Removes a channel, with its choices and pending messages. */
export async function removeChannel(db: Db, owner: Owner, id: string, now: Date): Promise<true | Refused> {
  return db.transaction(async (tx) => {
    const shown = await deleteChannel(tx, owner, id);
    if (shown === null) return refuse("", problem("channel_unknown"));
    const { merchantId, userId, from } = owner;
    await insertAuditEvent(
      tx,
      { merchantId, userId, from, action: "notifications.channel_removed", detail: { shown } },
      now,
    );
    return true;
  });
}

/**
 * Sets the events of a user's channels, and the time of their daily report.
 * @param form `choices` as "channel kind"; channels of other users are left out
 */
export async function chooseNotifications(
  db: Db,
  owner: Owner,
  { choice: wanted, timeZone, reportHour }: ValuesOf<typeof NOTIFICATIONS_FORM>,
  now: Date,
): Promise<true> {
  await db.transaction(async (tx) => {
    await replaceChoices(tx, owner, wanted, now);
    await updateReportTime(tx, owner, { timeZone, reportHour });
    const { merchantId, userId, from } = owner;
    const detail = { choices: [...new Set(wanted.map(({ kind }) => kind))], timeZone };
    await insertAuditEvent(tx, { merchantId, userId, from, action: "notifications.chosen", detail }, now);
  });
  return true;
}
