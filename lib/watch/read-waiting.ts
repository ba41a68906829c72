import type { Db } from "@/db/client";
import { listHeldUntil, listWaiting } from "@/db/queries/networks/waiting";
import type { Waiting } from "@/lib/domain/networks/watch-state";

/**
 * The interval between reads of holds: they last for hours, and reading them all costs more than a query for waiting
 * payers.
 */
const HELD_EVERY_MS = 15_000;

/** The holds that were read last. */
export interface HeldMemory {
  until: ReadonlyMap<string, Date>;
  readAt: Date | null;
}

/** Returns the waiting payers and holds of each network; holds may be a few seconds old. */
export async function readWaiting(
  db: Db,
  networks: readonly string[],
  held: HeldMemory,
  now: Date,
): Promise<Map<string, Waiting>> {
  if (held.readAt === null || now.getTime() - held.readAt.getTime() >= HELD_EVERY_MS)
    Object.assign(held, { until: await listHeldUntil(db, now), readAt: now });
  const waiting = await listWaiting(db, networks, now);
  return new Map([...waiting].map(([id, who]) => [id, { ...who, heldUntil: held.until.get(id) ?? null }]));
}
