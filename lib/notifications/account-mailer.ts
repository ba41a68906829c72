import type { Db } from "@/db/client";
import { type AccountEmail, claimAccountEmails, settleAccountEmails } from "@/db/queries/notifications/account-emails";
import { emailLifetimeMs, type SecurityFact } from "@/lib/domain/notifications/account-email";
import { retryAfterMs } from "@/lib/domain/notifications/notification";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { problem } from "@/lib/domain/problems/problem";
import type { Log } from "@/lib/log";
import type { Delivery, Email, PostOffice } from "@/lib/notifications/mail-transport";

/** The content of an email to a user. */
export type AccountMessage =
  | { type: "passwordReset"; url: string; from: string }
  | { type: "securityChanged"; facts: readonly SecurityFact[] };

/** Renders an email to a user about their own account. */
export type RenderAccountEmail = (
  message: AccountMessage,
  to: { language: string; email: string },
) => Pick<Email, "title" | "text" | "mailText" | "mailHtml">;

export interface AccountMailContext {
  office: PostOffice;
  write: RenderAccountEmail;
  /** Creates the link that sets a new password; null if no user has the email address. */
  openReset(email: string, from: string, now: Date): Promise<string | null>;
  log: Log;
  now(): Date;
  /** Returns the jitter, from 0 to 1; Math.random by default. */
  random?: () => number;
  /** The duration of a claim, well beyond the longest attempt. */
  leaseMs?: number;
}

/** A sender of pending emails to users, a few at a time. */
export interface AccountMailer {
  /**
   * Claims due emails and starts sending them, without waiting for the mail server.
   * @returns the number of emails whose sending started
   */
  tick(): Promise<number>;
  /** Waits until no email is being sent. */
  settled(): Promise<void>;
  /** Stops sending new emails and waits for those in progress. */
  drain(): Promise<void>;
}

const LEASE_MS = 90_000;
const CONCURRENCY = 8;

/**
 * Creates a mailer for one process; any number of processes share the work through the database. Without a mail server, it does nothing.
 */
export function createAccountMailer(db: Db, ctx: AccountMailContext): AccountMailer {
  let isDraining = false;
  const underWay = new Set<Promise<void>>();
  const start = (emails: AccountEmail[], until: Date) => {
    const ids = emails.map(({ id }) => id);
    const work: Promise<void> = sendEmails(ctx, emails)
      .then((again) => settleAccountEmails(db, { ids, until, again }))
      .catch((err: unknown) => ctx.log.error({ err }, "an account email was not recorded"))
      .finally(() => underWay.delete(work));
    underWay.add(work);
  };
  const settled = async () => {
    while (underWay.size > 0) await Promise.all(underWay);
  };
  return {
    async tick() {
      if (!ctx.office.isOpen("email")) return 0;
      let started = 0;
      while (!isDraining && underWay.size < CONCURRENCY) {
        const now = ctx.now();
        const until = new Date(now.getTime() + (ctx.leaseMs ?? LEASE_MS));
        const emails = await db.transaction((tx) => claimAccountEmails(tx, until, now));
        if (!emails) break;
        if (emails.length === 0) continue;
        start(emails, until);
        started += 1;
      }
      return started;
    },
    settled,
    async drain() {
      isDraining = true;
      await settled();
    },
  };
}

/**
 * Sends pending emails of one user as a single email.
 * @returns the time of the next attempt; null if it is sent, too late or permanently rejected
 */
async function sendEmails(ctx: AccountMailContext, emails: readonly AccountEmail[]): Promise<Date | null> {
  const now = ctx.now();
  const fresh = emails.filter(({ kind, createdAt }) => createdAt.getTime() + emailLifetimeMs(kind) > now.getTime());
  const last = fresh.at(-1);
  if (!last) return null;
  const delivery = await attempt(ctx, fresh, last, now).catch((error: unknown): Delivery => {
    ctx.log.error({ err: error, id: last.id }, "an account email could not be rendered");
    return { kind: "failed", problem: problem("account_mail_not_written"), isFinal: false };
  });
  if (delivery.kind === "sent") return null;
  ctx.log.warn({ id: last.id, kind: last.kind, problem: inEnglish(delivery.problem) }, "an account email was rejected");
  const attempts = Math.min(...fresh.map((one) => one.attempts));
  const waitMs = delivery.isFinal ? null : retryAfterMs(attempts, (ctx.random ?? Math.random)());
  return waitMs === null ? null : new Date(ctx.now().getTime() + waitMs);
}

async function attempt(
  ctx: AccountMailContext,
  emails: readonly AccountEmail[],
  last: AccountEmail,
  now: Date,
): Promise<Delivery> {
  const { email, language, kind } = last;
  const message = await messageFor(ctx, emails, last, now);
  // No user has this email address, and the response to the request did not reveal that.
  if (!message) return { kind: "sent" };
  const mail = ctx.write(message, { language, email });
  // The id is that of the newest email, because an added fact makes a retried email a different one.
  const rest = { id: last.id, kind, shop: "", facts: [], unsubscribeUrl: null };
  return ctx.office.send({ way: "email", email }, { ...mail, ...rest }, now);
}

async function messageFor(
  ctx: AccountMailContext,
  emails: readonly AccountEmail[],
  last: AccountEmail,
  now: Date,
): Promise<AccountMessage | null> {
  if (last.kind === "securityChanged")
    return { type: last.kind, facts: emails.map(({ facts }) => facts as unknown as SecurityFact) };
  const from = String(last.facts["from"] ?? "");
  const url = await ctx.openReset(last.email, from, now);
  return url === null ? null : { type: last.kind, url, from };
}
