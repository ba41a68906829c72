import ipaddr from "ipaddr.js";
import * as z from "zod";
import { type NetworkSettings, readNetworkSettings } from "@/lib/config/networks";
import { type InstalledNetworks, readNetworksFile } from "@/lib/config/networks-file";
import { type MachineFolders, OPERATING_SETTINGS, type Operator, toOperator } from "@/lib/config/operating";
import { givenSocket } from "@/lib/config/processes";
import { readRateSources } from "@/lib/config/rates-file";
import { givenSettings, type Source } from "@/lib/config/secret-files";
import { type TracingSettings, toTracing } from "@/lib/config/tracing";
import { isDatabaseUrl } from "@/lib/domain/database-url";
import { type AppSecret, toAppSecret } from "@/lib/domain/keys/app-secret";
import type { RateSource } from "@/lib/domain/rates/sources";

/** The settings of a process, checked once at startup. */
export interface Env extends NetworkSettings, InstalledNetworks {
  databaseUrl: string;
  /** The URL of the server itself if `databaseUrl` is the URL of a pooler; null otherwise. */
  databaseDirectUrl: string | null;
  /** A streaming replica that serves the lists and reports of the back office while its lag is small; null if there is none. */
  databaseReplicaUrl: string | null;
  appSecret: AppSecret;
  /** The public base URL, without a trailing slash. */
  publicUrl: string;
  port: number;
  host: string;
  /** A socket that is already listening, instead of host and port; null if there is none. */
  listenFd: number | null;
  webConcurrency: number;
  /** True if the web process and the worker run as one process, with fewer database connections. */
  isOneProcess: boolean;
  callbackAllowCidrs: readonly string[];
  /** The sources of rates for fiat prices. */
  rateSources: readonly RateSource[];
  /** The number of requests per key and minute; null = no limit. */
  createsPerMinute: number | null;
  readsPerMinute: number | null;
  /** The number of views of public pages per address and minute; null = no limit. */
  viewsPerMinute: number | null;
  /** The number of open event streams per address and process; null = no limit. */
  streamsPerAddress: number | null;
  /**
   * The age in days at which history is deleted, and with it orders that can no longer change and received no payment;
   * null = never.
   */
  retentionDays: number | null;
  logLevel: string;
  /**
   * The polling rate of idle networks: `seldom` for free plans, `often` for the operator's own nodes, `always` for the same rate as during
   * an expected payment.
   */
  idleReading: "seldom" | "often" | "always";
  /** Set only by the sandbox: the payment page shows "Pay from the sandbox wallet", and keys begin with sg_test_. */
  isSandbox: boolean;
  /** The registration policy after the first user: open to all, each with their own shop; by invitation; or closed. */
  registration: "open" | "invite" | "closed";
  /** The mail server as smtp(s)://user:password@host:port; null if no email is sent. */
  smtpUrl: string | null;
  /** The sender of emails; set if `smtpUrl` is. */
  mailFrom: string | null;
  /** The base URL of Telegram's HTTP API, without a trailing slash. */
  telegramUrl: string;
  /** The token that grants read access to /api/metrics; null if there is none. */
  metricsToken: string | null;
  isMetricsLocal: boolean;
  /** The port of a worker's metrics; null if there are none. */
  workerMetricsPort: number | null;
  /** The recipients of alerts about the installation. */
  operator: Operator;
  /** The folders of this machine whose disks and dumps are monitored; null if a different process of the machine monitors them. */
  machineFolders: MachineFolders | null;
  /** The settings of traces; null if tracing is disabled. */
  tracing: TracingSettings | null;
  /** The number of reverse proxies in front of the service whose X-Forwarded-For entries are trusted. */
  trustedProxies: number;
}

/**
 * Settings that other modules read: the data folder of the installation, and the files of networks and rate sources.
 */
