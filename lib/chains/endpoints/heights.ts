import type { Endpoint } from "@/lib/chains/endpoints/endpoint";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import type { RpcCall } from "@/lib/chains/endpoints/rpc";
import { ChainError } from "@/lib/chains/endpoints/source";
import type { Block } from "@/lib/domain/networks/finality";

/** The first block of the first chain. */
const FIRST_TIME_MS = Date.UTC(2009, 0, 3);
/** Clocks differ, but not by days. */
const FURTHEST_AHEAD_MS = 86_400_000;
const FINAL_AHEAD_MS = 30_000;
const FINAL_AHEAD_BLOCKS = 2;

/** What an endpoint answered cannot be so, though its form is right. */
export function contradiction(method: string, words: string): ChainError {
  return new ChainError("inconsistent", `${method}: ${words}`);
}

/**
 * Refuses a block whose time is none: before there were chains (first blocks often carry none), or more than a day from
 * now, as milliseconds are where seconds are meant.
 * @param field method and field that told it
 * @throws ChainError("inconsistent")
 */
export function requireTime(field: string, { height, time }: Pick<Block, "height" | "time">, now: Date): void {
  const ms = time.getTime();
  if (ms <= now.getTime() + FURTHEST_AHEAD_MS && (ms >= FIRST_TIME_MS || (height === 0 && ms === 0))) return;
  const said = Number.isNaN(ms) ? "is none" : `would be ${time.toISOString()}`;
  throw contradiction(field, `the time of block ${height} ${said}; here it is ${now.toISOString()}`);
}

/**
 * Refuses two blocks of one chain of which the later one has the earlier time. Blocks may carry the same time.
 * @param field method and field that told the times
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
  const words = `block ${later.height} has the time ${after}, which is before that of block ${earlier.height}, ${before}`;
  throw contradiction(field, words);
}

/**
 * Refuses a final height that is far above the head, or below one that was final before: what is final stays so. Seconds
 * pass between the two answers, so on chains that are final at once it may be a little ahead.
 * @param known `head` that was just read, and the highest `final` height before; null when there was none
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
    throw contradiction(method, `only ${height} is final, but ${known.final} was before: this node lags`);
}

const SHORTEST_STALL_MS = 15_000;

interface HeightQuestion extends RpcCall {
  /** Reads the answer as a height. @throws ZodError when it is none. */
  read: (result: unknown, endpoint: Endpoint) => number;
  /** How long blocks take now. */
  blockMs: () => number;
  isTiedLater?: boolean;
}

export interface HeightReader {
  /** The height of the head as the endpoints show it now. */
  read(): Promise<number>;
  /** The head of that height was seen: from here on a node that shows less lags. */
  note(height: number): void;
}

interface State {
  endpoints: Endpoints;
  question: HeightQuestion;
  now: () => Date;
  /** The head that was seen last. */
  height: number;
  risenAt: Date;
}

/**
 * Reads the height of a chain. A node that shows less than was seen before lags, so another one is asked; when all show
 * less, the highest of them counts. A height that stands still makes it ask all of them.
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
  return Math.max(height, ...(await endpoints.askAll({ ...wordsOf(question), parse })));
}

/** The first height that is not below the last one; the highest of all when every endpoint shows less. */
async function readHighest({ endpoints, question, height: last }: State): Promise<number> {
  const heights: number[] = [];
  const parse = (result: unknown, endpoint: Endpoint) => {
    const height = noteHeight(question, result, endpoint);
    heights.push(height);
    if (height >= last) return height;
    throw new ChainError("inconsistent", `This node lags: its head is ${height}, but ${last} was seen`);
  };
  return endpoints.ask({ ...wordsOf(question), parse }).catch((error) => {
    if (heights.length === 0) throw error;
    return Math.max(...heights);
  });
}

function wordsOf({ method, params, isTiedLater = false }: HeightQuestion) {
  return { method, params, isTiedLater };
}

function noteHeight(question: HeightQuestion, result: unknown, endpoint: Endpoint): number {
  endpoint.height = question.read(result, endpoint);
  return endpoint.height;
}

/** Whoever shows the highest block, which nobody has, is told so. */
export function disputeHighest(endpoints: Endpoints, error: unknown): void {
  if (!(error instanceof ChainError) || error.kind !== "inconsistent") return;
  const highest = Math.max(...endpoints.all.map(({ height }) => height));
  for (const { name, height } of endpoints.all) if (height === highest && height >= 0) endpoints.dispute(name, error);
}

/** A number that a chain only ever raises, such as the height that is final. */
interface Rising {
  /** As one endpoint tells it; null where nobody knows. */
  byOne: () => Promise<number | null>;
  /** As each of them tells it. */
  byAll: () => Promise<(number | null)[]>;
  /** How long blocks take now. */
  blockMs: () => number;
}

/**
 * Reads such a number. One that stands still for a while may only do so at the endpoint that is asked first, so all of
 * them are asked then, and the highest counts.
 */
export function createRisingReader({ byOne, byAll, blockMs }: Rising, now: () => Date): () => Promise<number | null> {
  let highest: number | null = null;
  let risenAt = now();

  return async () => {
    const told = await byOne();
    const stallMs = Math.max(4 * blockMs(), SHORTEST_STALL_MS);
    const isStalled = highest !== null && (told ?? -1) <= highest && now().getTime() - risenAt.getTime() >= stallMs;
    const heights = (isStalled ? [told, ...(await byAll())] : [told]).filter((height) => height !== null);
    if (heights.length === 0) return null;
    const found = Math.max(...heights);
    if (isStalled || found > (highest ?? -1)) [highest, risenAt] = [found, now()];
    return found;
  };
}
