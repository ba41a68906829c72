import { and, asc, eq, gt, lte, ne, or } from "drizzle-orm";
import type { Db } from "@/db/client";
import { signingKeys } from "@/db/schema";

export type SigningKeyRow = typeof signingKeys.$inferSelect;

export type NewSigningKey = Pick<SigningKeyRow, "id" | "state" | "publicKey" | "privateCipher">;

/** Returns the published keys, oldest first: current, next, and retired ones until their end. */
export async function listSigningKeys(db: Db, now: Date): Promise<SigningKeyRow[]> {
  return db
    .select()
    .from(signingKeys)
    .where(or(ne(signingKeys.state, "retired"), gt(signingKeys.endsAt, now)))
    .orderBy(asc(signingKeys.createdAt), asc(signingKeys.id));
}

/** Returns the current or the next key, locked for this transaction. */
export async function lockSigningKey(tx: Db, state: "current" | "next"): Promise<SigningKeyRow | null> {
  const rows = await tx.select().from(signingKeys).where(eq(signingKeys.state, state)).for("update");
  return rows[0] ?? null;
}

/** Adds keys. An existing current or next key is kept. */
export async function insertSigningKeys(db: Db, keys: readonly NewSigningKey[], now: Date): Promise<void> {
  await db
    .insert(signingKeys)
    .values(keys.map((key) => ({ ...key, createdAt: now })))
    .onConflictDoNothing();
}

/** Retires a key: it no longer signs, but is published until `endsAt`. */
export async function retireSigningKey(tx: Db, id: string, endsAt: Date): Promise<void> {
  await tx.update(signingKeys).set({ state: "retired", endsAt }).where(eq(signingKeys.id, id));
}

/** Makes the next key the current one. */
export async function promoteSigningKey(tx: Db, id: string): Promise<void> {
  await tx.update(signingKeys).set({ state: "current" }).where(eq(signingKeys.id, id));
}

/** Deletes retired keys that are no longer published. */
export async function deleteEndedSigningKeys(db: Db, now: Date): Promise<void> {
  await db.delete(signingKeys).where(and(eq(signingKeys.state, "retired"), lte(signingKeys.endsAt, now)));
}

/** Deletes all keys. */
export async function deleteSigningKeys(tx: Db): Promise<void> {
  await tx.delete(signingKeys);
}