const READ_ELSEWHERE = [
  "STABLEGATE_DATA_DIR",
  "NETWORKS_FILE",
  "NETWORKS_FILE_MAY_LOWER_SAFETY",
  "NETWORKS_FILE_MAY_REPLACE_TOKENS",
  "RATES_FILE",
];

/** Returns true if a name is the name of a setting; a value under any other name would be ignored. */
export function isSetting(name: string, networks: readonly { id: string }[]): boolean {
  const ofNetwork = /^(.+)_(?:RPC_URLS|RPC_HEADERS|RPC_BUDGETS|WS_URLS|QUORUM)$/.exec(name)?.[1];
  return (
    name in Settings.shape || READ_ELSEWHERE.includes(name) || networks.some(({ id }) => id.toUpperCase() === ofNetwork)
  );
}

/** An error that lists every problem of the environment. */
export class EnvError extends Error {
  override readonly name = "EnvError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}:\n${problems.map((p) => `  - ${p}`).join("\n")}\nSee .env.example for what each setting means.`,
    );
    this.problems = problems;
  }
}

const isUrl = (text: string, ...protocols: string[]) =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol);
const list = (text: string) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);

const perMinute = z
  .string()
  .regex(/^(off|\d{1,7})$/, "must be a whole number per minute, or off")
  .transform((text) => (text === "off" ? null : Number(text)));

const Settings = z.object({
  DATABASE_URL: z
    .string("is missing; set it to a PostgreSQL URL such as postgres://user:password@host:5432/stablegate")
    .refine(isDatabaseUrl, "is not a PostgreSQL URL; use the form postgres://user:password@host:5432/stablegate"),
  DATABASE_DIRECT_URL: z
    .string()
    .refine(isDatabaseUrl, "is not a PostgreSQL URL; use the form postgres://user:password@host:5432/stablegate")
    .nullable()
    .default(null),
  DATABASE_OWNER_URL: z
    .string()
    .refine(isDatabaseUrl, "is not a PostgreSQL URL; use the form postgres://user:password@host:5432/stablegate")
    .nullable()
    .default(null),
  APP_SECRET: z
    .string("is missing; generate one with: openssl rand -base64 32")
    .min(32, "is too short: it must have at least 32 characters; generate one with: openssl rand -base64 32"),
  APP_SECRET_ALSO: z
    .string()
    .min(
      32,
      "is too short: it is the previous or next APP_SECRET during a rotation and must have at least 32 characters",
    )
    .optional(),
  PUBLIC_URL: z
    .string("is missing; set it to the URL at which payers reach this service, such as https://pay.example.com")
    .refine(
      (text) => isUrl(text, "http:", "https:") && new URL(text).pathname === "/" && !new URL(text).search,
      "must be an http(s) origin without a path, such as https://pay.example.com",
    )
    .transform((text) => new URL(text).origin),
  PORT: z
    .string()
    .default("3000")
    .refine((text) => /^\d+$/.test(text) && Number(text) < 65_536, "must be a port number from 0 to 65535")
    .transform(Number),
  HOST: z
    .string()
    .transform((text) => /^\[(.*)\]$/.exec(text)?.[1] ?? text)
    .optional(),
  CALLBACK_ALLOW_CIDRS: z
    .string()
    .default("")
    .transform(list)
    .refine(
      (items) => items.every((item) => ipaddr.isValidCIDR(item)),
      "must be a comma-separated list of address ranges such as 10.1.0.0/16",
    ),
  RATE_LIMIT_CREATES: perMinute.default(600),
  RATE_LIMIT_READS: perMinute.default(3_000),
  RATE_LIMIT_VIEWS: perMinute.refine((views) => views !== 0, "must be at least 1 per minute, or off").default(600),
  EVENT_STREAMS_PER_ADDRESS: z
    .string()
    .regex(/^(off|\d{1,5})$/, "must be a whole number of streams, or off")
    .transform((text) => (text === "off" ? null : Number(text)))
    .default(50),
  RETENTION_DAYS: z
    .string()
    .refine(
      (text) => text === "off" || (/^\d{1,5}$/.test(text) && Number(text) >= 90),
      "must be at least 90 days, or off",
    )
    .transform((text) => (text === "off" ? null : Number(text)))
    .default(null),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal"], "must be one of trace, debug, info, warn, error, fatal")
    .default("info"),
  TRUSTED_PROXIES: z
    .string()
    .default("0")
    .refine((text) => /^\d$/.test(text), "must be the number of reverse proxies in front, 0 to 9")
    .transform(Number),
  REGISTRATION: z.enum(["open", "invite", "closed"], "must be one of open, invite, closed").default("closed"),
  SMTP_URL: z
    .string()
    .refine(
      (text) => isUrl(text, "smtp:", "smtps:"),
      "is not the URL of a mail server; use the form smtps://user:password@mail.example.com:465",
    )
    .nullable()
    .default(null),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      "is not an email address; use the form Stablegate <pay@example.com>",
    )
    .nullable()
    .default(null),
  TELEGRAM_API_URL: z
    .string()
    .default("https://api.telegram.org")
    .refine((text) => isUrl(text, "http:", "https:"), "must be an http(s) URL such as https://api.telegram.org")
    .transform((text) => text.replace(/\/+$/, "")),
  ...OPERATING_SETTINGS,
  IDLE_READING: z.enum(["seldom", "often", "always"]).optional(),
  STABLEGATE_SANDBOX: z.literal("1").optional(),
});

