import { and, desc, eq, gt, inArray, isNull, lt } from "drizzle-orm";
import type { Db } from "@/db/client";
import { invitations, merchants, users } from "@/db/schema";
import type { Role } from "@/lib/domain/keys/role";

interface NewInvitation {
  id: string;
  merchantId: string;
  tokenHash: string;
  /** Lower case. */
  email: string;
  role: Role;
  invitedBy: string;
  expiresAt: Date;
}

/** Adds an invitation. It replaces pending invitations of the same email address to the same shop. */
export async function insertInvitation(tx: Db, invitation: NewInvitation, now: Date): Promise<void> {
  const { merchantId, email } = invitation;
  await tx
    .update(invitations)
    .set({ revokedAt: now })
    .where(and(eq(invitations.merchantId, merchantId), eq(invitations.email, email), isPending(now)));
  await tx.insert(invitations).values({ ...invitation, createdAt: now });
}

const isPending = (now: Date) =>
  and(isNull(invitations.usedAt), isNull(invitations.revokedAt), gt(invitations.expiresAt, now));

export interface PendingInvitation {
  id: string;
  merchantId: string;
  merchantName: string;
  email: string;
  role: Role;
  /** The email address of the user who sent the invitation. */
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
}

function selectInvitations(db: Db) {
  return db
    .select({
      id: invitations.id,
      merchantId: invitations.merchantId,
      merchantName: merchants.name,
      email: invitations.email,
      role: invitations.role,
      invitedBy: users.email,
      createdAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
    })
    .from(invitations)
    .innerJoin(merchants, eq(merchants.id, invitations.merchantId))
    .innerJoin(users, eq(users.id, invitations.invitedBy));
}

/** Returns the pending invitation of a link; null if there is none, or if it was used, was revoked or has expired. */
export async function findInvitation(db: Db, tokenHash: string, now: Date): Promise<PendingInvitation | null> {
  return (await selectInvitations(db).where(and(eq(invitations.tokenHash, tokenHash), isPending(now))))[0] ?? null;
}

/** Returns the pending invitation of a link, locked until this transaction ends; null if there is none. */
export async function lockInvitation(tx: Db, tokenHash: string, now: Date): Promise<PendingInvitation | null> {
  await tx
    .select({ merchantId: invitations.merchantId })
    .from(invitations)
    .where(eq(invitations.tokenHash, tokenHash))
    .for("update");
  return findInvitation(tx, tokenHash, now);
}

/** Marks an invitation as used. Call it with the invitation locked. */
export async function spendInvitation(tx: Db, id: string, now: Date): Promise<void> {
  await tx.update(invitations).set({ usedAt: now }).where(eq(invitations.id, id));
}

/** Returns the pending invitations of a shop, newest first. */
export async function listInvitations(db: Db, merchantId: string, now: Date): Promise<PendingInvitation[]> {
  return selectInvitations(db)
    .where(and(eq(invitations.merchantId, merchantId), isPending(now)))
    .orderBy(desc(invitations.createdAt), desc(invitations.id));
}

/**
 * Revokes an invitation to a shop.
 * @returns the invited email address; null if the invitation is no longer pending
 */
export async function revokeInvitation(
  db: Db,
  one: { id: string; merchantId: string },
  now: Date,
): Promise<string | null> {
  const [row] = await db
    .update(invitations)
    .set({ revokedAt: now })
    .where(and(eq(invitations.id, one.id), eq(invitations.merchantId, one.merchantId), isPending(now)))
    .returning({ email: invitations.email });
  return row?.email ?? null;
}

/** Revokes all pending invitations to a shop that one user sent. */
export async function revokeInvitationsOf(
  db: Db,
  by: { merchantId: string; userId: string },
  now: Date,
): Promise<void> {
  await db
    .update(invitations)
    .set({ revokedAt: now })
    .where(and(eq(invitations.merchantId, by.merchantId), eq(invitations.invitedBy, by.userId), isPending(now)));
}

/**
 * Deletes invitations that expired before a given time, used or not, at most `limit`.
 * @returns the number of deleted invitations
 */
export async function pruneInvitations(db: Db, before: Date, limit: number): Promise<number> {
  const old = db.select({ id: invitations.id }).from(invitations).where(lt(invitations.expiresAt, before)).limit(limit);
  const rows = await db.delete(invitations).where(inArray(invitations.id, old)).returning({ id: invitations.id });
  return rows.length;
}
