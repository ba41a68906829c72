import { eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { memberships } from "@/db/schema";
import type { Role } from "@/lib/domain/keys/role";

interface Membership {
  merchantId: string;
  userId: string;
  role: Role;
}

/**
 * Makes a person a member of a shop.
 * @returns false when they are one already; their role stays
 */
export async function insertMembership(db: Db, membership: Membership, now: Date): Promise<boolean> {
  const rows = await db
    .insert(memberships)
    .values({ ...membership, since: now })
    .onConflictDoNothing()
    .returning({ userId: memberships.userId });
  return rows.length === 1;
}

/** The shops that a person belongs to: the first the longest. */
export async function listShopIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: memberships.merchantId })
    .from(memberships)
    .where(eq(memberships.userId, userId))
    .orderBy(memberships.since, memberships.merchantId);
  return rows.map(({ id }) => id);
}