/**
 * Reads only the URL of the database, for programs that need no other setting. If there is a pooler, returns the URL of the server itself.
 * @throws EnvError that lists all problems
 */
export function readDatabaseUrl(source: Source): string {
  const problems: string[] = [];
  const given = givenSettings(source, problems);
  if (problems.length > 0) throw new EnvError(problems);
  const name = given["DATABASE_DIRECT_URL"] ? "DATABASE_DIRECT_URL" : "DATABASE_URL";
  const parsed = Settings.shape.DATABASE_URL.safeParse(given[name]);
  if (parsed.success) return parsed.data;
  throw new EnvError(parsed.error.issues.map((issue) => `${name} ${issue.message}`));
}

/**
 * Reads the URL for creating and changing the schema: DATABASE_OWNER_URL, or the database's URL if one role does both.
 * @throws EnvError that lists all problems
 */
export function readOwnerUrl(source: Source): string {
  const problems: string[] = [];
  const given = givenSettings(source, problems);
  if (problems.length > 0) throw new EnvError(problems);
  const parsed = Settings.shape.DATABASE_OWNER_URL.safeParse(given["DATABASE_OWNER_URL"]);
  if (parsed.success) return parsed.data ?? readDatabaseUrl(source);
  throw new EnvError(parsed.error.issues.map((issue) => `DATABASE_OWNER_URL ${issue.message}`));
}

/**
 * Reads the database's URL and the secret under which its data is encrypted, for commands that need no other setting.
 * @throws EnvError that lists all problems
 */
