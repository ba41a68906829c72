import { type Db, WORK_LIMITS } from "@/db/client";
import { claimCursor, releaseCursor } from "@/db/queries/networks/cursors";
import { endSilentSessions } from "@/db/queries/networks/silent-sessions";

/** How long a lease holds that is not renewed. */
export const LEASE_MS = 10_000;

/**
 * Takes or renews the right to scan a network; one worker at a time has it, for ten seconds by the database's clock.
 * @returns false while another worker has it
 */
export async function leaseNetwork(db: Db, network: string, owner: string): Promise<boolean> {
  return claimCursor(db, network, owner, LEASE_MS);
}

/** Gives the right to scan back at once, so that another worker need not wait for it to run out. */
export async function returnNetwork(db: Db, network: string, owner: string): Promise<void> {
  await releaseCursor(db, network, owner);
}

/**
 * Sets free what a process holds that stopped in the middle of a statement, so that it can be leased once its lease is over.
 * @returns how many connections were ended
 */
export async function freeSilentHolders(db: Db): Promise<number> {
  return endSilentSessions(db, WORK_LIMITS.worker.silentMs);
}
