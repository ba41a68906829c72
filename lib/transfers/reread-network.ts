import type { Db } from "@/db/client";
import { findCursor } from "@/db/queries/cursors";
import type { ChainSource } from "@/lib/chains/source";
import type { Head } from "@/lib/domain/block";
import { finalHeight } from "@/lib/domain/finality";
import type { Network } from "@/lib/domain/networks";
import { commitScan } from "@/lib/transfers/commit-scan";
import { readRange } from "@/lib/transfers/read-span";
import { readAddresses } from "@/lib/transfers/scan-memory";
import type { Scanner } from "@/lib/transfers/scan-network";

const EVERY_MS = 60_000;
const FURTHEST_BACK_MS = 1_800_000;
const AGAIN_MS = 10_000;
const LONGEST_WAIT_MS = 900_000;

/**
 * Reads blocks a second time once they are final, about a minute's worth in one call to every endpoint. A new block may
 * be asked of a node that does not have it yet and answers "no transfers", and some nodes leave logs out for longer: what
 * one keeps back another tells. While an endpoint does not answer, the same blocks are read again later, for a quarter of an hour.
 * Not where nodes take one block at a time, for it would double the cost; and no further back than half an hour, for
 * what is older was final at its first reading.
 * @returns how many transfers had been missed
 */
export async function rereadNetwork(
  db: Db,
  source: ChainSource,
  network: Network,
  scanner: Scanner,
  head: Head,
  now: Date,
): Promise<number> {
  const { memory, owner, log } = scanner;
  const cursor = await findCursor(db, network.id);
  if (cursor?.height == null || !cursor.hash || !cursor.blockTime || memory.rereadTo === null) return 0;
  const final = Math.min(finalHeight(network, head), cursor.height);
  if (memory.spanBlocks === 1) memory.rereadTo = Math.max(memory.rereadTo, final);
  const from = Math.max(memory.rereadTo, final - blocksIn(FURTHEST_BACK_MS, network)) + 1;
  if (final - from + 1 < blocksIn(EVERY_MS, network) || memory.rereadAfter > now) return 0;
  memory.rereadAfter = new Date(now.getTime() + AGAIN_MS);
  const addresses = await readAddresses(db, network.id, memory, now);
  const span = { from, to: Math.min(final, from + memory.spanBlocks - 1) };
  const reading = await readRange(memory, span, () => source.transfersByAll(span, new Set(addresses.keys())));
  if (!reading) {
    memory.rereadAfter = now;
    return 0;
  }
  const { transfers, isWhole } = reading;
  const point = { height: cursor.height, hash: cursor.hash };
  const unmoved = { from: point, to: { ...point, time: cursor.blockTime }, blocks: [], transfers, keepFrom: 0 };
  const missed = await commitScan(db, network.id, owner, unmoved, addresses, now);
  if (missed === null) return 0;
  const isDone = isWhole || final - span.to >= blocksIn(LONGEST_WAIT_MS, network);
  if (isDone) [memory.rereadTo, memory.rereadAfter] = [span.to, now];
  if (missed > 0) log.warn({ network: network.id, ...span, missed }, "transfers were missed at the first reading");
  return missed;
}

function blocksIn(ms: number, { blockMs }: Network): number {
  return Math.ceil(ms / blockMs);
}
