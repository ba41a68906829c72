import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, or } from "drizzle-orm";
import type { Db } from "@/db/client";
import { challenges, passkeys, recoveryCodes, users } from "@/db/schema";
import { type ChallengePurpose, lifeMs } from "@/lib/domain/users/challenge";

/** The one-time codes of a user: the encrypted secret, the time from which codes are required, and the last used step. */
export interface TotpRow {
  encrypted: string | null;
  since: Date | null;
  step: number | null;
}

/** Returns the state of a user's one-time codes. */
export async function findTotp(db: Db, userId: string): Promise<TotpRow | null> {
  const [row] = await db
    .select({ encrypted: users.totpEncrypted, since: users.totpSince, step: users.totpStep })
    .from(users)
    .where(eq(users.id, userId));
  return row ?? null;
}

/** Stores a secret that no code has confirmed yet. Returns false if codes are already required. */
export async function setPendingTotp(db: Db, userId: string, encrypted: string): Promise<boolean> {
  const rows = await db
    .update(users)
    .set({ totpEncrypted: encrypted, totpStep: null })
    .where(and(eq(users.id, userId), isNull(users.totpSince)))
    .returning({ id: users.id });
  return rows.length === 1;
}

/** Requires codes from now on. Returns false if the secret has changed or codes are already required. */
export async function activateTotp(
  db: Db,
  one: { userId: string; encrypted: string; step: number },
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(users)
    .set({ totpSince: now, totpStep: one.step })
    .where(and(eq(users.id, one.userId), eq(users.totpEncrypted, one.encrypted), isNull(users.totpSince)))
    .returning({ id: users.id });
  return rows.length === 1;
}

/** Marks the one-time code of a time step as used. Returns false if this code or a later one was used before. */
export async function spendTotpStep(
  db: Db,
  one: { userId: string; encrypted: string; step: number },
): Promise<boolean> {
  const isFresh = or(isNull(users.totpStep), lt(users.totpStep, one.step));
  const rows = await db
    .update(users)
    .set({ totpStep: one.step })
    .where(and(eq(users.id, one.userId), eq(users.totpEncrypted, one.encrypted), isNotNull(users.totpSince), isFresh))
    .returning({ id: users.id });
  return rows.length === 1;
}

/**
 * Disables the one-time codes of a user.
 * @returns true if they were required before
 */
export async function clearTotp(db: Db, userId: string): Promise<boolean> {
  const [before] = await db.select({ since: users.totpSince }).from(users).where(eq(users.id, userId)).for("update");
  await db.update(users).set({ totpEncrypted: null, totpSince: null, totpStep: null }).where(eq(users.id, userId));
  return before?.since != null;
}

/** Locks a user's second factors against other changes until this transaction ends. */
export async function lockFactors(tx: Db, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
}

/** Replaces all recovery codes of a user. */
export async function replaceRecoveryCodes(tx: Db, userId: string, hashes: readonly string[]): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  if (hashes.length > 0) await tx.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash })));
}

/** Uses a recovery code. Returns false if the user has no such code. */
export async function spendRecoveryCode(db: Db, userId: string, codeHash: string): Promise<boolean> {
  const rows = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash)))
    .returning({ userId: recoveryCodes.userId });
  return rows.length === 1;
}

/** Returns the number of recovery codes that a user has left. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return db.$count(recoveryCodes, eq(recoveryCodes.userId, userId));
}

export type Passkey = typeof passkeys.$inferSelect;

/** Returns a user's passkeys, oldest first. */
export async function listPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
}

/** Returns the passkey with a given credential id; null if there is none. */
export async function findPasskey(db: Db, id: string): Promise<Passkey | null> {
  return (await db.select().from(passkeys).where(eq(passkeys.id, id)))[0] ?? null;
}

/** Adds a passkey. Returns false if a user already has it. */
export async function insertPasskey(db: Db, passkey: Omit<Passkey, "lastUsedAt">): Promise<boolean> {
  const rows = await db.insert(passkeys).values(passkey).onConflictDoNothing().returning({ id: passkeys.id });
  return rows.length === 1;
}

/** Records the use of a passkey. Returns false if its counter has changed in the meantime or it was deleted. */
export async function countPasskey(
  db: Db,
  one: { id: string; counter: number; newCounter: number },
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(passkeys)
    .set({ counter: one.newCounter, lastUsedAt: now })
    .where(and(eq(passkeys.id, one.id), eq(passkeys.counter, one.counter)))
    .returning({ id: passkeys.id });
  return rows.length === 1;
}

/**
 * Deletes one or all passkeys of a user.
 * @returns the names of the deleted passkeys
 */
export async function deletePasskeys(db: Db, of: { userId: string; id?: string }): Promise<string[]> {
  const isOne = of.id === undefined ? undefined : eq(passkeys.id, of.id);
  const rows = await db
    .delete(passkeys)
    .where(and(eq(passkeys.userId, of.userId), isOne))
    .returning({ name: passkeys.name });
  return rows.map(({ name }) => name);
}

/** Stores a challenge, which can be used once. */
export async function insertChallenge(
  db: Db,
  challenge: { id: string; purpose: ChallengePurpose; userId: string | null },
  now: Date,
): Promise<void> {
  await db.insert(challenges).values({ ...challenge, createdAt: now });
}

/**
 * Uses a challenge and deletes it.
 * @returns the user of the challenge; null if there is no such challenge or it has expired
 */
export async function spendChallenge(
  db: Db,
  one: { id: string; purpose: ChallengePurpose },
  now: Date,
): Promise<{ userId: string | null } | null> {
  const isFresh = gt(challenges.createdAt, new Date(now.getTime() - lifeMs(one.purpose)));
  const [row] = await db
    .delete(challenges)
    .where(and(eq(challenges.id, one.id), eq(challenges.purpose, one.purpose), isFresh))
    .returning({ userId: challenges.userId });
  return row ?? null;
}

/** Returns the user of a pending challenge without using it; null if there is none. */
export async function findChallenge(
  db: Db,
  one: { id: string; purpose: ChallengePurpose },
  now: Date,
): Promise<{ userId: string | null } | null> {
  const isFresh = gt(challenges.createdAt, new Date(now.getTime() - lifeMs(one.purpose)));
  const [row] = await db
    .select({ userId: challenges.userId })
    .from(challenges)
    .where(and(eq(challenges.id, one.id), eq(challenges.purpose, one.purpose), isFresh));
  return row ?? null;
}

/** Deletes a user's pending challenges after a password change. */
export async function dropChallenges(db: Db, userId: string): Promise<void> {
  await db.delete(challenges).where(eq(challenges.userId, userId));
}

/** Deletes challenges that were created before a given time, at most `limit`. */
export async function pruneChallenges(db: Db, before: Date, limit: number): Promise<void> {
  const old = db.select({ id: challenges.id }).from(challenges).where(lt(challenges.createdAt, before)).limit(limit);
  await db.delete(challenges).where(inArray(challenges.id, old));
}
