import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, notInArray, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { merchants, notificationChannels, notifications } from "@/db/schema";
import { type NotificationKind, STORM_MS, type Way } from "@/lib/domain/notifications/notification";
import type { Problem } from "@/lib/domain/problems/problem";

/** The data of a channel that a sender needs. */
export interface DueChannel {
  id: string;
  merchantId: string;
  /** The name of the shop. */
  shop: string;
  way: Way;
  targetCipher: string;
  language: string;
}

/** The maximum number of facts in one message. */
const MAX_LISTED = 1_000;

/**
 * Returns the channel of a transport with the oldest due message, locked until this transaction ends.
 * @param except ids of channels that are being served
 */
export async function lockDueChannel(
  tx: Db,
  { way, except }: { way: Way; except: readonly string[] },
  now: Date,
): Promise<DueChannel | null> {
  const [row] = await tx
    .select({
      id: notificationChannels.id,
      merchantId: notificationChannels.merchantId,
      shop: merchants.name,
      way: notificationChannels.way,
      targetCipher: notificationChannels.targetCipher,
      language: notificationChannels.language,
    })
    .from(notifications)
    .innerJoin(
      notificationChannels,
      and(
        eq(notificationChannels.id, notifications.channelId),
        eq(notificationChannels.merchantId, notifications.merchantId),
      ),
    )
    .innerJoin(merchants, eq(merchants.id, notifications.merchantId))
    .where(
      and(
        lte(notifications.dueAt, now),
        eq(notificationChannels.way, way),
        except.length > 0 ? notInArray(notificationChannels.id, [...except]) : undefined,
      ),
    )
    .orderBy(asc(notifications.dueAt), asc(notifications.id))
    .limit(1)
    .for("update", { of: notificationChannels, skipLocked: true });
  return row ?? null;
}

type Of = Pick<DueChannel, "id" | "merchantId">;
const isOf = ({ id, merchantId }: Of) => and(eq(notifications.merchantId, merchantId), eq(notifications.channelId, id));

/** A fact in the outbox. */
export interface DueFact {
  id: string;
  kind: NotificationKind;
  facts: Record<string, unknown>;
  messageId: string | null;
  attempts: number;
  /** True if the fact became due later than it was enqueued. A fact without attempts was then postponed behind other facts of its kind. */
  isHeld: boolean;
}

const FACT = {
  id: notifications.id,
  kind: notifications.kind,
  facts: notifications.facts,
  messageId: notifications.messageId,
  attempts: notifications.attempts,
  isHeld: sql<boolean>`${notifications.dueAt} > ${notifications.createdAt}`,
};

/**
 * Returns the oldest due fact of a channel and the facts that belong to its message, oldest first. If the fact has no message yet, returns
 * all due facts of its kind that have none.
 */
export async function listDueFacts(tx: Db, channel: Of, now: Date): Promise<DueFact[]> {
  const isDue = and(isOf(channel), lte(notifications.dueAt, now));
  const [first] = await tx
    .select(FACT)
    .from(notifications)
    .where(isDue)
    .orderBy(asc(notifications.dueAt), asc(notifications.id))
    .limit(1);
  if (!first) return [];
  const isSame = first.messageId
    ? and(isOf(channel), eq(notifications.messageId, first.messageId), isNotNull(notifications.dueAt))
    : and(isDue, eq(notifications.kind, first.kind), isNull(notifications.messageId));
  return tx.select(FACT).from(notifications).where(isSame).orderBy(asc(notifications.id)).limit(MAX_LISTED);
}

/** Returns the times of the last messages of a kind to a channel. */
export async function listSentTimes(tx: Db, channel: Of, kind: NotificationKind, now: Date): Promise<Date[]> {
  const rows = await tx
    .select({ at: sql<string>`max(${notifications.sentAt})` })
    .from(notifications)
    .where(
      and(isOf(channel), eq(notifications.kind, kind), gt(notifications.sentAt, new Date(now.getTime() - STORM_MS))),
    )
    .groupBy(notifications.messageId)
    .orderBy(desc(sql`max(${notifications.sentAt})`))
    .limit(100);
  return rows.map(({ at }) => new Date(at));
}

/** Postpones all facts of a kind in a channel that are not part of a message yet. */
export async function postponeFacts(tx: Db, channel: Of, kind: NotificationKind, until: Date): Promise<void> {
  await tx
    .update(notifications)
    .set({ dueAt: until })
    .where(
      and(isOf(channel), eq(notifications.kind, kind), isNull(notifications.messageId), lt(notifications.dueAt, until)),
    );
}

/** Claims facts for one message until a lease ends, and counts one more attempt. */
export async function leaseFacts(
  tx: Db,
  channel: Of,
  { ids, messageId, until }: { ids: readonly string[]; messageId: string; until: Date },
): Promise<void> {
  await tx
    .update(notifications)
    .set({ messageId, dueAt: until, attempts: sql`${notifications.attempts} + 1` })
    .where(and(isOf(channel), inArray(notifications.id, [...ids])));
}

/** The result of a message: sent, to be retried at a time, or failed. */
export type Settled = { sentAt: Date } | { dueAt: Date } | { failedAt: Date };

/**
 * Stores the result of a message and the state of its channel, provided that the claim on the message is still valid.
 * @param problem the reason why the message was not sent; null if it was sent
 * @returns false if another sender has claimed it meanwhile
 */
export async function settleMessage(
  tx: Db,
  channel: Of,
  { messageId, until, settled, problem }: { messageId: string; until: Date; settled: Settled; problem: Problem | null },
): Promise<boolean> {
  const rows = await tx
    .update(notifications)
    .set({ dueAt: null, ...settled })
    .where(and(isOf(channel), eq(notifications.messageId, messageId), eq(notifications.dueAt, until)))
    .returning({ id: notifications.id });
  if (rows.length > 0) await updateChannelProblem(tx, channel, problem);
  return rows.length > 0;
}

/** Stores the reason why the last message to a channel was not delivered; null if it was delivered. */
export async function updateChannelProblem(tx: Db, { id, merchantId }: Of, problem: Problem | null): Promise<void> {
  await tx
    .update(notificationChannels)
    .set({ problem })
    .where(and(eq(notificationChannels.id, id), eq(notificationChannels.merchantId, merchantId)));
}

/**
 * Deletes messages that were sent or failed before a given time, at most `limit`.
 * @returns the number of deleted messages
 */
export async function pruneNotifications(db: Db, before: Date, limit: number): Promise<number> {
  const old = db
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(lt(notifications.createdAt, before), isNull(notifications.dueAt)))
    .limit(limit);
  const rows = await db.delete(notifications).where(inArray(notifications.id, old)).returning({ id: notifications.id });
  return rows.length;
}
