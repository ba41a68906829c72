import { and, eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { merchants, users } from "@/db/schema";
import type { Role } from "@/lib/domain/keys/role";

export interface User {
  id: string;
  merchantId: string;
  merchantName: string;
  email: string;
  role: Role;
  passwordHash: string;
  sessionEpoch: number;
}

const REGISTRATION_LOCK = 7_824_002;

/** Holds back every other registration until this transaction ends. */
export async function lockRegistration(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${REGISTRATION_LOCK})`);
}

/** Whether somebody owns this installation. */
export async function hasUsers(db: Db): Promise<boolean> {
  const rows = await db.select({ id: users.id }).from(users).limit(1);
  return rows.length > 0;
}

type NewUser = Pick<User, "id" | "merchantId" | "email" | "passwordHash" | "role">;

/** Adds a person; `email` in lower case. */
export async function insertUser(db: Db, user: NewUser, now: Date): Promise<void> {
  await db.insert(users).values({ ...user, createdAt: now });
}

/** The person who signs in with an e-mail address (lower case), or null. */
export async function findUserByEmail(db: Db, email: string): Promise<User | null> {
  return (await selectUsers(db).where(eq(users.email, email)))[0] ?? null;
}

/** The person, or null when there is none of that id. */
export async function findUser(db: Db, id: string): Promise<User | null> {
  return (await selectUsers(db).where(eq(users.id, id)))[0] ?? null;
}

function selectUsers(db: Db) {
  return db
    .select({
      id: users.id,
      merchantId: users.merchantId,
      merchantName: merchants.name,
      email: users.email,
      role: users.role,
      passwordHash: users.passwordHash,
      sessionEpoch: users.sessionEpoch,
    })
    .from(users)
    .innerJoin(merchants, eq(merchants.id, users.merchantId));
}

/**
 * Sets a new password and ends every session that began before it.
 * @returns the new session epoch, or null when somebody changed the password since `oldHash` was read.
 */
export async function updatePassword(
  db: Db,
  user: { id: string; oldHash: string },
  newHash: string,
): Promise<number | null> {
  const rows = await db
    .update(users)
    .set({ passwordHash: newHash, sessionEpoch: sql`${users.sessionEpoch} + 1` })
    .where(and(eq(users.id, user.id), eq(users.passwordHash, user.oldHash)))
    .returning({ epoch: users.sessionEpoch });
  return rows[0]?.epoch ?? null;
}
