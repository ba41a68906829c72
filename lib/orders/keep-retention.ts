import type { Db } from "@/db/client";
import { pruneAccountEmails } from "@/db/queries/notifications/account-emails";
import { pruneNotifications } from "@/db/queries/notifications/outbox";
import {
  dropMonths,
  listUnpaidDays,
  makeMonths,
  markPrunable,
  pruneOrders,
  pruneUnmatched,
} from "@/db/queries/orders/retention";
import { pruneChallenges } from "@/db/queries/users/factors";
import { pruneInvitations } from "@/db/queries/users/invitations";
import { pruneSessions } from "@/db/queries/users/sessions";

const BATCH = 500;
const SHOPS = 100;
const DAY_MS = 86_400_000;
/**
 * The retention of sessions. A session lasts a week. Its row, which contains an IP address, is retained a month longer, regardless of the
 * setting.
 */
const SESSION_DAYS = 37;
/** The retention of invitations after they expire. The audit log still contains the invited user and the inviter. */
const INVITATION_DAYS = 30;
/** The retention of sent notifications, long enough that no event is reported twice. */
const NOTIFICATION_DAYS = 30;

/**
 * Creates the partitions of upcoming months and deletes data older than `days`, in small steps. History is deleted by whole months. Closed
 * orders without any transfer are deleted with all their data, or sooner if their shop is configured to do so. Transfers and their orders
 * are kept. If `days` is null, only data configured by shops and expired sessions, invitations and notifications are deleted. Safe to
 * repeat and to run in several workers.
 * @param now by the database's clock
 * @returns the number of deleted orders and history rows; more may remain if it is not 0
 */
export async function keepRetention(db: Db, days: number | null, now: Date): Promise<number> {
  await makeMonths(db, now);
  await pruneSessions(db, new Date(now.getTime() - SESSION_DAYS * DAY_MS), BATCH);
  await pruneInvitations(db, new Date(now.getTime() - INVITATION_DAYS * DAY_MS), BATCH);
  await pruneNotifications(db, new Date(now.getTime() - NOTIFICATION_DAYS * DAY_MS), BATCH);
  await pruneAccountEmails(db, new Date(now.getTime() - 2 * DAY_MS), BATCH);
  await pruneChallenges(db, new Date(now.getTime() - DAY_MS), BATCH);
  const unpaid = await pruneByShop(db, now);
  if (days === null) return unpaid;
  const before = new Date(now.getTime() - days * DAY_MS);
  await dropMonths(db, before);
  const unmatched = await pruneUnmatched(db, before, BATCH);
  await markPrunable(db, { before }, BATCH);
  return unpaid + unmatched + (await pruneOrders(db, { before }, BATCH));
}

async function pruneByShop(db: Db, now: Date): Promise<number> {
  let gone = 0;
  let after = "";
  for (;;) {
    const shops = await listUnpaidDays(db, after, SHOPS);
    for (const { merchantId, days } of shops) {
      const old = { merchantId, before: new Date(now.getTime() - days * DAY_MS) };
      await markPrunable(db, old, BATCH);
      gone += await pruneOrders(db, old, BATCH);
    }
    after = shops.at(-1)?.merchantId ?? "";
    if (shops.length < SHOPS) return gone;
  }
}
