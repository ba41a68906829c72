import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, or } from "drizzle-orm";
import type { Db } from "@/db/client";
import { challenges, passkeys, recoveryCodes, users } from "@/db/schema";
import { type ChallengePurpose, lifeMs } from "@/lib/domain/users/challenge";

/** The one-time codes of a user: the encrypted secret, the time since when they are required, and the last used step. */
export interface TotpRow {
  encrypted: string | null;
  since: Date | null;
  step: number | null;
}

/** The state of a person's one-time codes. */
export async function findTotp(db: Db, userId: string): Promise<TotpRow | null> {
  const [row] = await db
    .select({ encrypted: users.totpEncrypted, since: users.totpSince, step: users.totpStep })
    .from(users)
    .where(eq(users.id, userId));
  return row ?? null;
}

/** Keeps a secret that no code was typed of yet; false where codes are asked for already. */
export async function setPendingTotp(db: Db, userId: string, encrypted: string): Promise<boolean> {
  const rows = await db
    .update(users)
    .set({ totpEncrypted: encrypted, totpStep: null })
    .where(and(eq(users.id, userId), isNull(users.totpSince)))
    .returning({ id: users.id });
  return rows.length === 1;
}

/** Asks for codes from now on; false where the secret became another, or codes are asked for already. */
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

/** Uses the code of a step; false when it, or a later one, was used before. */
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

/** Asks for no codes any more. @returns whether they were asked for */
export async function clearTotp(db: Db, userId: string): Promise<boolean> {
  const [before] = await db.select({ since: users.totpSince }).from(users).where(eq(users.id, userId)).for("update");
  await db.update(users).set({ totpEncrypted: null, totpSince: null, totpStep: null }).where(eq(users.id, userId));
  return before?.since != null;
}

/** Holds a person back from every other change of their factors until this transaction ends. */
export async function lockFactors(tx: Db, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
}

/** Puts new recovery codes in the place of all others of a person. */
export async function replaceRecoveryCodes(tx: Db, userId: string, hashes: readonly string[]): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  if (hashes.length > 0) await tx.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash })));
}

/** Uses a recovery code; false when there is none such. */
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

/** A person's passkeys, the oldest first. */
export async function listPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
}

/** The passkey of a credential's id, or null. */
export async function findPasskey(db: Db, id: string): Promise<Passkey | null> {
  return (await db.select().from(passkeys).where(eq(passkeys.id, id)))[0] ?? null;
}

/** Adds a passkey; false if a user has it already. */
export async function insertPasskey(db: Db, passkey: Omit<Passkey, "lastUsedAt">): Promise<boolean> {
  const rows = await db.insert(passkeys).values(passkey).onConflictDoNothing().returning({ id: passkeys.id });
  return rows.length === 1;
}

/** Notes that a passkey signed; false when it signed elsewhere meanwhile, or is gone. */
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

/** Takes passkeys from a person: one, or all. @returns the names of those that went */
export async function deletePasskeys(db: Db, of: { userId: string; id?: string }): Promise<string[]> {
  const isOne = of.id === undefined ? undefined : eq(passkeys.id, of.id);
  const rows = await db
    .delete(passkeys)
    .where(and(eq(passkeys.userId, of.userId), isOne))
    .returning({ name: passkeys.name });
  return rows.map(({ name }) => name);
}

/** Keeps what waits for one answer. */
export async function insertChallenge(
  db: Db,
  challenge: { id: string; purpose: ChallengePurpose; userId: string | null },
  now: Date,
): Promise<void> {
  await db.insert(challenges).values({ ...challenge, createdAt: now });
}

/** Uses a challenge up. @returns whose it was, or null when there is none such, or it waited too long */
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

/** The person of a challenge that waits still, which is not used up by it; null when there is none. */
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

/** Forgets what waits for a person: their password became another. */
export async function dropChallenges(db: Db, userId: string): Promise<void> {
  await db.delete(challenges).where(eq(challenges.userId, userId));
}

/** Deletes challenges from before an instant, at most `limit`. */
export async function pruneChallenges(db: Db, before: Date, limit: number): Promise<void> {
  const old = db.select({ id: challenges.id }).from(challenges).where(lt(challenges.createdAt, before)).limit(limit);
  await db.delete(challenges).where(inArray(challenges.id, old));
}
