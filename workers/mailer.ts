import { renderAccountEmail, renderNotification } from "@/components/notifications/render-email";
import type { Db } from "@/db/client";
import type { Env } from "@/lib/config/env";
import type { Log } from "@/lib/log";
import { type AccountMailer, createAccountMailer } from "@/lib/notifications/account-mailer";
import { openPostOffice, type PostOffice } from "@/lib/notifications/mail-transport";
import { createNotificationSender, type NotificationSender } from "@/lib/notifications/notification-sender";
import { openReset } from "@/lib/users/reset-link";
import packageJson from "@/package.json" with { type: "json" };

/** Opens the mail and message transports of the installation, by its settings. */
const officeOf = ({ smtpUrl, mailFrom, telegramUrl, callbackAllowCidrs: allowCidrs }: Env): PostOffice =>
  openPostOffice({ smtpUrl, mailFrom, telegramUrl, allowCidrs, version: packageJson.version });

interface Sending {
  env: Env;
  log: Log;
  now: () => Date;
}

/** Creates the sender of notifications to which merchants subscribed, over each channel. */
export function createNotifier(db: Db, { env, log, now }: Sending): NotificationSender {
  const { appSecret, publicUrl } = env;
  const write = renderNotification.bind(null, publicUrl);
  return createNotificationSender(db, { appSecret, publicUrl, office: officeOf(env), write, log, now });
}

/** Creates the sender of account emails to users; it runs independently of notifications. */
export function createMailer(db: Db, { env, log, now }: Sending): AccountMailer {
  const write = renderAccountEmail.bind(null, env.publicUrl);
  const open = (email: string, from: string, at: Date) => openReset(db, env.publicUrl, { email, from }, at);
  return createAccountMailer(db, { office: officeOf(env), write, openReset: open, log, now });
}
