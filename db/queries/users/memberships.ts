import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { memberships, merchants, sessions, users } from "@/db/schema";
import type { Role } from "@/lib/domain/keys/role";

interface Membership {
  merchantId: string;
  userId: string;
  role: Role;
}

/**
 * Adds a user to a shop.
 * @returns false if the user already is a member; the role is then unchanged
 */
export async function insertMembership(db: Db, membership: Membership, now: Date): Promise<boolean> {
  const rows = await db
    .insert(memberships)
    .values({ ...membership, since: now })
    .onConflictDoNothing()
    .returning({ userId: memberships.userId });
  return rows.length === 1;
}

/** Returns the ids of a user's shops, oldest membership first. */
export async function listShopIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: memberships.merchantId })
    .from(memberships)
    .where(eq(memberships.userId, userId))
    .orderBy(memberships.since, memberships.merchantId);
  return rows.map(({ id }) => id);
}

/** A member of a shop, for the list of members. */
export interface MemberRow {
  userId: string;
  email: string;
  role: Role;
  since: Date;
  /** The time of the last sign-in; null if it is older than the retention period of sessions. */
  signedInAt: Date | null;
}

/** Returns the members of a shop, ordered by role and then by email address. */
export async function listMembers(db: Db, merchantId: string): Promise<MemberRow[]> {
  const last = sql<string | null>`(select max(s.created_at) from ${sessions} s where s.user_id = ${users.id})`;
  const rows = await db
    .select({
      userId: users.id,
      email: users.email,
      role: memberships.role,
      since: memberships.since,
      signedInAt: last,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.merchantId, merchantId))
    .orderBy(
      sql`case when ${memberships.role} = 'owner' then 0 when ${memberships.role} = 'admin' then 1 else 2 end`,
      users.email,
    );
  return rows.map((row) => ({ ...row, signedInAt: row.signedInAt ? new Date(row.signedInAt) : null }));
}

/** Returns the user ids of a shop's owners, locked until this transaction ends. */
export async function lockOwners(tx: Db, merchantId: string): Promise<string[]> {
  const rows = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.merchantId, merchantId), eq(memberships.role, "owner")))
    .orderBy(asc(memberships.userId))
    .for("update");
  return rows.map(({ userId }) => userId);
}

type Which = Pick<Membership, "merchantId" | "userId">;
const isOne = ({ merchantId, userId }: Which) =>
  and(eq(memberships.merchantId, merchantId), eq(memberships.userId, userId));

/** Returns a user's role in a shop and their email address, locked until this transaction ends; null if the user is not a member. */
export async function lockMember(tx: Db, one: Which): Promise<{ email: string; role: Role } | null> {
  const rows = await tx
    .select({ email: users.email, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(isOne(one))
    .for("update", { of: memberships });
  return rows[0] ?? null;
}

/** Changes the role of a member of a shop. */
export async function updateRole(tx: Db, { role, ...one }: Membership): Promise<void> {
  await tx.update(memberships).set({ role }).where(isOne(one));
}

/** Removes a member from a shop. */
export async function deleteMembership(tx: Db, one: Which): Promise<void> {
  await tx.delete(memberships).where(isOne(one));
}

/** Returns true if a user belongs to a shop that requires second factors. */
export async function isFactorAsked(db: Db, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: merchants.id })
    .from(memberships)
    .innerJoin(merchants, eq(merchants.id, memberships.merchantId))
    .where(and(eq(memberships.userId, userId), eq(merchants.asksSecondFactor, true)))
    .limit(1);
  return rows.length > 0;
}

/**
 * Enables or disables the requirement of second factors in a shop.
 * @returns true if the setting changed
 */
export async function setFactorAsked(tx: Db, merchantId: string, isAsked: boolean): Promise<boolean> {
  const rows = await tx
    .update(merchants)
    .set({ asksSecondFactor: isAsked })
    .where(and(eq(merchants.id, merchantId), eq(merchants.asksSecondFactor, !isAsked)))
    .returning({ id: merchants.id });
  return rows.length === 1;
}
