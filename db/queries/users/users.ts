import { and, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { users } from "@/db/schema";

/** A user of the installation. */
export interface User {
  id: string;
  /** Lower case. */
  email: string;
  name: string | null;
  isOperator: boolean;
  passwordHash: string;
}

const REGISTRATION_LOCK = 7_824_002;

/** Blocks all other registrations until this transaction ends. */
export async function lockRegistration(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${REGISTRATION_LOCK})`);
}

/** Returns true if this installation has a user. */
export async function hasUsers(db: Db): Promise<boolean> {
  const rows = await db.select({ id: users.id }).from(users).limit(1);
  return rows.length > 0;
}

type NewUser = Pick<User, "id" | "email" | "passwordHash"> & {
  isOperator?: boolean;
  /** True if the email address counts as verified because the operator entered it. */
  isEmailVerified?: boolean;
};

/**
 * Adds a user; `email` must be in lower case.
 * @returns false if a different user has that email address
 */
export async function insertUser(db: Db, { isEmailVerified = false, ...user }: NewUser, now: Date): Promise<boolean> {
  const emailVerifiedAt = isEmailVerified ? now : null;
  const rows = await db
    .insert(users)
    .values({ ...user, emailVerifiedAt, createdAt: now })
    .onConflictDoNothing()
    .returning({ id: users.id });
  return rows.length === 1;
}

/** Returns the user with a given email address (lower case); null if there is none. */
export async function findUserByEmail(db: Db, email: string): Promise<User | null> {
  return (await selectUsers(db).where(eq(users.email, email)))[0] ?? null;
}

/** Returns the user with a given id; null if there is none. */
export async function findUser(db: Db, id: string): Promise<User | null> {
  return (await selectUsers(db).where(eq(users.id, id)))[0] ?? null;
}

function selectUsers(db: Db) {
  return db
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      isOperator: users.isOperator,
      passwordHash: users.passwordHash,
    })
    .from(users);
}

/**
 * Sets a new password.
 * @param user.oldHash the expected current hash; if absent, it is not compared
 * @returns false if the password has changed since `oldHash` was read
 */
export async function updatePassword(
  db: Db,
  user: { id: string; oldHash?: string },
  newHash: string,
): Promise<boolean> {
  const isOld = user.oldHash === undefined ? undefined : eq(users.passwordHash, user.oldHash);
  const rows = await db
    .update(users)
    .set({ passwordHash: newHash })
    .where(and(eq(users.id, user.id), isOld))
    .returning({ id: users.id });
  return rows.length === 1;
}

/** Returns true if a user has verified their email address. */
export async function isEmailVerified(db: Db, id: string): Promise<boolean> {
  const [row] = await db.select({ at: users.emailVerifiedAt }).from(users).where(eq(users.id, id));
  return row?.at != null;
}

/**
 * Records that a user has verified their email address.
 * @returns false if it was already verified
 */
export async function verifyEmail(tx: Db, id: string, now: Date): Promise<boolean> {
  const rows = await tx
    .update(users)
    .set({ emailVerifiedAt: now })
    .where(and(eq(users.id, id), isNull(users.emailVerifiedAt)))
    .returning({ id: users.id });
  return rows.length === 1;
}

/** Locks a user's password against changes until this transaction ends. Returns false if it has already changed. */
export async function lockPassword(tx: Db, { id, passwordHash }: Pick<User, "id" | "passwordHash">): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash)))
    .for("share");
  return rows.length === 1;
}

/** Stores the user's language of the back office. Skips the write while another transaction has locked the row. */
export async function updateLanguage(db: Db, id: string, language: string): Promise<void> {
  const free = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), ne(users.language, language)))
    .for("no key update", { skipLocked: true });
  await db.update(users).set({ language }).where(inArray(users.id, free));
}
