import { blocksIn, type Network } from "@/lib/domain/networks";
import type { Range } from "@/lib/watch/blocks/read-pieces";

/** How far an endpoint was read a second time, and when it is asked again. */
export interface Rereading {
  to: number;
  after: Date;
  /** Since when it does not tell all it is asked for, and the newest final height then. */
  failing: { since: Date; final: number } | null;
}

/** What was read a second time, as far as a worker knows. */
export interface RereadMemory {
  /** Up to here every endpoint was read a second time; null before the first reading. */
  rereadTo: number | null;
  /** The same for each endpoint, by its name. */
  rereadings: Map<string, Rereading>;
}

interface Rereader {
  memory: RereadMemory;
  network: Pick<Network, "blockMs">;
  endpoints: readonly string[];
  /** The newest height that is final and was read. */
  final: number;
  now: Date;
  /** Reads from one endpoint: how far it came, and how many transfers had been missed. Null when nothing may be written. */
  read: (endpoint: string, range: Range) => Promise<{ to: number; missed: number } | null>;
}

const EVERY_MS = 60_000;
/** An endpoint that did not tell what it was asked a second time is asked once more after so long. */
export const AGAIN_MS = 10_000;
/** And waited for as long as this. */
export const LONGEST_WAIT_MS = 900_000;
const FURTHEST_BACK_MS = 7_200_000;

/**
 * Blocks of two hours: no further back is anything read a second time, for what is older was final at its first reading.
 * Far more than is ever waited for.
 */
export function blocksBack(network: Pick<Network, "blockMs">): number {
  return blocksIn(FURTHEST_BACK_MS, network);
}

/**
 * Reads what is final a second time, from every endpoint by itself, about a minute's worth at a time: what one keeps back
 * another tells. One that does not answer is asked again for what it did not tell, each block for at least a quarter of an
 * hour, and keeps nobody from asking the others.
 * @returns how many transfers had been missed
 */
export async function rereadEach(rereader: Rereader): Promise<number> {
  const { memory, endpoints } = rereader;
  if (memory.rereadTo === null) return 0;
  const start = { to: memory.rereadTo, after: new Date(0), failing: null };
  const missed = await Promise.all(
    endpoints.map((name) => {
      const rereading = memory.rereadings.get(name) ?? { ...start };
      memory.rereadings.set(name, rereading);
      return rereadOne(rereader, name, rereading);
    }),
  );
  const reached = endpoints.map((name) => memory.rereadings.get(name)?.to ?? start.to);
  if (memory.rereadTo !== null) memory.rereadTo = Math.min(...reached);
  return missed.reduce((sum, count) => sum + count, 0);
}

/** A reorg took blocks above a height back: they are read again twice. */
export function rereadFrom(memory: RereadMemory, height: number): void {
  if (memory.rereadTo !== null) memory.rereadTo = Math.min(memory.rereadTo, height);
  for (const [name, rereading] of memory.rereadings) {
    memory.rereadings.set(name, { ...rereading, to: Math.min(rereading.to, height) });
  }
}

async function rereadOne(rereader: Rereader, endpoint: string, rereading: Rereading): Promise<number> {
  const { memory, network, final, now } = rereader;
  const range = { from: Math.max(rereading.to, final - blocksBack(network)) + 1, to: final };
  if (range.to - range.from + 1 < blocksIn(EVERY_MS, network) || rereading.after > now) return 0;
  const done = await rereader.read(endpoint, range);
  if (done === null || memory.rereadings.get(endpoint) !== rereading) return done?.missed ?? 0;
  memory.rereadings.set(endpoint, advance(rereading, done.to, rereader));
  return done.missed;
}

/** What is left of a failing endpoint's task after one more try: what was final when it began to fail, it has had its time for. */
function advance(rereading: Rereading, told: number, { final, now }: Rereader): Rereading {
  if (told >= final) return { to: told, after: now, failing: null };
  const to = Math.max(told, rereading.to);
  const after = new Date(now.getTime() + AGAIN_MS);
  const failing = rereading.failing ?? { since: now, final };
  if (now.getTime() - failing.since.getTime() < LONGEST_WAIT_MS) return { to, after, failing };
  return { to: Math.max(to, failing.final), after, failing: { since: now, final } };
}
