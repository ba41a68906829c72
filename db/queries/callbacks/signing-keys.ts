import { and, asc, eq, gt, lte, ne, or } from "drizzle-orm";
import type { Db } from "@/db/client";
import { signingKeys } from "@/db/schema";

export type SigningKeyRow = typeof signingKeys.$inferSelect;

export type NewSigningKey = Pick<SigningKeyRow, "id" | "state" | "publicKey" | "privateCipher">;

/** The keys that are shown: current, next, and those that signed before, until their end. Oldest first. */
export async function listSigningKeys(db: Db, now: Date): Promise<SigningKeyRow[]> {
  return db
    .select()
    .from(signingKeys)
    .where(or(ne(signingKeys.state, "retired"), gt(signingKeys.endsAt, now)))
    .orderBy(asc(signingKeys.createdAt), asc(signingKeys.id));
}

/** The current or the next key, held for this transaction. */
export async function lockSigningKey(tx: Db, state: "current" | "next"): Promise<SigningKeyRow | null> {
  const rows = await tx.select().from(signingKeys).where(eq(signingKeys.state, state)).for("update");
  return rows[0] ?? null;
}

/** Adds keys; where there is a current or a next one already, that one stays. */
export async function insertSigningKeys(db: Db, keys: readonly NewSigningKey[], now: Date): Promise<void> {
  await db
    .insert(signingKeys)
    .values(keys.map((key) => ({ ...key, createdAt: now })))
    .onConflictDoNothing();
}

/** Lets a key sign no more; it is shown until `endsAt`. */
export async function retireSigningKey(tx: Db, id: string, endsAt: Date): Promise<void> {
  await tx.update(signingKeys).set({ state: "retired", endsAt }).where(eq(signingKeys.id, id));
}

/** Lets the next key sign. */
export async function promoteSigningKey(tx: Db, id: string): Promise<void> {
  await tx.update(signingKeys).set({ state: "current" }).where(eq(signingKeys.id, id));
}

/** Forgets keys that are shown no more. */
export async function deleteEndedSigningKeys(db: Db, now: Date): Promise<void> {
  await db.delete(signingKeys).where(and(eq(signingKeys.state, "retired"), lte(signingKeys.endsAt, now)));
}

/** Forgets all keys at once. */
export async function deleteSigningKeys(tx: Db): Promise<void> {
  await tx.delete(signingKeys);
}
