import * as z from "zod";
import { hideSecrets, secretsOfUrl } from "@/lib/domain/keys/hide-secrets";
import { isLoopbackHost, type Way } from "@/lib/domain/notifications/notification";
import { type Problem, type ProblemParam, problem } from "@/lib/domain/problems/problem";
import { guardedPost, type PostResult } from "@/lib/outbound/guarded-post";

/** The transports of the installation. */
export interface PostOfficeSettings {
  /** smtp(s)://user:password@host:port; null: no email is sent. */
  smtpUrl: string | null;
  /** The sender of emails. */
  mailFrom: string | null;
  /** The base URL of Telegram's HTTP API, without a trailing slash. */
  telegramUrl: string;
  /** The private address ranges to which messages may be sent over HTTP. */
  allowCidrs: readonly string[];
  /** The version for the user agent. */
  version: string;
}

/** The destination of a channel, with its credentials. */
export const Target = z.discriminatedUnion("way", [
  z.object({ way: z.literal("email"), email: z.string() }),
  z.object({ way: z.literal("telegram"), token: z.string(), chatId: z.string() }),
  z.object({ way: z.literal("webhook"), url: z.string() }),
]);
export type Target = z.infer<typeof Target>;

/** A message with the fields that each transport may need. */
export interface Email {
  /** The id of the message, the same at every attempt. */
  id: string;
  title: string;
  /** The text for chats. */
  text: string;
  mailText: string;
  mailHtml: string;
  /** The one-click unsubscribe URL of an email; null for codes and tests. */
  unsubscribeUrl: string | null;
  /** The kind and content of the message, for programs. */
  kind: string;
  shop: string;
  facts: readonly object[];
}

/** The result of an attempt. `isFinal`: a retry would have the same result. The problem contains no secret. */
export type Delivery = { kind: "sent" } | { kind: "failed"; problem: Problem; isFinal: boolean; retryAfterMs?: number };

export interface PostOffice {
  /** Returns true if this installation has the transport. */
  isOpen(way: Way): boolean;
  /** Never throws. */
  send(target: Target, mail: Email, now: Date): Promise<Delivery>;
}

/** Creates the transports of messages to users: email, and chats through the guarded client. */
export function openPostOffice(settings: PostOfficeSettings): PostOffice {
  return {
    isOpen: (way) => way !== "email" || settings.smtpUrl !== null,
    async send(target, mail, now) {
      const delivery = await sendBy(settings, target, mail, now);
      if (delivery.kind === "sent") return delivery;
      return { ...delivery, problem: withoutSecrets(delivery.problem, secretsOf(settings, target)) };
    },
  };
}

function withoutSecrets<P extends Problem>(failure: P, secrets: readonly string[]): P {
  const hide = (param: ProblemParam): ProblemParam => {
    if (typeof param === "number") return param;
    if (typeof param === "string") return hideSecrets(param, secrets);
    return "code" in param ? withoutSecrets(param, secrets) : param.map((one) => withoutSecrets(one, secrets));
  };
  const params = Object.fromEntries(Object.entries(failure.params).map(([name, param]) => [name, hide(param)]));
  return { ...failure, params };
}

function sendBy(settings: PostOfficeSettings, target: Target, mail: Email, now: Date): Promise<Delivery> {
  if (target.way === "email") return sendMail(settings, target.email, mail);
  if (target.way === "telegram") return sendToTelegram(settings, target, mail, now);
  return sendToWebhook(settings, target.url, mail, now);
}

/** Returns the credentials that a response may contain. */
function secretsOf({ smtpUrl }: PostOfficeSettings, target: Target): string[] {
  if (target.way === "telegram") return [target.token];
  if (target.way === "webhook") return secretsOfUrl(target.url);
  return smtpUrl === null ? [] : secretsOfUrl(smtpUrl);
}

const CONNECT_MS = 10_000;
const SILENT_MS = 15_000;
const WHOLE_MS = 30_000;

