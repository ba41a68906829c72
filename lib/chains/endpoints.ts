import { z } from "zod";
import {
  type Endpoint,
  type Feature,
  isResting,
  isTooMuch,
  isUnable,
  mustProbe,
  newEndpoint,
  noteError,
  noteSuccess,
  rank,
} from "@/lib/chains/endpoint";
import { callRpc, type RpcCall, type RpcOptions } from "@/lib/chains/rpc";
import { ChainError, type ChainErrorKind } from "@/lib/chains/source";
import type { Network } from "@/lib/domain/networks";

export interface EndpointsOptions {
  urls: readonly string[];
  now: () => Date;
  signal?: AbortSignal | undefined;
  /** Told of every failed call, for the log. */
  onTrouble?: ((trouble: { endpoint: string; kind: ChainErrorKind; message: string }) => void) | undefined;
  timeoutMs?: number;
  maxBytes?: number;
}

/** Puts another call to the endpoint that is being asked. */
export type Call = (call: RpcCall) => Promise<unknown>;

/** How the nodes of a family say which chain they serve, and what their errors mean. */
export interface Dialect {
  /** The call that tells the chain id, and how its answer reads; null when it is none. */
  identify: RpcCall & { read: (result: unknown) => string | null };
  kindOfError?: RpcOptions["kindOfError"];
}

export interface Ask<T> extends RpcCall {
  /** Judges an answer; throws ChainError("inconsistent") for one that cannot be trusted: the next endpoint is asked. */
  parse: (result: unknown, endpoint: Endpoint) => T;
  /** Errors that are answers, by their code: undefined for one that is not. */
  parseError?: (code: number) => T | undefined;
  /** Runs on the endpoint before the call, for example to see whether it knows the block at all. */
  before?: (call: Call, endpoint: Endpoint) => Promise<void>;
  feature?: Feature;
  /** Blocks that a log query spans. */
  blocks?: number;
  /** Name of an endpoint to ask last, for a second opinion. */
  notFirst?: string | undefined;
}

/** All URLs of one network: who is asked, in which order, and who rests. Its state lives and dies with the object. */
export interface Endpoints {
  /** Asks one endpoint after another until one gives an answer that `parse` accepts. @throws ChainError when none does. */
  ask<T>(request: Ask<T>): Promise<T>;
  /** As `ask`; null answers are believed only when no endpoint knows better. */
  askOrNull<T>(request: Ask<T | null>): Promise<T | null>;
  /** Asks every endpoint that does not rest, at once; answers of those that failed are left out. */
  askAll<T>(request: Ask<T>): Promise<T[]>;
  readonly all: readonly Endpoint[];
}

interface Failure {
  endpoint: Endpoint;
  error: ChainError;
}

const TIMEOUT_MS = 8_000;
const MOST_BYTES = 32 * 1024 * 1024;
/** More than any rank. */
const LAST = 1_000_000;
const HexNumber = z.string().regex(/^0x[0-9a-f]{1,13}$/i);

/** JSON-RPC of EVM nodes, which TRON's nodes speak too. */
const EVM_DIALECT: Dialect = { identify: { method: "eth_chainId", params: [], read: readChainId } };

interface Pool {
  network: Network;
  options: EndpointsOptions;
  dialect: Dialect;
  all: readonly Endpoint[];
}

/** The endpoints of a network, none of them tried yet. */
export function createEndpoints(network: Network, options: EndpointsOptions, dialect = EVM_DIALECT): Endpoints {
  const pool = { network, options, dialect, all: options.urls.map(newEndpoint) };
  return {
    all: pool.all,
    ask: (request) => ask(pool, request),
    askOrNull: (request) => askOrNull(pool, request),
    askAll: (request) => askAll(pool, request),
  };
}

async function ask<T>(pool: Pool, request: Ask<T>): Promise<T> {
  const failures: Failure[] = [];
  for (const endpoint of inOrder(pool, request)) {
    try {
      return await askOne(pool, endpoint, request);
    } catch (error) {
      failures.push({ endpoint, error: asChainError(error, request.method) });
      if (pool.options.signal?.aborted) break;
    }
  }
  throw summary(pool, request, failures);
}

async function askOrNull<T>(pool: Pool, request: Ask<T | null>): Promise<T | null> {
  let isUnknown = false;
  const parse = (result: unknown, endpoint: Endpoint): T => {
    const value = request.parse(result, endpoint);
    if (value !== null) return value;
    isUnknown = true;
    throw new ChainError("inconsistent", `${request.method}: this node does not know it`);
  };
  try {
    return await ask(pool, { ...request, parse });
  } catch (error) {
    if (isUnknown) return null;
    throw error;
  }
}

async function askAll<T>(pool: Pool, request: Ask<T>): Promise<T[]> {
  const answers = await Promise.allSettled(inOrder(pool, request).map((endpoint) => askOne(pool, endpoint, request)));
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
}

