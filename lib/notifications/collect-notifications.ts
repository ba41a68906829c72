import type { Db } from "@/db/client";
import {
  countWaiting,
  hasChoices,
  insertNotifications,
  listNotificationFacts,
  listReportReaders,
  lockNotificationCursor,
  MAX_EVENTS,
  moveNotificationCursor,
  type NewNotification,
  type ReportReader,
} from "@/db/queries/notifications/facts";
import { listTotals } from "@/db/queries/orders/totals";
import { dueReport, type FactsOf, NOTIFICATION_KINDS } from "@/lib/domain/notifications/notification";

/**
 * The maximum delay between the time of an event and its insertion. Events of a worker's round have the time at which the round started.
 */
const LATE_MS = 900_000;
/**
 * The period that every round searches, because most events are written with little delay. Once a minute, a round searches the whole
 * period of `LATE_MS`.
 */
const SOON_MS = 120_000;
const MINUTE_MS = 60_000;
/** The maximum age of events that are collected after a long interruption. */
const OLDEST_MS = 86_400_000;

/**
 * Writes the events to which users subscribed into the outbox, each fact once per channel. The number of statements is bounded for any
 * number of shops; without subscriptions, it runs one cheap query. It reads only data that payments have already written, so it never
 * delays them. Safe to repeat and to run in any number of workers.
 * @param networks the ids of the networks that are read
 * @param now by the database's clock
 * @returns the number of facts added
 */
export async function collectNotifications(db: Db, networks: readonly string[], now: Date): Promise<number> {
  if (!(await hasChoices(db))) return 0;
  return db.transaction(async (tx) => {
    const readTo = await lockNotificationCursor(tx, now);
    if (readTo === null) return 0;
    const isDeep = Math.floor(readTo.getTime() / MINUTE_MS) !== Math.floor(now.getTime() / MINUTE_MS);
    const since = Math.max(readTo.getTime() - (isDeep ? LATE_MS : SOON_MS), now.getTime() - OLDEST_MS);
    const search = { networks, since: new Date(since) };
    let pending = 0;
    let isAll = true;
    for (const kind of NOTIFICATION_KINDS) {
      const events = await listNotificationFacts(tx, kind, search, now);
      pending += await insertNotifications(tx, events, now);
      if (events.length >= MAX_EVENTS) isAll = false;
    }
    pending += await insertNotifications(tx, await listReports(tx, now), now);
    if (isAll) await moveNotificationCursor(tx, now);
    return pending;
  });
}

/** Returns the due reports. Each shop is counted once for all users who receive its report in one time zone. */
async function listReports(tx: Db, now: Date): Promise<NewNotification[]> {
  const readers = await listReportReaders(tx);
  const pending = readers.flatMap((reader) => {
    const report = dueReport(reader.timeZone, reader.reportHour, now);
    return report && (reader.lastDay ?? "") < report.day ? [{ reader, report }] : [];
  });
  const counted = new Map<string, FactsOf["dailyReport"]>();
  const rows: NewNotification[] = [];
  for (const { reader, report } of pending) {
    const key = `${reader.merchantId} ${report.from.toISOString()}`;
    const facts = counted.get(key) ?? (await countDay(tx, reader, report));
    counted.set(key, facts);
    const { merchantId, channelId } = reader;
    rows.push({ merchantId, channelId, kind: "dailyReport", factKey: report.day, facts: { ...facts } });
  }
  return rows;
}

async function countDay(
  tx: Db,
  { merchantId }: ReportReader,
  { day, from, to }: { day: string; from: Date; to: Date },
): Promise<FactsOf["dailyReport"]> {
  const hours = await listTotals(tx, merchantId, { since: from, step: "hour" });
  const ofDay = hours.filter(({ at }) => at < to);
  const tokens = Map.groupBy(
    ofDay.filter(({ paidUnits }) => paidUnits > 0n),
    ({ network, currency }) => `${network} ${currency}`,
  );
  const sums = [...tokens.values()].flatMap((rows) => {
    const [first] = rows;
    const units = rows.reduce((sum, { paidUnits }) => sum + paidUnits, 0n);
    return first ? [{ network: first.network, currency: first.currency, units: units.toString() }] : [];
  });
  const sum = (of: "created" | "paid") => ofDay.reduce((total, row) => total + row[of], 0);
  return { day, created: sum("created"), paid: sum("paid"), sums, ...(await countWaiting(tx, merchantId)) };
}
