import { eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { accountCursors } from "@/db/schema";

const ROWS_AT_ONCE = 1_000;

/** A token account, and the slot up to which its history is in the ledger. */
export interface AccountCursor {
  account: string;
  slot: number;
}

/** How far the accounts of a network are read: account → slot. Accounts that were never read are absent. */
export async function listAccountCursors(db: Db, network: string): Promise<Map<string, number>> {
  const rows = await db
    .select({ account: accountCursors.account, slot: accountCursors.slot })
    .from(accountCursors)
    .where(eq(accountCursors.network, network));
  return new Map(rows.map(({ account, slot }) => [account, slot]));
}

/** Moves cursors of accounts forward; they never go back. Call it where the network's own cursor is locked. */
export async function updateAccountCursors(db: Db, network: string, cursors: readonly AccountCursor[]): Promise<void> {
  for (let index = 0; index < cursors.length; index += ROWS_AT_ONCE) {
    const rows = cursors.slice(index, index + ROWS_AT_ONCE).map(({ account, slot }) => ({ network, account, slot }));
    await db
      .insert(accountCursors)
      .values(rows)
      .onConflictDoUpdate({
        target: [accountCursors.network, accountCursors.account],
        set: { slot: sql`excluded.slot` },
        setWhere: sql`${accountCursors.slot} < excluded.slot`,
      });
  }
}

/** Forgets the accounts of a network: from here on its own cursor says how far it is read. */
export async function deleteAccountCursors(db: Db, network: string): Promise<void> {
  await db.delete(accountCursors).where(eq(accountCursors.network, network));
}
