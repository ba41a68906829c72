import type { Endpoint } from "@/lib/chains/endpoints/endpoint";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import type { RpcCall } from "@/lib/chains/endpoints/rpc";
import { ChainError } from "@/lib/chains/endpoints/source";
import type { Block } from "@/lib/domain/networks/finality";

/** The time of the first block of the first blockchain. */
const FIRST_TIME_MS = Date.UTC(2009, 0, 3);
/** The largest difference between clocks that is accepted. */
const FURTHEST_AHEAD_MS = 86_400_000;
const FINAL_AHEAD_MS = 30_000;
const FINAL_AHEAD_BLOCKS = 2;

/** Creates the error for a well-formed response with impossible data. */
export function contradiction(method: string, text: string): ChainError {
  return new ChainError("inconsistent", `${method}: ${text}`);
}

/**
 * Throws for a block with an invalid time: before the first blockchain (first blocks often have no time), or more than
 * a day ahead, as when milliseconds are read as seconds.
 * @param field the method and field that returned it
 * @throws ChainError("inconsistent")
 */
export function requireTime(field: string, { height, time }: Pick<Block, "height" | "time">, now: Date): void {
  const ms = time.getTime();
  if (ms <= now.getTime() + FURTHEST_AHEAD_MS && (ms >= FIRST_TIME_MS || (height === 0 && ms === 0))) return;
  const text = Number.isNaN(ms) ? "is invalid" : `is ${time.toISOString()}`;
  throw contradiction(field, `the time of block ${height} ${text}; this machine's clock shows ${now.toISOString()}`);
}

/**
 * Throws if the later of two blocks of one chain has the earlier time. Blocks may have the same time.
 * @param field the method and field that returned the times
 * @throws ChainError("inconsistent")
 */
export function requireTimeOrder(
  field: string,
  earlier: Pick<Block, "height" | "time">,
  later: Pick<Block, "height" | "time">,
): void {
  if (earlier.time <= later.time) return;
  const before = earlier.time.toISOString();
  const after = later.time.toISOString();
  const text = `block ${later.height} has the time ${after}, which is before ${before}, the time of block ${earlier.height}`;
  throw contradiction(field, text);
}

/**
 * Throws for a final height far above the head, or below an earlier final height: a final block stays final. Seconds pass between the two
 * responses, so on chains with immediate finality the final height may be slightly above the head.
 * @param known the `head` just read, and the highest earlier `final` height; null when there was none
 * @throws ChainError("inconsistent")
 */
export function requireFinal(
  method: string,
  height: number,
  known: { head: number; final: number | null },
  blockMs: number,
): void {
  const ahead = FINAL_AHEAD_BLOCKS + Math.ceil(FINAL_AHEAD_MS / blockMs);
  if (height > known.head + ahead) throw contradiction(method, `${height} is final, but the head is ${known.head}`);
  if (known.final !== null && height < known.final)
    throw contradiction(method, `only ${height} is final, but ${known.final} was final before: this node lags`);
}

const SHORTEST_STALL_MS = 15_000;

interface HeightQuestion extends RpcCall {
  /**
   * Parses the response as a height.
   * @throws ZodError when the response is not a height
   */
  read: (result: unknown, endpoint: Endpoint) => number;
  /** Returns the current duration of a block. */
  blockMs: () => number;
  isTiedLater?: boolean;
}

export interface HeightReader {
  /** Returns the current height of the head. */
  read(): Promise<number>;
  /** Records that a head of this height was read. From then on, a node with a lower head counts as lagging. */
  note(height: number): void;
}

interface State {
  endpoints: Endpoints;
  question: HeightQuestion;
  now: () => Date;
  /** The last head that was read. */
  height: number;
  risenAt: Date;
}

/**
 * Creates a reader of a chain's height. A node that returns less than an earlier height lags, so the next one is queried. If all return
 * less, the highest value counts. If the height does not rise, all endpoints are queried.
 */
export function createHeightReader(endpoints: Endpoints, question: HeightQuestion, now: () => Date): HeightReader {
  const state: State = { endpoints, question, now, height: -1, risenAt: now() };
  return {
    read: () => readHeight(state),
    note(height) {
      state.height = height;
    },
  };
}

async function readHeight(state: State): Promise<number> {
  const { endpoints, question, now } = state;
  const height = await readHighest(state);
  const stallMs = Math.max(4 * question.blockMs(), SHORTEST_STALL_MS);
  const isStalled = height === state.height && now().getTime() - state.risenAt.getTime() >= stallMs;
  if (height !== state.height || isStalled) state.risenAt = now();
  if (!isStalled) return height;
  const parse = (result: unknown, endpoint: Endpoint) => noteHeight(question, result, endpoint);
  return Math.max(height, ...(await endpoints.askAll({ ...describeQuestion(question), parse })));
}

/** Returns the first height that is not below the last one; if every endpoint returns less, the highest of all. */
async function readHighest({ endpoints, question, height: last }: State): Promise<number> {
  const heights: number[] = [];
  const parse = (result: unknown, endpoint: Endpoint) => {
    const height = noteHeight(question, result, endpoint);
    heights.push(height);
    if (height >= last) return height;
    throw new ChainError("inconsistent", `This node lags: its head is ${height}, but ${last} was seen`);
  };
  return endpoints.ask({ ...describeQuestion(question), parse }).catch((error) => {
    if (heights.length === 0) throw error;
    return Math.max(...heights);
  });
}

function describeQuestion({ method, params, isTiedLater = false }: HeightQuestion) {
  return { method, params, isTiedLater };
}

function noteHeight(question: HeightQuestion, result: unknown, endpoint: Endpoint): number {
  endpoint.height = question.read(result, endpoint);
  return endpoint.height;
}

/** Reports the endpoints with the highest block when no endpoint can return that block. */
export function disputeHighest(endpoints: Endpoints, error: unknown): void {
  if (!(error instanceof ChainError) || error.kind !== "inconsistent") return;
  const highest = Math.max(...endpoints.all.map(({ height }) => height));
  for (const { name, height } of endpoints.all) if (height === highest && height >= 0) endpoints.dispute(name, error);
}

/** The functions that read a number that never decreases on a chain, such as the final height. */
interface Rising {
  /** Returns the number from one endpoint; null if it is unknown. */
  byOne: () => Promise<number | null>;
  /** Returns the number from each endpoint. */
  byAll: () => Promise<(number | null)[]>;
  /** Returns the current duration of a block. */
  blockMs: () => number;
}

/**
 * Creates a reader of a number that never decreases. If the number does not rise for a while, all endpoints are queried and the highest
 * value counts, because the first endpoint may lag.
 */
export function createRisingReader({ byOne, byAll, blockMs }: Rising, now: () => Date): () => Promise<number | null> {
  let highest: number | null = null;
  let risenAt = now();

  return async () => {
    const reported = await byOne();
    const stallMs = Math.max(4 * blockMs(), SHORTEST_STALL_MS);
    const isStalled = highest !== null && (reported ?? -1) <= highest && now().getTime() - risenAt.getTime() >= stallMs;
    const heights = (isStalled ? [reported, ...(await byAll())] : [reported]).filter((height) => height !== null);
    if (heights.length === 0) return null;
    const found = Math.max(...heights);
    if (isStalled || found > (highest ?? -1)) [highest, risenAt] = [found, now()];
    return found;
  };
}
