import { blocksIn, type Network } from "@/lib/domain/networks";

/** Heights, both ends inclusive. */
export interface Range {
  from: number;
  to: number;
}

/** How far an endpoint was read a second time, and when it is asked again. */
export interface VerifyPass {
  to: number;
  after: Date;
  /** Since when it does not tell all it is asked for, and the newest final height then. */
  failing: { since: Date; final: number } | null;
}

/** What was read a second time, as far as a worker knows. */
export interface VerifyMemory {
  /** Up to here every endpoint was read a second time; null before the first reading. */
  verifiedTo: number | null;
  /** The same for each endpoint, by its name. */
  verifyPasses: Map<string, VerifyPass>;
}

interface Verifier {
  memory: VerifyMemory;
  network: Pick<Network, "blockMs">;
  endpoints: readonly string[];
  /** The newest height that is final and was read. */
  final: number;
  now: Date;
  /** Nobody waits, and nothing is expected. */
  isIdle?: boolean | undefined;
  /** Reads from one endpoint: how far it came, and how many transfers had been missed. Null when nothing may be written. */
  read: (endpoint: string, range: Range) => Promise<{ to: number; missed: number } | null>;
}

const EVERY_MS = 60_000;
const IDLE_EVERY_MS = 300_000;
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
 * Reads what is final a second time, from every endpoint by itself, about a minute's worth at a time, or five where nobody
 * waits: what one keeps back another tells. One that does not answer is asked again for what it did not tell, each block for at least a quarter of an
 * hour, and keeps nobody from asking the others.
 * @returns how many transfers had been missed
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

/** A reorg took blocks above a height back: they are read again twice. */
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

/** What is left of a failing endpoint's task after one more try: what was final when it began to fail, it has had its time for. */
function advance(verifyPass: VerifyPass, told: number, { final, now }: Verifier): VerifyPass {
  if (told >= final) return { to: told, after: now, failing: null };
  const to = Math.max(told, verifyPass.to);
  const after = new Date(now.getTime() + AGAIN_MS);
  const failing = verifyPass.failing ?? { since: now, final };
  if (now.getTime() - failing.since.getTime() < LONGEST_WAIT_MS) return { to, after, failing };
  return { to: Math.max(to, failing.final), after, failing: { since: now, final } };
}
