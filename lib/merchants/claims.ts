import { cellOf, type Db, directoryOf } from "@/db/client";
import {
  enterAddresses,
  type FamilyAddress,
  findUse,
  listForeign,
  listOwnedAfter,
  listPending,
  moveClaim,
  settleClaim,
} from "@/db/queries/merchants/address-claims";

const BATCH = 500;
const HOUR_MS = 3_600_000;

/** A receiving address that two cells use: the one that it is claimed by, and another. */
export interface SharedAddress extends FamilyAddress {
  claimedBy: string;
  usedBy: string;
}

/**
 * Enters into the directory what cells have from before, so that no other cell can take it; what stands or is held goes before what was
 * removed. An address that another of these cells claimed and uses no more becomes the one's that uses it. Safe to repeat.
 * @param cells pools of whole cells; the claims of one that is not among them are not doubted
 * @returns what cells use together, which stays as it was; all else is entered then
 */
export async function enterCells(cells: readonly Db[], now: Date): Promise<SharedAddress[]> {
  const shared: SharedAddress[] = [];
  for (const isUsed of [true, false])
    for (const db of cells)
      for await (const batch of ownedBy(db, isUsed)) {
        const directory = directoryOf(db);
        const cell = cellOf(db);
        await enterAddresses(directory, cell, batch);
        if (!isUsed) continue;
        for (const claim of await listForeign(directory, cell, batch)) {
          const holder = cells.find((one) => cellOf(one) === claim.cell);
          const isFree = holder !== undefined && !isRecent(claim, now) && !(await findUse(holder, claim))?.isInUse;
          if (isFree && (await moveClaim(directory, claim, cell))) continue;
          shared.push({ family: claim.family, address: claim.address, claimedBy: claim.cell, usedBy: cell });
        }
      }
  return shared;
}

async function* ownedBy(db: Db, isUsed: boolean): AsyncGenerator<FamilyAddress[]> {
  for (let after: FamilyAddress | null = null; ; ) {
    const batch: FamilyAddress[] = await listOwnedAfter(db, after, isUsed, BATCH);
    if (batch.length > 0) yield batch;
    if (batch.length < BATCH) return;
    after = batch.at(-1) ?? null;
  }
}

/** No transaction that was to use a claim lives for an hour. */
const isRecent = ({ pendingSince }: { pendingSince: Date | null }, now: Date) =>
  pendingSince !== null && pendingSince.getTime() > now.getTime() - HOUR_MS;

/**
 * Looks what became of a cell's own claims an hour after they were made, a batch at a time: those that nobody of the cell has are given
 * up, for whoever claimed them died or was refused. Safe to repeat, by any number of workers.
 * @param now by the database's clock
 * @returns how many were looked at
 */
export async function tidyClaims(db: Db, now: Date): Promise<number> {
  const directory = directoryOf(db);
  const pending = await listPending(directory, cellOf(db), new Date(now.getTime() - HOUR_MS), BATCH);
  for (const claim of pending) await settleClaim(directory, claim, (await findUse(db, claim)) !== null);
  return pending.length;
}
