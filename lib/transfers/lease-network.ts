import type { Db } from "@/db/client";
import { claimCursor, releaseCursor } from "@/db/queries/cursors";

const LEASE_MS = 10_000;

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
