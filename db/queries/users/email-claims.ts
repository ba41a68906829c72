import { and, eq, gt, inArray, isNotNull, isNull, lt, ne, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { emailClaims, users } from "@/db/schema";
import { CELL } from "@/lib/domain/id";

type Claim = typeof emailClaims.$inferSelect;

/** Whether the first cell's database is of a version that has claims of e-mail addresses. */
export async function hasEmailClaims(directory: Db): Promise<boolean> {
  const [found] = await directory.execute<{ is: boolean }>(sql`select to_regclass('email_claims') is not null as is`);
  return found?.is === true;
}

/**
 * Claims an e-mail address (lower case) for a cell, or once more. Whoever reads the claim later sees by its time that a use may be
 * under way.
 * @param directory the first cell's database
 * @returns false: its account is in another cell
 */
export async function claimEmail(directory: Db, cell: string, email: string, now: Date): Promise<boolean> {
  const rows = await directory
    .insert(emailClaims)
    .values({ email, cell, pendingSince: now })
    .onConflictDoUpdate({
      target: emailClaims.email,
      set: { pendingSince: now },
      setWhere: eq(emailClaims.cell, cell),
    })
    .returning({ cell: emailClaims.cell });
  return rows.length > 0;
}

/**
 * The same for the first cell, with the account, in one statement: a single cell asks no more often than it would without others.
 * @returns false: somebody has the e-mail address already, in whatever cell
 */
export async function claimAndInsertUser(
  db: Db,
  user: { id: string; email: string; passwordHash: string; isOperator: boolean; emailVerifiedAt: Date | null },
  now: Date,
): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const rows = await db.execute(sql`
    with claim as (
      insert into email_claims (email, cell, pending_since) values (${user.email}, ${CELL}, ${at})
      on conflict (email) do update set pending_since = excluded.pending_since where email_claims.cell = excluded.cell
      returning email)
    insert into users (id, email, password_hash, is_operator, email_verified_at, created_at)
    select ${user.id}, email, ${user.passwordHash}, ${user.isOperator},
      ${user.emailVerifiedAt?.toISOString() ?? null}::timestamptz, ${at} from claim
    on conflict do nothing
    returning id`);
  return rows.length === 1;
}

/** Claims e-mail addresses of accounts that a cell has already, without a time; those that are claimed stay as they are. */
export async function enterEmails(directory: Db, cell: string, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return;
  await directory
    .insert(emailClaims)
    .values(emails.map((email) => ({ email, cell, pendingSince: null })))
    .onConflictDoNothing();
}

/** Which of some e-mail addresses are claimed by other cells. */
export async function listForeignEmails(directory: Db, cell: string, emails: readonly string[]): Promise<Claim[]> {
  if (emails.length === 0) return [];
  return directory
    .select()
    .from(emailClaims)
    .where(and(ne(emailClaims.cell, cell), inArray(emailClaims.email, [...emails])));
}

/** Gives an e-mail address to another cell, unless it was claimed again since `claim` was read. @returns whether it did */
export async function moveEmailClaim(directory: Db, claim: Claim, cell: string): Promise<boolean> {
  const rows = await directory
    .update(emailClaims)
    .set({ cell, pendingSince: null })
    .where(isUnchanged(claim))
    .returning({ cell: emailClaims.cell });
  return rows.length > 0;
}

/** Claims of a cell whose use was not yet seen, from before a time. */
export async function listPendingEmails(directory: Db, cell: string, before: Date, limit: number): Promise<Claim[]> {
  return directory
    .select()
    .from(emailClaims)
    .where(and(eq(emailClaims.cell, cell), isNotNull(emailClaims.pendingSince), lt(emailClaims.pendingSince, before)))
    .orderBy(emailClaims.pendingSince)
    .limit(limit);
}

/** Notes that a claim is used, or gives it up; one that was claimed again meanwhile stays. */
export async function settleEmailClaim(directory: Db, claim: Claim, isUsed: boolean): Promise<void> {
  if (isUsed) await directory.update(emailClaims).set({ pendingSince: null }).where(isUnchanged(claim));
  else await directory.delete(emailClaims).where(isUnchanged(claim));
}

const isUnchanged = (claim: Claim) =>
  and(
    eq(emailClaims.email, claim.email),
    eq(emailClaims.cell, claim.cell),
    claim.pendingSince === null ? isNull(emailClaims.pendingSince) : eq(emailClaims.pendingSince, claim.pendingSince),
  );

/** Which of some e-mail addresses (lower case) have an account in this cell. */
export async function listUsedEmails(db: Db, emails: readonly string[]): Promise<string[]> {
  if (emails.length === 0) return [];
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(inArray(users.email, [...emails]));
  return rows.map(({ email }) => email);
}

/** E-mail addresses of a cell's accounts that follow one, in their order. */
export async function listEmailsAfter(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(gt(users.email, after))
    .orderBy(users.email)
    .limit(limit);
  return rows.map(({ email }) => email);
}
