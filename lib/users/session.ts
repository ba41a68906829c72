import type { Db } from "@/db/client";
import {
  endSession as end,
  endSessions,
  findSessionRow,
  insertSession,
  type ShopOfPerson,
  touchSession,
} from "@/db/queries/users/sessions";
import { updateLanguage } from "@/db/queries/users/users";
import { newId } from "@/lib/domain/id";
import type { Role } from "@/lib/domain/keys/role";
import { browserName } from "@/lib/domain/users/browser";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { notePersonEvent } from "@/lib/users/person-events";

/** The lifetime of a session. */
export const SESSION_MS = 7 * 24 * 3_600_000;
const TOUCH_EVERY_MS = 60_000;

/** A signed-in user. */
export interface Person {
  user: { id: string; email: string; name: string | null };
  /** `strongAt`: the time when the user last proved their identity. */
  session: { id: string; createdAt: Date; strongAt: Date };
  isOperator: boolean;
  /** The second factors. */
  factors: { hasTotp: boolean; passkeys: number };
  /** The user's shops, sorted by name. */
  shops: ShopOfPerson[];
  /** The shop that the user currently works in; null if there is none. */
  shop: ShopOfPerson | null;
}

/** Returns true if the user's current shop requires a second factor that they do not have. */
export function lacksFactor({ shop, factors }: Person): boolean {
  return shop?.asksFactor === true && !factors.hasTotp && factors.passkeys === 0;
}

/** A user who works in a shop. */
export interface Member extends Omit<Person, "shop"> {
  merchantId: string;
  merchantName: string;
  role: Role;
  /** True if the shop requires second factors. */
  asksFactor: boolean;
}

/** Returns the user as a member of their current shop; null if they belong to none. */
export function toMember({ shop, ...person }: Person): Member | null {
  return (
    shop && { ...person, merchantId: shop.id, merchantName: shop.name, role: shop.role, asksFactor: shop.asksFactor }
  );
}

/** Returns the user of a session with their current data, read by one statement; null if the session ended or expired. */
export async function findSession(db: Db, id: string, now: Date): Promise<Person | null> {
  const row = await findSessionRow(db, id, startOfLiving(now));
  if (!row) return null;
  const untouched = new Date(now.getTime() - TOUCH_EVERY_MS);
  if (row.lastSeenAt < untouched) await touchSession(db, id, untouched, now);
  return {
    user: { id: row.userId, email: row.email, name: row.name },
    session: { id, createdAt: row.createdAt, strongAt: row.strongAt },
    isOperator: row.isOperator,
    factors: { hasTotp: row.hasTotp, passkeys: row.passkeys },
    shops: row.shops,
    shop: row.shops.find((shop) => shop.id === row.merchantId) ?? row.shops[0] ?? null,
  };
}

/** Returns the start time before which all sessions have expired. */
export function startOfLiving(now: Date): Date {
  return new Date(now.getTime() - SESSION_MS);
}

/** The origin and browser of a sign-in. */
export interface Visitor {
  /** The part of the visitor's address that is hard to change: the whole IPv4 address, or the /64 network of an IPv6 address. */
  ip: string;
  userAgent: string;
  /** The language of the back office; absent if unknown. */
  language?: string;
}

/** Returns the display form of a visitor's origin. */
export function originOf({ ip, userAgent }: Visitor): RequestOrigin {
  return { ip, browser: browserName(userAgent) };
}

/**
 * Starts a session of a user whose password was just verified, and records it.
 * @returns its id, or null if the password was changed since it was compared
 */
export async function openSession(
  tx: Db,
  user: { id: string; passwordHash: string },
  visitor: Visitor,
  now: Date,
): Promise<string | null> {
  const id = newId(now);
  const { ip: network, browser } = originOf(visitor);
  const session = { id, userId: user.id, passwordHash: user.passwordHash, network, browser };
  if (!(await insertSession(tx, session, now))) return null;
  await notePersonEvent(tx, { userId: user.id, action: "session.started", detail: { network, browser } }, now);
  if (visitor.language) await updateLanguage(tx, user.id, visitor.language);
  return id;
}

/** Ends a session when its user signs out, and records it. Safe to repeat. */
export async function endSession(db: Db, id: string, now: Date): Promise<void> {
  const row = await findSessionRow(db, id, new Date(0));
  if (!row) return;
  await db.transaction(async (tx) => {
    const browser = await end(tx, row, now);
    if (browser !== null)
      await notePersonEvent(tx, { userId: row.userId, action: "session.ended", detail: { browser } }, now);
  });
}

/** Ends one of a user's sessions from a different one. Returns false if it has already ended or belongs to a different user. */
export async function revokeSession(
  db: Db,
  one: { id: string; userId: string; from?: RequestOrigin | undefined },
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const browser = await end(tx, one, now);
    if (browser === null) return false;
    await notePersonEvent(
      tx,
      { userId: one.userId, from: one.from, action: "session.revoked", detail: { browser } },
      now,
    );
    return true;
  });
}

/**
 * Ends all of a user's sessions except the current one.
 * @returns the number of ended sessions
 */
export async function revokeOtherSessions(
  db: Db,
  one: { userId: string; except: string; from?: RequestOrigin | undefined },
  now: Date,
): Promise<number> {
  return db.transaction(async (tx) => {
    const count = await endSessions(tx, one, now);
    const event = { userId: one.userId, from: one.from, action: "session.others_revoked", detail: { count } } as const;
    if (count > 0) await notePersonEvent(tx, event, now);
    return count;
  });
}
