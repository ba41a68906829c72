import { cellOf, type Db, directoryOf } from "@/db/client";
import {
  enterEmails,
  listEmailsAfter,
  listForeignEmails,
  listPendingEmails,
  listUsedEmails,
  moveEmailClaim,
  settleEmailClaim,
} from "@/db/queries/users/email-claims";

const BATCH = 500;
const HOUR_MS = 3_600_000;

/** An e-mail address that has an account in two cells: the one that it is claimed by, and another. */
export interface SharedEmail {
  email: string;
  claimedBy: string;
  usedBy: string;
}

/**
 * Enters into the directory the e-mail addresses of the accounts that cells have from before, so that no other cell makes an account for
 * one; the first cell that has it claims it. One that another of these cells claimed and has no account for becomes the one's that has.
 * Safe to repeat.
 * @param cells pools of whole cells, in the order in which people are looked for; the claims of one that is not among them stay
 * @returns the accounts beside those that are claimed: they stay as they are
 */
export async function enterPeople(cells: readonly Db[], now: Date): Promise<SharedEmail[]> {
  const shared: SharedEmail[] = [];
  for (const db of cells)
    for await (const batch of emailsOf(db)) {
      const directory = directoryOf(db);
      const cell = cellOf(db);
      await enterEmails(directory, cell, batch);
      for (const claim of await listForeignEmails(directory, cell, batch)) {
        const holder = cells.find((one) => cellOf(one) === claim.cell);
        const isFree = holder && !isRecent(claim, now) && (await listUsedEmails(holder, [claim.email])).length === 0;
        if (isFree && (await moveEmailClaim(directory, claim, cell))) continue;
        shared.push({ email: claim.email, claimedBy: claim.cell, usedBy: cell });
      }
    }
  return shared;
}

async function* emailsOf(db: Db): AsyncGenerator<string[]> {
  for (let after = ""; ; ) {
    const batch: string[] = await listEmailsAfter(db, after, BATCH);
    if (batch.length > 0) yield batch;
    if (batch.length < BATCH) return;
    after = batch.at(-1) ?? "";
  }
}

/** No transaction that was to use a claim lives for an hour. */
const isRecent = ({ pendingSince }: { pendingSince: Date | null }, now: Date) =>
  pendingSince !== null && pendingSince.getTime() > now.getTime() - HOUR_MS;

/**
 * Looks what became of a cell's own claims of e-mail addresses an hour after they were made, a batch at a time: those without an account
 * are given up, for whoever claimed them died or was refused. Safe to repeat, by any number of workers.
 * @param now by the database's clock
 * @returns how many were looked at
 */
export async function tidyEmailClaims(db: Db, now: Date): Promise<number> {
  const directory = directoryOf(db);
  const pending = await listPendingEmails(directory, cellOf(db), new Date(now.getTime() - HOUR_MS), BATCH);
  const emails = pending.map(({ email }) => email);
  const used = new Set(await listUsedEmails(db, emails));
  for (const claim of pending) await settleEmailClaim(directory, claim, used.has(claim.email));
  return pending.length;
}
