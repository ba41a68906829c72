import { and, desc, eq, gt, inArray, isNull, lt, ne, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { sessions } from "@/db/schema";
import type { Role } from "@/lib/domain/keys/role";

const isoOf = (at: Date) => sql`${at.toISOString()}::timestamptz`;

interface NewSession {
  id: string;
  userId: string;
  /** The hash against which the password was verified. */
  passwordHash: string;
  network: string;
  browser: string;
}

/**
 * Creates a session for a user, with the shop of their previous session selected.
 * @returns false if the password has changed since it was verified, or the user no longer exists
 */
export async function insertSession(db: Db, session: NewSession, now: Date): Promise<boolean> {
  const { id, userId, passwordHash, network, browser } = session;
  // The lock serializes this with a password change. Either the change waits for this row and ends the session, or this statement waits
  // and finds a different hash.
  const rows = await db.execute(sql`
    with person as materialized (
      select u.id from users u where u.id = ${userId} and u.password_hash = ${passwordHash} for share)
    insert into sessions (id, user_id, merchant_id, created_at, last_seen_at, network, browser, strong_at)
    select ${id}, person.id, (
      select s.merchant_id from sessions s where s.user_id = person.id order by s.created_at desc limit 1),
      ${isoOf(now)}, ${isoOf(now)}, ${network}, ${browser}, ${isoOf(now)} from person
    returning 1`);
  return rows.length === 1;
}

/** A shop of a user, with their role in it. */
export interface ShopOfPerson {
  id: string;
  name: string;
  role: Role;
  /** True if the shop requires second factors. */
  asksFactor: boolean;
}

export interface SessionRow {
  id: string;
  userId: string;
  email: string;
  name: string | null;
  isOperator: boolean;
  /** The shop that was selected last. The user may no longer be a member of it. */
  merchantId: string | null;
  createdAt: Date;
  lastSeenAt: Date;
  strongAt: Date;
  /** True if one-time codes are required in addition to the password. */
  hasTotp: boolean;
  passkeys: number;
  /** The user's shops, ordered by name. */
  shops: ShopOfPerson[];
}

/** Returns an active session with its user and their current shops; null if it has ended or began before `since`. */
export async function findSessionRow(db: Db, id: string, since: Date): Promise<SessionRow | null> {
  const [row] = await db.execute<{
    user_id: string;
    email: string;
    name: string | null;
    is_operator: boolean;
    merchant_id: string | null;
    created_at: string;
    last_seen_at: string;
    strong_at: string;
    has_totp: boolean;
    passkeys: number;
    shops: ShopOfPerson[];
  }>(sql`
    select s.user_id, u.email, u.name, u.is_operator, s.merchant_id, s.created_at, s.last_seen_at, s.strong_at,
      u.totp_since is not null as has_totp, (select count(*)::int from passkeys p where p.user_id = u.id) as passkeys,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', m.merchant_id, 'name', c.name, 'role', m.role,
          'asksFactor', c.asks_second_factor) order by c.name, c.id)
        from memberships m join merchants c on c.id = m.merchant_id where m.user_id = s.user_id), '[]') as shops
    from sessions s join users u on u.id = s.user_id
    where s.id = ${id} and s.ended_at is null and s.created_at > ${isoOf(since)}`);
  if (!row) return null;
  return {
    id,
    userId: row.user_id,
    email: row.email,
    name: row.name,
    isOperator: row.is_operator,
    merchantId: row.merchant_id,
    shops: row.shops,
    hasTotp: row.has_totp,
    passkeys: row.passkeys,
    createdAt: new Date(row.created_at),
    lastSeenAt: new Date(row.last_seen_at),
    strongAt: new Date(row.strong_at),
  };
}

/** Records that a session was used, unless its last use is recent. */
export async function touchSession(db: Db, id: string, before: Date, now: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: now })
    .where(and(eq(sessions.id, id), lt(sessions.lastSeenAt, before), isNull(sessions.endedAt)));
}

/**
 * Records that the user of a session has just entered their password.
 * @returns the session's network and browser; null if the session has ended
 */
export async function markStrong(db: Db, id: string, now: Date): Promise<{ network: string; browser: string } | null> {
  const rows = await db
    .update(sessions)
    .set({ strongAt: now })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))
    .returning({ network: sessions.network, browser: sessions.browser });
  return rows[0] ?? null;
}

/** Changes the selected shop of a session. Every request checks whether the user is a member of it. */
export async function setSessionShop(db: Db, id: string, merchantId: string): Promise<void> {
  await db.update(sessions).set({ merchantId }).where(eq(sessions.id, id));
}

/**
 * Ends one session of a user.
 * @returns its browser's display name; null if it has already ended or belongs to a different user
 */
export async function endSession(db: Db, one: { id: string; userId: string }, now: Date): Promise<string | null> {
  const [row] = await db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.id, one.id), eq(sessions.userId, one.userId), isNull(sessions.endedAt)))
    .returning({ browser: sessions.browser });
  return row?.browser ?? null;
}

/**
 * Ends all sessions of a user, except the session with the id `except` if it is given.
 * @returns the number of ended sessions
 */
export async function endSessions(db: Db, of: { userId: string; except?: string }, now: Date): Promise<number> {
  const isOther = of.except === undefined ? undefined : ne(sessions.id, of.except);
  const rows = await db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.userId, of.userId), isOther, isNull(sessions.endedAt)))
    .returning({ id: sessions.id });
  return rows.length;
}

const LISTED = 100;

/** Returns a user's active sessions, last used first. */
export async function listSessions(db: Db, userId: string, since: Date) {
  return db
    .select({
      id: sessions.id,
      network: sessions.network,
      browser: sessions.browser,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), gt(sessions.createdAt, since)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(LISTED);
}

/**
 * Deletes sessions that began before a given time, at most `limit`.
 * @returns the number of deleted sessions
 */
export async function pruneSessions(db: Db, before: Date, limit: number): Promise<number> {
  const old = db.select({ id: sessions.id }).from(sessions).where(lt(sessions.createdAt, before)).limit(limit);
  const rows = await db.delete(sessions).where(inArray(sessions.id, old)).returning({ id: sessions.id });
  return rows.length;
}
