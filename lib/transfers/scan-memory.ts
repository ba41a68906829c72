import type { Db } from "@/db/client";
import { listWatchedAddresses } from "@/db/queries/watched-addresses";
import { firstIdAt } from "@/lib/domain/id";
import type { RereadMemory } from "@/lib/transfers/reread-each";

const FIRST_SPAN = 2_000;
const LONGEST_SPAN = 10_000;
const SINGLES_BEFORE_TRYING_TWO = 50;
const RELOAD_EVERY_MS = 600_000;
/** Ids are made before their rows are committed: this much is read again every time. */
const OVERLAP_MS = 300_000;

/** The receiving addresses of a network, as far as they were read. */
export interface AddressMemory {
  /** Receiving address → id of its row. */
  addresses: Map<string, string>;
  addressesLoadedAt: Date | null;
}

/** What a scanner of one network remembers between its steps. All of it can be lost at any time. */
export interface ScanMemory extends AddressMemory, RereadMemory {
  /** Blocks that one log query may span, as far as is known. */
  spanBlocks: number;
  /** Blocks read one by one since ranges were given up. */
  singles: number;
}

/** The memory of a scanner that starts. */
export function newScanMemory(): ScanMemory {
  return {
    ...{ spanBlocks: FIRST_SPAN, singles: 0, addresses: new Map(), addressesLoadedAt: null },
    ...{ rereadTo: null, rereadings: new Map() },
  };
}

/** A node refused `blocks` at once: half of them is tried next. */
export function shrinkSpan(memory: ScanMemory, blocks: number): void {
  memory.spanBlocks = Math.max(1, Math.floor(blocks / 2));
  memory.singles = 0;
}

/** A node answered `blocks` at once: if that was all it was allowed, twice as many are tried next. */
export function growSpan(memory: ScanMemory, blocks: number): void {
  if (blocks >= memory.spanBlocks) memory.spanBlocks = Math.min(LONGEST_SPAN, blocks * 2);
}

/** A block was read by itself. Where ranges were given up, two at once are tried again after a while. */
export function noteSingle(memory: ScanMemory): void {
  if (memory.spanBlocks > 1) return;
  memory.singles += 1;
  if (memory.singles >= SINGLES_BEFORE_TRYING_TWO) memory.spanBlocks = 2;
}

/**
 * The receiving addresses of a network with the ids of their rows; only new ones are read. Call it after the head was
 * read: whoever was paid in a block up to that head is in it then.
 */
export async function readAddresses(
  db: Db,
  network: string,
  memory: AddressMemory,
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const loadedAt = memory.addressesLoadedAt;
  const isFull = loadedAt === null || now.getTime() - loadedAt.getTime() >= RELOAD_EVERY_MS;
  const afterId = isFull ? "" : firstIdAt(new Date(now.getTime() - OVERLAP_MS));
  for (const row of await listWatchedAddresses(db, network, afterId)) memory.addresses.set(row.address, row.id);
  if (isFull) memory.addressesLoadedAt = now;
  return memory.addresses;
}
