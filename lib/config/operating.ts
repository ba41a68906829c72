import { availableParallelism } from "node:os";
import * as z from "zod";
import { TRACING_SETTINGS } from "@/lib/config/tracing";

const EMAIL = /^[^\s@<>"(),:;[\]\\]{1,64}@[^\s@<>"(),:;[\]\\]+$/;

/** The settings for the number of processes, access to metrics, the replica and traces. */
export const OPERATING_SETTINGS = {
  WEB_CONCURRENCY: z
    .string()
    .regex(/^(cores|[1-9]\d?)$/, "must be a whole number of web processes from 1 to 99, or cores for one per core")
    .transform((text) => (text === "cores" ? availableParallelism() : Number(text)))
    .default(1),
  PROCESSES: z
    .enum(["1", "2"], "must be 1 (web process and worker together) or 2, or omitted")
    .transform((text) => (text === "1" ? 1 : 2))
    .default(2),
  DATABASE_REPLICA_URL: z
    .string()
    .refine(
      (text) => URL.canParse(text) && /^postgres(?:ql)?:$/.test(new URL(text).protocol),
      "is not a PostgreSQL URL; use the form postgres://user:password@replica:5432/stablegate",
    )
    .nullable()
    .default(null),
  /** The format of log lines. log-lines.mjs reads it before any other setting; this schema only validates it. */
  LOG_FORMAT: z.enum(["json", "pretty"], "must be json or pretty, or omitted").optional(),
  DATABASE_WAIT_SECONDS: z
    .string()
    .regex(/^\d{1,5}$/, "must be a whole number of seconds from 0 to 99999")
    .transform(Number)
    .default(600),
  METRICS_TOKEN: z
    .string()
    .min(16, "is too short: it must have at least 16 characters; generate one with: openssl rand -hex 24")
    .nullable()
    .default(null),
  METRICS_ACCESS: z.literal("loopback", "must be loopback, or omitted").optional(),
  WORKER_METRICS_PORT: z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) < 65_536, "must be a port number from 0 to 65535")
    .transform(Number)
    .nullable()
    .default(null),
  OPERATOR_EMAIL: z
    .string()
    .regex(EMAIL, "is not an email address; use the form operator@example.com")
    .nullable()
    .default(null),
  OPERATOR_TELEGRAM_TOKEN: z
    .string()
    .regex(/^\d{1,20}:[A-Za-z0-9_-]{10,100}$/, "is not the token of a Telegram bot; use the form 123456:ABC-DEF…")
    .nullable()
    .default(null),
  OPERATOR_TELEGRAM_CHAT_ID: z
    .string()
    .regex(
      /^(-?\d{1,20}|@[A-Za-z0-9_]{4,64})$/,
      "is not the id of a Telegram chat; use the form -1001234567890 or @channel",
    )
    .nullable()
    .default(null),
  DATA_FOLDER: z.string().nullable().default(null),
  DUMP_FOLDER: z.string().nullable().default(null),
  ...TRACING_SETTINGS,
};

type OperatorSettings = {
  [Name in `OPERATOR_${"EMAIL" | "TELEGRAM_TOKEN" | "TELEGRAM_CHAT_ID"}`]: string | null;
};

/** The channels for alerts to the operator: email, Telegram, or both. */
export interface Operator {
  email: string | null;
  telegram: { token: string; chatId: string } | null;
}

/** The monitored folders of a machine; null if there is none of that kind. */
export interface MachineFolders {
  dataFolder: string | null;
  dumpFolder: string | null;
}

/**
 * Returns the operator's channels.
 * @param problems receives the missing settings on which other given settings depend
 */
export function toOperator(settings: OperatorSettings, hasMail: boolean, problems: string[]): Operator {
  const { OPERATOR_EMAIL: email, OPERATOR_TELEGRAM_TOKEN: token, OPERATOR_TELEGRAM_CHAT_ID: chatId } = settings;
  if (email !== null && !hasMail) problems.push("OPERATOR_EMAIL needs a mail server; set SMTP_URL and MAIL_FROM");
  if (token !== null && chatId === null)
    problems.push(
      "OPERATOR_TELEGRAM_CHAT_ID is missing; set it to the chat to which the bot of OPERATOR_TELEGRAM_TOKEN sends messages",
    );
  if (chatId !== null && token === null)
    problems.push(
      "OPERATOR_TELEGRAM_TOKEN is missing; set it to the token of the bot that sends messages to OPERATOR_TELEGRAM_CHAT_ID",
    );
  return { email, telegram: token !== null && chatId !== null ? { token, chatId } : null };
}
