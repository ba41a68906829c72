import { blocksIn, type Network } from "@/lib/domain/networks";

/** A range of heights, both ends inclusive. */
export interface Range {
  from: number;
  to: number;
}

/** An endpoint's position in the second read, and the time of its next call. */
export interface VerifyPass {
  to: number;
  after: Date;
  /** The time since which the endpoint has not returned complete data, and the newest final height at that time. */
  failing: { since: Date; final: number } | null;
}

/** The progress of the second read, as recorded by a worker. */
export interface VerifyMemory {
  /** The height up to which every endpoint was read a second time; null before the first read. */
  verifiedTo: number | null;
  /** The progress of each endpoint, by its name. */
  verifyPasses: Map<string, VerifyPass>;
}

interface Verifier {
  memory: VerifyMemory;
  network: Pick<Network, "blockMs">;
  endpoints: readonly string[];
  /** The newest height that is final and was read. */
  final: number;
  now: Date;
  /** True if the network is idle, and no payment is expected. */
  isIdle?: boolean | undefined;
  /**
   * Reads from one endpoint. Returns its new position, and the number of transfers that had been missed; null when
   * nothing may be written.
   */
  read: (endpoint: string, range: Range) => Promise<{ to: number; missed: number } | null>;
}

const EVERY_MS = 60_000;
const IDLE_EVERY_MS = 300_000;
/** The delay before a failed second read of an endpoint is tried again. */
export const AGAIN_MS = 10_000;
/** The longest wait for a failing endpoint. */
export const LONGEST_WAIT_MS = 900_000;
const FURTHEST_BACK_MS = 7_200_000;

/**
 * Returns the number of blocks in two hours, the limit of the second read. Anything older was final at its first read. This is far more
 * than the longest wait for an endpoint.
 */
export function blocksBack(network: Pick<Network, "blockMs">): number {
  return blocksIn(FURTHEST_BACK_MS, network);
}

/**
 * Reads final blocks a second time, from every endpoint separately, about one minute of blocks at a time, or five minutes if the network
 * is idle. Transfers that one endpoint omits are found at another. Blocks that a failing endpoint did not return are requested from it
 * again, each for at least a quarter of an hour. This does not delay the other endpoints.
 * @returns the number of transfers that had been missed
 */
export async function verifyEach(verifier: Verifier): Promise<number> {
  const { memory, endpoints } = verifier;
  if (memory.verifiedTo === null) return 0;
  const start = { to: memory.verifiedTo, after: new Date(0), failing: null };
  const missed = await Promise.all(
    endpoints.map((name) => {
      const verifyPass = memory.verifyPasses.get(name) ?? { ...start };
      memory.verifyPasses.set(name, verifyPass);
      return verifyOne(verifier, name, verifyPass);
    }),
  );
  const reached = endpoints.map((name) => memory.verifyPasses.get(name)?.to ?? start.to);
  if (memory.verifiedTo !== null) memory.verifiedTo = Math.min(...reached);
  return missed.reduce((sum, count) => sum + count, 0);
}

/** Resets the second read after a reorg. The blocks above a height are read again, and then a second time. */
export function verifyFrom(memory: VerifyMemory, height: number): void {
  if (memory.verifiedTo !== null) memory.verifiedTo = Math.min(memory.verifiedTo, height);
  for (const [name, verifyPass] of memory.verifyPasses) {
    memory.verifyPasses.set(name, { ...verifyPass, to: Math.min(verifyPass.to, height) });
  }
}

async function verifyOne(verifier: Verifier, endpoint: string, verifyPass: VerifyPass): Promise<number> {
  const { memory, network, final, now, isIdle = false } = verifier;
  const everyMs = isIdle ? IDLE_EVERY_MS : EVERY_MS;
  const range = { from: Math.max(verifyPass.to, final - blocksBack(network)) + 1, to: final };
  if (range.to - range.from + 1 < blocksIn(everyMs, network) || verifyPass.after > now) return 0;
  const done = await verifier.read(endpoint, range);
  if (done === null || memory.verifyPasses.get(endpoint) !== verifyPass) return done?.missed ?? 0;
  memory.verifyPasses.set(endpoint, advance(verifyPass, done.to, verifier));
  return done.missed;
}

/** Returns the pass of an endpoint after an attempt. Blocks that were final when it began to fail are skipped after the longest wait. */
function advance(verifyPass: VerifyPass, reported: number, { final, now }: Verifier): VerifyPass {
  if (reported >= final) return { to: reported, after: now, failing: null };
  const to = Math.max(reported, verifyPass.to);
  const after = new Date(now.getTime() + AGAIN_MS);
  const failing = verifyPass.failing ?? { since: now, final };
  if (now.getTime() - failing.since.getTime() < LONGEST_WAIT_MS) return { to, after, failing };
  return { to: Math.max(to, failing.final), after, failing: { since: now, final } };
}
