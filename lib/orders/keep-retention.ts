import type { Db } from "@/db/client";
import { pruneAccountLetters } from "@/db/queries/notifications/account-letters";
import { pruneNotifications } from "@/db/queries/notifications/outbox";
import {
  dropMonths,
  listUnpaidDays,
  makeMonths,
  markPrunable,
  pruneLoose,
  pruneOrders,
} from "@/db/queries/orders/retention";
import { pruneChallenges } from "@/db/queries/users/factors";
import { pruneInvitations } from "@/db/queries/users/invitations";
import { pruneSessions } from "@/db/queries/users/sessions";

const BATCH = 500;
const SHOPS = 100;
const DAY_MS = 86_400_000;
/** A session lasts a week; what is left of it, with an IP address, is kept a month longer whatever the setting. */
const SESSION_DAYS = 37;
/** After it ran out; who was invited, by whom, stays in the record. */
const INVITATION_DAYS = 30;
/** Of what was told: long enough that no fact is told twice. */
const NOTIFICATION_DAYS = 30;

/**
 * Makes the months of history that come, and deletes what is older than `days`, a small step each time: history by whole months,
 * orders at rest that no money ever reached, with all that belongs to them, sooner where their shop says so; money and its orders
 * stay. Null days: nothing is deleted but what shops say, and sessions, invitations and notifications that are long over. Safe to repeat, by any number of workers.
 * @param now by the database's clock
 * @returns how many orders and lines of history went; more may wait when it is not 0
 */
export async function keepRetention(db: Db, days: number | null, now: Date): Promise<number> {
  await makeMonths(db, now);
  await pruneSessions(db, new Date(now.getTime() - SESSION_DAYS * DAY_MS), BATCH);
  await pruneInvitations(db, new Date(now.getTime() - INVITATION_DAYS * DAY_MS), BATCH);
  await pruneNotifications(db, new Date(now.getTime() - NOTIFICATION_DAYS * DAY_MS), BATCH);
  await pruneAccountLetters(db, new Date(now.getTime() - 2 * DAY_MS), BATCH);
  await pruneChallenges(db, new Date(now.getTime() - DAY_MS), BATCH);
  const unpaid = await pruneByShop(db, now);
  if (days === null) return unpaid;
  const before = new Date(now.getTime() - days * DAY_MS);
  await dropMonths(db, before);
  const loose = await pruneLoose(db, before, BATCH);
  await markPrunable(db, { before }, BATCH);
  return unpaid + loose + (await pruneOrders(db, { before }, BATCH));
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