function inOrder({ all, options }: Pool, request: Ask<unknown>): Endpoint[] {
  const now = options.now();
  const best = Math.max(...all.map((endpoint) => endpoint.height));
  const place = (endpoint: Endpoint) => rank(endpoint, best, now) + (endpoint.name === request.notFirst ? LAST : 0);
  return all
    .filter((endpoint) => !isResting(endpoint, now) && !isUnable(endpoint, request.feature, request.blocks ?? 0, now))
    .sort((left, right) => place(left) - place(right));
}

async function askOne<T>(pool: Pool, endpoint: Endpoint, request: Ask<T>): Promise<T> {
  const { now } = pool.options;
  const call: Call = (what) => put(pool, endpoint, what);
  try {
    await probe(pool, endpoint);
    await request.before?.(call, endpoint);
    const startedAt = now().getTime();
    const value = await answerOf(request, call, endpoint);
    noteSuccess(endpoint, Math.max(1, now().getTime() - startedAt));
    return value;
  } catch (cause) {
    const error = asChainError(cause, request.method);
    learn(pool, endpoint, error, request);
    throw error;
  }
}

async function answerOf<T>(request: Ask<T>, call: Call, endpoint: Endpoint): Promise<T> {
  try {
    return request.parse(await call(request), endpoint);
  } catch (error) {
    const code = error instanceof ChainError ? error.code : null;
    const answer = code === null ? undefined : request.parseError?.(code);
    if (answer === undefined) throw error;
    return answer;
  }
}

function learn({ network, options }: Pool, endpoint: Endpoint, error: ChainError, request: Ask<unknown>): void {
  if (options.signal?.aborted) return;
  if (endpoint.chainId === null || endpoint.chainId === network.chainId) {
    noteError(endpoint, error, request.feature, request.blocks ?? 0, options.now());
  }
  options.onTrouble?.({ endpoint: endpoint.name, kind: error.kind, message: error.message });
}

async function put({ options, dialect }: Pool, endpoint: Endpoint, call: RpcCall): Promise<unknown> {
  const { now, signal, timeoutMs = TIMEOUT_MS, maxBytes = MOST_BYTES } = options;
  return callRpc(endpoint.url, call, { timeoutMs, maxBytes, signal, now, kindOfError: dialect.kindOfError });
}

/** Reads the chain id where it is not known for sure; an endpoint of another chain is never asked anything else. */
async function probe(pool: Pool, endpoint: Endpoint): Promise<void> {
  const { network, options, dialect } = pool;
  if (mustProbe(endpoint, network.chainId, options.now())) {
    const { method, read } = dialect.identify;
    const chainId = read(await put(pool, endpoint, dialect.identify));
    if (chainId === null) throw new ChainError("unavailable", `${method}: the answer is no chain id`);
    endpoint.chainId = chainId;
    endpoint.chainIdReadAt = options.now();
  }
  requireChainId(network, endpoint);
}

function readChainId(result: unknown): string | null {
  const { success, data } = HexNumber.safeParse(result);
  return success ? BigInt(data).toString() : null;
}

function requireChainId(network: Network, endpoint: Endpoint): void {
  if (endpoint.chainId === network.chainId) return;
  const text = `${endpoint.name} is another chain: its chain id is ${endpoint.chainId}, ${network.name} has ${network.chainId}`;
  throw new ChainError("refused", text);
}

function asChainError(error: unknown, method: string): ChainError {
  if (error instanceof ChainError) return error;
  if (error instanceof z.ZodError) {
    return new ChainError(
      "inconsistent",
      `${method}: an answer of another form: ${z.prettifyError(error).slice(0, 200)}`,
    );
  }
  throw error;
}

/** One error for the whole round: "too large" wins, for the caller can ask for less. */
function summary({ network, all, options }: Pool, request: Ask<unknown>, failures: readonly Failure[]): ChainError {
  const now = options.now();
  const blocks = request.blocks ?? 0;
  const resting = all.filter((endpoint) => isResting(endpoint, now)).map((endpoint) => endpoint.name);
  const isCapped = all.some((endpoint) => !isResting(endpoint, now) && isUnable(endpoint, undefined, blocks, now));
  const isRefused = failures.some(({ error }) => isTooMuch(error, blocks));
  const said = failures.map(({ endpoint, error }) => `${endpoint.name}: ${error.message}`).join("; ");
  const why = said || (resting.length > 0 ? `resting after errors: ${resting.join(", ")}` : "none can serve it");
  const text = `No endpoint of ${network.name} answered ${request.method} (${why})`;
  if (isRefused || (blocks > 1 && isCapped)) return new ChainError("rangeTooLarge", text);
  const first = failures.find(({ error }) => error.kind === "inconsistent") ?? failures[0];
  const isLacking = request.feature !== undefined && resting.length === 0;
  return new ChainError(first?.error.kind ?? (isLacking ? "refused" : "unavailable"), text, { cause: first?.error });
}
