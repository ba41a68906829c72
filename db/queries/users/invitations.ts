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

/** Adds an invitation in the place of those that the same e-mail address has to the same shop. */
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
  /** E-mail of who invited. */
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

/** The invitation of a link, or null when there is none, or it was used, revoked or ran out. */
export async function findInvitation(db: Db, tokenHash: string, now: Date): Promise<PendingInvitation | null> {
  return (await selectInvitations(db).where(and(eq(invitations.tokenHash, tokenHash), isPending(now))))[0] ?? null;
}

/** Returns the same, locked until this transaction ends. */
export async function lockInvitation(tx: Db, tokenHash: string, now: Date): Promise<PendingInvitation | null> {
  await tx
    .select({ merchantId: invitations.merchantId })
    .from(invitations)
    .where(eq(invitations.tokenHash, tokenHash))
    .for("update");
  return findInvitation(tx, tokenHash, now);
}

/** Uses an invitation that this transaction has locked. */
export async function spendInvitation(tx: Db, id: string, now: Date): Promise<void> {
  await tx.update(invitations).set({ usedAt: now }).where(eq(invitations.id, id));
}

/** The invitations of a shop that wait, the newest first. */
export async function listInvitations(db: Db, merchantId: string, now: Date): Promise<PendingInvitation[]> {
  return selectInvitations(db)
    .where(and(eq(invitations.merchantId, merchantId), isPending(now)))
    .orderBy(desc(invitations.createdAt), desc(invitations.id));
}

/**
 * Takes an invitation of a shop back.
 * @returns whom it was for, or null when it does not wait any more
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

/** Takes back all that one person invited to a shop. */
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
 * Deletes invitations that ran out before an instant, used or not, at most `limit`.
 * @returns how many
 */
export async function pruneInvitations(db: Db, before: Date, limit: number): Promise<number> {
  const old = db.select({ id: invitations.id }).from(invitations).where(lt(invitations.expiresAt, before)).limit(limit);
  const rows = await db.delete(invitations).where(inArray(invitations.id, old)).returning({ id: invitations.id });
  return rows.length;
}
