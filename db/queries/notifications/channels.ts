import { and, asc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { merchants, notificationChannels, notificationChoices } from "@/db/schema";
import type { NotificationKind, Way } from "@/lib/domain/notifications/notification";
import type { Problem } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";

/** The owner of a channel: a user in one shop. */
export interface Owner {
  merchantId: string;
  userId: string;
  /** The origin of the request. */
  from?: RequestOrigin | undefined;
}

export interface NewChannel extends Owner {
  id: string;
  way: Way;
  shown: string;
  targetCipher: string;
  language: string;
  timeZone: string;
  reportHour: number;
  codeHash: string | null;
  codeExpiresAt: Date | null;
}

/** Adds a channel. No messages are enqueued for it until it is verified. */
export async function insertChannel(db: Db, channel: NewChannel, now: Date): Promise<void> {
  await db.insert(notificationChannels).values({ ...channel, createdAt: now });
}

const isOwn = ({ merchantId, userId }: Owner) =>
  and(eq(notificationChannels.merchantId, merchantId), eq(notificationChannels.userId, userId));

/** A channel as shown to its owner. */
export interface ChannelRow {
  id: string;
  way: Way;
  shown: string;
  timeZone: string;
  reportHour: number;
  verifiedAt: Date | null;
  problem: Problem | null;
  kinds: NotificationKind[];
}

/** Returns a user's channels in a shop, oldest first, with the events of each. */
export async function listChannels(db: Db, owner: Owner): Promise<ChannelRow[]> {
  const rows = await db
    .select({
      id: notificationChannels.id,
      way: notificationChannels.way,
      shown: notificationChannels.shown,
      timeZone: notificationChannels.timeZone,
      reportHour: notificationChannels.reportHour,
      verifiedAt: notificationChannels.verifiedAt,
      problem: notificationChannels.problem,
    })
    .from(notificationChannels)
    .where(isOwn(owner))
    .orderBy(asc(notificationChannels.createdAt), asc(notificationChannels.id));
  const ids = rows.map(({ id }) => id);
  const choices = await db
    .select({ channelId: notificationChoices.channelId, kind: notificationChoices.kind })
    .from(notificationChoices)
    .where(and(eq(notificationChoices.merchantId, owner.merchantId), inArray(notificationChoices.channelId, ids)));
  const kindsOf = Map.groupBy(choices, ({ channelId }) => channelId);
  return rows.map((row) => ({ ...row, kinds: (kindsOf.get(row.id) ?? []).map(({ kind }) => kind) }));
}

/** Returns one of a user's channels with its credentials; null if there is none with that id. */
export async function findChannel(db: Db, owner: Owner, id: string) {
  const [row] = await db
    .select({
      id: notificationChannels.id,
      merchantId: notificationChannels.merchantId,
      shop: merchants.name,
      way: notificationChannels.way,
      targetCipher: notificationChannels.targetCipher,
      language: notificationChannels.language,
      verifiedAt: notificationChannels.verifiedAt,
    })
    .from(notificationChannels)
    .innerJoin(merchants, eq(merchants.id, notificationChannels.merchantId))
    .where(and(isOwn(owner), eq(notificationChannels.id, id)));
  return row ?? null;
}

/** Stores the code that was sent to a channel. */
export async function updateCode(db: Db, owner: Owner, id: string, codeHash: string, expiresAt: Date): Promise<void> {
  await db
    .update(notificationChannels)
    .set({ codeHash, codeExpiresAt: expiresAt })
    .where(and(isOwn(owner), eq(notificationChannels.id, id), isNull(notificationChannels.verifiedAt)));
}

/**
 * Marks a channel as verified by its owner.
 * @param codeHash the hash of the entered code; null if no code is required
 * @returns null if the code is wrong or expired, or if the channel no longer exists
 */
export async function verifyChannel(
  db: Db,
  owner: Owner,
  { id, codeHash }: { id: string; codeHash: string | null },
  now: Date,
): Promise<string | null> {
  const isRight =
    codeHash === null
      ? undefined
      : and(eq(notificationChannels.codeHash, codeHash), gt(notificationChannels.codeExpiresAt, now));
  const [row] = await db
    .update(notificationChannels)
    .set({ verifiedAt: now, codeHash: null, codeExpiresAt: null })
    .where(and(isOwn(owner), eq(notificationChannels.id, id), isRight))
    .returning({ shown: notificationChannels.shown });
  return row?.shown ?? null;
}

/** Removes a channel with its choices and pending messages. Returns its description, or null if there is none with that id. */
export async function deleteChannel(db: Db, owner: Owner, id: string): Promise<string | null> {
  const [row] = await db
    .delete(notificationChannels)
    .where(and(isOwn(owner), eq(notificationChannels.id, id)))
    .returning({ shown: notificationChannels.shown });
  return row?.shown ?? null;
}

/** Sets the events of a user's channels to exactly these pairs of channel and kind. Pairs of other users' channels are ignored. */
export async function replaceChoices(
  tx: Db,
  owner: Owner,
  wanted: readonly { channelId: string; kind: NotificationKind }[],
  now: Date,
): Promise<void> {
  const own = tx.select({ id: notificationChannels.id }).from(notificationChannels).where(isOwn(owner));
  const ids = new Set((await own).map(({ id }) => id));
  const rows = wanted.filter(({ channelId }) => ids.has(channelId));
  const isWanted = rows.map(({ channelId, kind }) => sql`(${channelId}::text, ${kind}::text)`);
  const pair = sql`(${notificationChoices.channelId}, ${notificationChoices.kind})`;
  await tx
    .delete(notificationChoices)
    .where(
      and(
        eq(notificationChoices.merchantId, owner.merchantId),
        inArray(notificationChoices.channelId, [...ids]),
        rows.length > 0 ? sql`${pair} not in (${sql.join(isWanted, sql`, `)})` : undefined,
      ),
    );
  if (rows.length === 0) return;
  await tx
    .insert(notificationChoices)
    .values(rows.map((row) => ({ ...row, merchantId: owner.merchantId, since: now })))
    .onConflictDoNothing();
}

/** Sets the hour and time zone of a user's daily reports, in all channels. */
export async function updateReportTime(
  tx: Db,
  owner: Owner,
  { timeZone, reportHour }: { timeZone: string; reportHour: number },
): Promise<void> {
  await tx.update(notificationChannels).set({ timeZone, reportHour }).where(isOwn(owner));
}

/** Unsubscribes a channel from an event, regardless of its owner. Returns false if the channel was not subscribed. */
export async function deleteChoice(
  db: Db,
  { merchantId, channelId, kind }: { merchantId: string; channelId: string; kind: NotificationKind },
): Promise<boolean> {
  const rows = await db
    .delete(notificationChoices)
    .where(
      and(
        eq(notificationChoices.merchantId, merchantId),
        eq(notificationChoices.channelId, channelId),
        eq(notificationChoices.kind, kind),
      ),
    )
    .returning({ kind: notificationChoices.kind });
  return rows.length === 1;
}
