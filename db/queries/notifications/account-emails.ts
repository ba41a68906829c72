import { and, asc, eq, inArray, lt, lte, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { rowList } from "@/db/queries/many-rows";
import { accountEmails } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import type { AccountEmailKind, SecurityFact } from "@/lib/domain/notifications/account-email";

/** A pending email to a user. */
export interface AccountEmail {
  id: string;
  kind: AccountEmailKind;
  email: string;
  facts: Record<string, unknown>;
  language: string;
  createdAt: Date;
  attempts: number;
}

/** Enqueues the email with a password reset link for an email address (lower case), whether or not a user has that address. */
export async function enqueueResetEmail(
  db: Db,
  mail: { email: string; language: string; from: string },
  now: Date,
): Promise<void> {
  const { email, language, from } = mail;
  const row = { id: newId(now), kind: "passwordReset", email, language, facts: { from } } as const;
  await db.insert(accountEmails).values({ ...row, createdAt: now, dueAt: now });
}

/** Enqueues the email about a change to a user's account. */
export async function enqueueSecurityEmail(db: Db, userId: string, fact: SecurityFact, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  await db.execute(sql`
    insert into account_letters (id, kind, email, facts, language, created_at, due_at)
    select ${newId(now)}, 'securityChanged', u.email, ${JSON.stringify(fact)}::text::jsonb || jsonb_build_object('by', u.email),
      u.language, ${at}, ${at}
    from users u where u.id = ${userId}`);
}

/** A change to a shop. `userId` is the actor; null if the service itself acted. */
export type ShopFact = Pick<SecurityFact, "action" | "what" | "from"> & {
  id: string;
  merchantId: string;
  userId: string | null;
};

/** Enqueues the emails about changes to shops, to their owners and the actors, in one statement. */
export async function enqueueShopEmails(db: Db, facts: readonly ShopFact[], now: Date): Promise<void> {
  if (facts.length === 0) return;
  const at = sql`${now.toISOString()}::timestamptz`;
  await db.execute(sql`
    insert into account_letters (id, kind, email, facts, language, created_at, due_at)
    select f.id || '-' || u.id, 'securityChanged', u.email,
      jsonb_build_object('action', f.action, 'shop', c.name, 'by', coalesce(d.email, ''), 'what', f.what, 'from', f."from",
        'at', ${now.toISOString()}::text),
      u.language, ${at}, ${at}
    from jsonb_to_recordset(${rowList(facts)}) as f (
      id text, "merchantId" text, "userId" text, action text, what text, "from" text)
    join merchants c on c.id = f."merchantId"
    join memberships m on m.merchant_id = f."merchantId" and (m.role = 'owner' or m.user_id = f."userId")
    join users u on u.id = m.user_id
    left join users d on d.id = f."userId"`);
}

/** The maximum number of changes in one email. */
const MAX_LISTED = 200;

/**
 * Claims the email that has been due longest, until a lease ends, and counts one more attempt. If it is about a change, all other due
 * changes for the same user are claimed with it. Emails that another sender is claiming concurrently are omitted.
 * @returns the claimed emails, oldest first; null if nothing is due
 */
export async function claimAccountEmails(tx: Db, until: Date, now: Date): Promise<AccountEmail[] | null> {
  const [first] = await tx
    .select({ id: accountEmails.id, kind: accountEmails.kind, email: accountEmails.email })
    .from(accountEmails)
    .where(lte(accountEmails.dueAt, now))
    .orderBy(asc(accountEmails.dueAt), asc(accountEmails.id))
    .limit(1)
    .for("update", { skipLocked: true });
  if (!first) return null;
  const isSame =
    first.kind === "passwordReset"
      ? eq(accountEmails.id, first.id)
      : and(eq(accountEmails.kind, first.kind), eq(accountEmails.email, first.email), lte(accountEmails.dueAt, now));
  const same = await tx
    .select({ id: accountEmails.id })
    .from(accountEmails)
    .where(isSame)
    .orderBy(asc(accountEmails.id))
    .limit(MAX_LISTED)
    .for("update", { skipLocked: true });
  const ids = same.map(({ id }) => id);
  const rows = await tx
    .update(accountEmails)
    .set({ dueAt: until, attempts: sql`${accountEmails.attempts} + 1` })
    .where(inArray(accountEmails.id, ids))
    .returning();
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Stores the results of emails, provided that the claim on them is still valid.
 * @param again the time of the retry; null for no retry
 */
export async function settleAccountEmails(
  db: Db,
  { ids, until, again }: { ids: readonly string[]; until: Date; again: Date | null },
): Promise<void> {
  const isOwn = and(inArray(accountEmails.id, [...ids]), eq(accountEmails.dueAt, until));
  await (again ? db.update(accountEmails).set({ dueAt: again }).where(isOwn) : db.delete(accountEmails).where(isOwn));
}

/** Deletes unsent emails from before a given time, at most `limit`. */
export async function pruneAccountEmails(db: Db, before: Date, limit: number): Promise<void> {
  const old = db
    .select({ id: accountEmails.id })
    .from(accountEmails)
    .where(lt(accountEmails.createdAt, before))
    .limit(limit);
  await db.delete(accountEmails).where(inArray(accountEmails.id, old));
}
