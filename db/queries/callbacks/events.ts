import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { eventCounters, events } from "@/db/schema";

const MAX_NUMBERED = 5_000;

/**
 * Returns a merchant's events with numbers above `after`, oldest first. This function assigns the numbers to committed events, in one
 * transaction at a time. No event gets a lower number than an event that was already returned, however long its own transaction took.
 */
export async function listEvents(
  db: Db,
  merchantId: string,
  after: number,
  limit: number,
): Promise<{ number: number; body: string }[]> {
  await numberEvents(db, merchantId);
  const rows = await db
    .select({ number: events.number, body: events.body })
    .from(events)
    .where(and(eq(events.merchantId, merchantId), gt(events.number, after)))
    .orderBy(asc(events.number))
    .limit(limit);
  return rows.map(({ number, body }) => ({ number: number ?? 0, body }));
}

async function numberEvents(db: Db, merchantId: string): Promise<void> {
  const isNew = and(eq(events.merchantId, merchantId), isNull(events.number));
  const [any] = await db.select({ id: events.id }).from(events).where(isNew).limit(1);
  if (!any) return;
  await db.transaction(async (tx) => {
    await tx.insert(eventCounters).values({ merchantId, last: 0 }).onConflictDoNothing();
    const [counter] = await tx
      .select({ last: eventCounters.last })
      .from(eventCounters)
      .where(eq(eventCounters.merchantId, merchantId))
      .for("update");
    const last = counter?.last ?? 0;
    // The statement is separate, so that it sees the numbers of the previous transaction.
    const numbered = await tx.execute(sql`
      update events e set number = ${last}::bigint + news.place
      from (
        select id, row_number() over (order by position) as place from events
        where merchant_id = ${merchantId} and number is null order by position limit ${MAX_NUMBERED}) news
      where e.id = news.id and e.merchant_id = ${merchantId} returning 1`);
    await tx
      .update(eventCounters)
      .set({ last: last + numbered.length })
      .where(eq(eventCounters.merchantId, merchantId));
  });
}