async function sendMail({ smtpUrl, mailFrom }: PostOfficeSettings, to: string, mail: Email): Promise<Delivery> {
  if (smtpUrl === null || mailFrom === null)
    return { kind: "failed", problem: problem("delivery_without_smtp"), isFinal: false };
  // Most processes send no email, and the package has 40 modules.
  const { createTransport } = await import("nodemailer");
  const url = new URL(smtpUrl);
  const isLocal = isLoopbackHost(url.hostname);
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || (url.protocol === "smtps:" ? 465 : 587),
    secure: url.protocol === "smtps:",
    ...(isLocal ? { ignoreTLS: true } : { requireTLS: true }),
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    dnsTimeout: CONNECT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { promise: late, resolve } = Promise.withResolvers<Delivery>();
  const timer = setTimeout(
    () => resolve({ kind: "failed", problem: problem("delivery_mail_timeout"), isFinal: false }),
    WHOLE_MS,
  );
  try {
    const sending = transport.sendMail({
      from: mailFrom,
      to: { name: "", address: to },
      subject: mail.title,
      text: mail.mailText,
      html: mail.mailHtml,
      messageId: `<${mail.id}@${domainOf(mailFrom)}>`,
      headers: { "Auto-Submitted": "auto-generated", ...unsubscribeHeaders(mail) },
    });
    return await Promise.race([sending.then((): Delivery => ({ kind: "sent" })), late]);
  } catch (error) {
    return mailFailure(error);
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

const domainOf = (mailFrom: string) => /@([\w.-]+)/.exec(mailFrom)?.[1] ?? "localhost";

/** RFC 8058. */
function unsubscribeHeaders({ unsubscribeUrl }: Email): Record<string, string> {
  if (unsubscribeUrl === null) return {};
  return { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

const SmtpError = z.object({
  message: z.string().default(""),
  code: z.string().optional(),
  command: z.string().optional(),
  response: z.string().optional(),
  responseCode: z.number().optional(),
});
const MAX_MESSAGE_LENGTH = 200;

/**
 * Returns the failure of an email. Only a permanent rejection of the recipient is final, because the operator can correct a wrong
 * password.
 */
function mailFailure(error: unknown): Delivery {
  const parsed = SmtpError.safeParse(
    error instanceof Error ? { ...error, message: error.message } : { message: "it failed" },
  );
  const { message, code, command, response, responseCode = 0 } = parsed.data ?? { message: "it failed" };
  const failure = response
    ? problem("delivery_mail_refused", { response: response.slice(0, MAX_MESSAGE_LENGTH) })
    : mailProblem(code, message);
  return { kind: "failed", problem: failure, isFinal: command === "RCPT TO" && responseCode >= 500 };
}

function mailProblem(code: string | undefined, message: string): Problem {
  if (code === "EAUTH") return problem("delivery_mail_credentials");
  if (code === "ETLS") return problem("delivery_mail_without_tls");
  return problem("delivery_mail_unreachable", { reason: message.slice(0, MAX_MESSAGE_LENGTH) });
}

const MAX_CHAT_TEXT = 3_900;
const TelegramAnswer = z.object({
  description: z.string().optional(),
  parameters: z.object({ retry_after: z.number().optional() }).optional(),
});

async function sendToTelegram(
  settings: PostOfficeSettings,
  { token, chatId }: { token: string; chatId: string },
  mail: Email,
  now: Date,
): Promise<Delivery> {
  const body = { chat_id: chatId, text: cut(mail.text, MAX_CHAT_TEXT), link_preview_options: { is_disabled: true } };
  const result = await post(settings, `${settings.telegramUrl}/bot${token}/sendMessage`, body, now);
  if (result.kind === "failed") return failedDelivery(result.error);
  const answer = TelegramAnswer.safeParse(jsonOf(result.answer)).data;
  const waitSeconds = answer?.parameters?.retry_after;
  const { httpStatus: status } = result;
  const description = answer?.description?.slice(0, MAX_MESSAGE_LENGTH);
  const refusal = description
    ? problem("delivery_telegram_refused", { status, description })
    : problem("delivery_telegram_status", { status });
  const delivery = toDelivery(result, refusal);
  return delivery.kind === "failed" && waitSeconds ? { ...delivery, retryAfterMs: waitSeconds * 1_000 } : delivery;
}

const MAX_DISCORD_TEXT = 1_900;

/**
 * Sends a message to a webhook. Slack and Discord receive only what they display; other webhooks receive all fields, including those for
 * Slack and Discord.
 */
async function sendToWebhook(settings: PostOfficeSettings, url: string, mail: Email, now: Date): Promise<Delivery> {
  const { id, kind, shop, title, facts } = mail;
  const text = cut(mail.text, MAX_CHAT_TEXT);
  const content = cut(mail.text, MAX_DISCORD_TEXT);
  const host = new URL(url).hostname;
  let body: object = { text, content, id, kind, shop, title, facts };
  if (host === "hooks.slack.com") body = { text };
  if (/(^|\.)discord(app)?\.com$/.test(host)) body = { content };
  const result = await post(settings, url, body, now);
  if (result.kind === "failed") return failedDelivery(result.error);
  return toDelivery(result, problem("delivery_webhook_status", { status: result.httpStatus }));
}

function post(settings: PostOfficeSettings, url: string, body: object, now: Date): Promise<PostResult> {
  const headers = { "content-type": "application/json", "user-agent": `Stablegate/${settings.version}` };
  const request = { url, headers, body: JSON.stringify(body), urlProblem: "outbound_channel_address_invalid" } as const;
  return guardedPost(request, { allowCidrs: settings.allowCidrs }, now);
}

/** The HTTP statuses for which a retry has the same result. */
const FINAL = new Set([400, 401, 403, 404, 410, 413]);

function failedDelivery(failure: Problem): Delivery {
  return { kind: "failed", problem: failure, isFinal: false };
}

/**
 * Converts the response to a message into the result of the attempt.
 * @param refusal the problem if the status is not a success
 */
function toDelivery(
  { httpStatus, retryAfterMs }: Extract<PostResult, { kind: "answered" }>,
  refusal: Problem,
): Delivery {
  if (httpStatus >= 200 && httpStatus < 300) return { kind: "sent" };
  const failed: Delivery = { kind: "failed", problem: refusal, isFinal: FINAL.has(httpStatus) };
  return retryAfterMs === null ? failed : { ...failed, retryAfterMs };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}