export function readDatabaseAndSecret(source: Source): Pick<Env, "databaseUrl" | "appSecret"> {
  const names = { DATABASE_URL: true, DATABASE_DIRECT_URL: true, APP_SECRET: true, APP_SECRET_ALSO: true } as const;
  const problems: string[] = [];
  const parsed = Settings.pick(names).safeParse(givenSettings(source, problems));
  if (problems.length > 0) throw new EnvError(problems);
  if (parsed.success) {
    const { DATABASE_URL: url, DATABASE_DIRECT_URL: direct } = parsed.data;
    return { databaseUrl: direct ?? url, appSecret: toAppSecret(parsed.data.APP_SECRET, parsed.data.APP_SECRET_ALSO) };
  }
  throw new EnvError(parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`));
}

/**
 * Reads the time for which a one-off program waits for the database, in milliseconds.
 * @throws EnvError that lists all problems
 */
export function readDatabaseWaitMs(source: Source): number {
  const parsed = Settings.shape.DATABASE_WAIT_SECONDS.safeParse(source["DATABASE_WAIT_SECONDS"]?.trim() || undefined);
  if (parsed.success) return parsed.data * 1_000;
  throw new EnvError(parsed.error.issues.map((issue) => `DATABASE_WAIT_SECONDS ${issue.message}`));
}

/**
 * Reads only the networks, for programs that need no other setting.
 * @throws EnvError that lists all problems
 */
export function readNetworks(source: Source): InstalledNetworks {
  const problems: string[] = [];
  const installed = readNetworksFile(givenSettings(source, problems), problems);
  if (problems.length > 0) throw new EnvError(problems);
  return installed;
}

/**
 * Reads and checks the environment.
 * @throws EnvError that lists every missing or malformed setting
 */
export function readEnv(source: Source): Env {
  const problems: string[] = [];
  const given = givenSettings(source, problems);
  const parsed = Settings.safeParse(given);
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0]);
    // A secret file without a value was already reported.
    if (given[name] || !given[`${name}_FILE`]) problems.push(`${name} ${issue.message}`);
  }
  if (given["SMTP_URL"] && !given["MAIL_FROM"])
    problems.push("MAIL_FROM is missing; set it to the sender of emails, such as Stablegate <pay@example.com>");
  if (parsed.data?.PROCESSES === 1 && parsed.data.WEB_CONCURRENCY > 1)
    problems.push("PROCESSES is 1, which runs one web process; remove WEB_CONCURRENCY, or set PROCESSES to 2");
  const operator = parsed.success ? toOperator(parsed.data, parsed.data.SMTP_URL !== null, problems) : null;
  const installed = readNetworksFile(given, problems);
  const endpoints = readNetworkSettings(installed.networks, given, problems);
  const rateSources = readRateSources(given, problems);
  if (!parsed.success || !operator || problems.length > 0) throw new EnvError(problems);
  const settings = parsed.data;
  return {
    databaseUrl: settings.DATABASE_URL,
    databaseDirectUrl: settings.DATABASE_DIRECT_URL,
    databaseReplicaUrl: settings.DATABASE_REPLICA_URL,
    appSecret: toAppSecret(settings.APP_SECRET, settings.APP_SECRET_ALSO),
    publicUrl: settings.PUBLIC_URL,
    port: settings.PORT,
    host: settings.HOST ?? (settings.TRUSTED_PROXIES > 0 ? "127.0.0.1" : "0.0.0.0"),
    listenFd: givenSocket(source),
    webConcurrency: settings.WEB_CONCURRENCY,
    isOneProcess: settings.PROCESSES === 1,
    ...installed,
    ...endpoints,
    callbackAllowCidrs: settings.CALLBACK_ALLOW_CIDRS,
    rateSources,
    createsPerMinute: settings.RATE_LIMIT_CREATES,
    readsPerMinute: settings.RATE_LIMIT_READS,
    viewsPerMinute: settings.RATE_LIMIT_VIEWS,
    streamsPerAddress: settings.EVENT_STREAMS_PER_ADDRESS,
    retentionDays: settings.RETENTION_DAYS,
    logLevel: settings.LOG_LEVEL,
    idleReading: settings.IDLE_READING ?? (settings.STABLEGATE_SANDBOX === "1" ? "often" : "seldom"),
    isSandbox: settings.STABLEGATE_SANDBOX === "1",
    metricsToken: settings.METRICS_TOKEN,
    isMetricsLocal: settings.METRICS_ACCESS === "loopback",
    workerMetricsPort: settings.WORKER_METRICS_PORT,
    operator,
    machineFolders: { dataFolder: settings.DATA_FOLDER, dumpFolder: settings.DUMP_FOLDER },
    tracing: toTracing(settings),
    trustedProxies: settings.TRUSTED_PROXIES,
    registration: settings.REGISTRATION,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    telegramUrl: settings.TELEGRAM_API_URL,
  };
}
