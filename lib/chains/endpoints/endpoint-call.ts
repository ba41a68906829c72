import { z } from "zod";
import {
  type Endpoint,
  type Feature,
  lacks,
  mustProbe,
  noteChainId,
  noteDispute,
  noteError,
  noteLack,
  noteSuccess,
} from "@/lib/chains/endpoints/endpoint";
import type { NodeProtocol, RpcCall } from "@/lib/chains/endpoints/rpc";
import { ChainError, type ChainErrorKind, isUnreadable } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";

/** A call that failed, or an answer that did not stand up. */
export interface Trouble {
  endpoint: string;
  kind: ChainErrorKind;
  message: string;
}

/** Counts what leaves, and says who should rather not be asked; see lib/watch/call-meter.ts. */
export interface Meter {
  /** A call leaves; resolves when it may. */
  take(endpoint: string): Promise<void>;
  /** How much later than others it should be asked. */
  rank(endpoint: string): number;
}

export interface EndpointsOptions {
  urls: readonly string[];
  /** One per URL. */
  headers?: readonly Endpoint["headers"][];
  /** Endpoints that must agree on a receipt before its payments are confirmed; one when not said. */
  quorum?: number;
  now: () => Date;
  signal?: AbortSignal | undefined;
  /** Told of every failed call, for the log. */
  onTrouble?: ((trouble: Trouble) => void) | undefined;
  meter?: Meter | undefined;
  /** Sees each call from its beginning to its end; left out: nobody does. */
  watchCall?: WatchCall | undefined;
  timeoutMs?: number;
  maxBytes?: number;
}

/** Runs a call of an endpoint, which is known by its host alone. @param method "eth_getLogs" */
export type WatchCall = <T>(endpoint: string, method: string, call: () => Promise<T>) => Promise<T>;

/** Puts another call to the endpoint that is being asked. */
export type Call = (call: RpcCall) => Promise<unknown>;

export interface Ask<T> extends RpcCall {
  /** Checks an answer; throws ChainError("inconsistent") for one that cannot be trusted: the next endpoint is asked. */
  parse: (result: unknown, endpoint: Endpoint) => T;
  /** Errors that are answers, by their code: undefined for one that is not. */
  parseError?: (code: number) => T | undefined;
  /** Runs on the endpoint before the call, for example to see whether it knows the block at all. */
  before?: (call: Call, endpoint: Endpoint) => Promise<void>;
  /** Whoever asks ties the answer to this network, or has the chain id read after it. */
  isTiedLater?: boolean;
  /** That an endpoint does not know it may be right, and is not held against it. */
  isOpinion?: boolean;
  feature?: Feature;
  /**
   * Better ways to put the call, the best first: an endpoint that refuses one is asked in the next, the call's own `params`
   * last. What is asked for so comes in forms: it may be there and still be unreadable.
   */
  better?: readonly Wording[];
  /** Blocks that a log query spans. */
  blocks?: number;
  /** Name of an endpoint to ask last, for a second opinion. */
  notFirst?: string | undefined;
  /** Name of the only endpoint to ask, for its own opinion. */
  only?: string | undefined;
  /** Answers that count only when the endpoint says right after them that it serves this network still. */
  mustVerifyChainId?(value: T): boolean;
  /** Name of an endpoint not to ask where there is another one, for an opinion that is not its own. */
  except?: string | undefined;
  /** Names of endpoints not to ask, for what they told did not stand up. */
  without?: ReadonlySet<string>;
}

/** A way to put a call that not every endpoint takes. */
export interface Wording {
  params: readonly unknown[];
  needs: Feature;
}

/** All endpoints of a network, and how they are asked. */
export interface Pool {
  network: Network;
  options: EndpointsOptions;
  protocol: NodeProtocol;
  all: readonly Endpoint[];
}

const TIMEOUT_MS = 8_000;
const MOST_BYTES = 32 * 1024 * 1024;
const METHOD_NOT_FOUND = -32601;

/** Asks one endpoint, and learns from how it answers. @throws ChainError */
export async function askOne<T>(pool: Pool, endpoint: Endpoint, request: Ask<T>): Promise<T> {
  const { now } = pool.options;
  const call: Call = (what) => put(pool, endpoint, what);
  const { restsUntil } = endpoint;
  try {
    await probe(pool, endpoint, request.isTiedLater);
    await request.before?.(call, endpoint);
    const startedAt = now().getTime();
    const value = await answerOf(pool, request, call, endpoint);
    if (request.mustVerifyChainId?.(value)) await identify(pool, endpoint);
    // Another call may have been refused meanwhile: an answer to an older one is no leave to ask on.
    if (endpoint.restsUntil === restsUntil)
      noteSuccess(endpoint, Math.max(1, now().getTime() - startedAt), request.feature, request.blocks);
    return value;
  } catch (cause) {
    const error = asChainError(cause, request.method);
    learn(pool, endpoint, error, request);
    throw error;
  }
}

/**
 * Asks an endpoint which chain it serves, after it gave answers that nothing else ties to this network: a URL may serve
 * another chain from one moment to the next. @throws ChainError
 */
export async function verifyChainId(pool: Pool, endpoint: Endpoint): Promise<void> {
  const { method } = pool.protocol.identify;
  try {
    await identify(pool, endpoint);
  } catch (cause) {
    const error = asChainError(cause, method);
    learn(pool, endpoint, error, { method });
    throw error;
  }
}

/**
 * Whatever goes wrong while an answer is read is the answer's trouble: the next endpoint is asked. Were it ours, one answer
 * that nobody thought of would silence a network that other endpoints could serve.
 */
export function asChainError(error: unknown, method: string): ChainError {
  if (error instanceof ChainError) return error;
  const words = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
  return new ChainError("inconsistent", `${method}: an answer of another form: ${words.slice(0, 200)}`, {
    cause: error,
  });
}

/** What an endpoint told did not stand up to what others say, or to what it says itself: it is told, and asked last. */
export function dispute({ all, options }: Pool, name: string, error: ChainError): void {
  const endpoint = all.find((one) => one.name === name);
  if (!endpoint || options.signal?.aborted) return;
  noteDispute(endpoint, options.now());
  options.onTrouble?.({
    endpoint: name,
    kind: error.kind,
    message: `what it told does not stand up: ${error.message}`,
  });
}

async function answerOf<T>(pool: Pool, request: Ask<T>, call: Call, endpoint: Endpoint): Promise<T> {
  try {
    return request.parse(await putBest(pool, endpoint, request, call), endpoint);
  } catch (error) {
    const code = error instanceof ChainError ? error.code : null;
    const answer = code === null ? undefined : request.parseError?.(code);
    if (answer === undefined) throw error;
    return answer;
  }
}

/** The best way that the endpoint takes. That it refuses one is only learnt where it takes another: it may refuse all. */
async function putBest(
  { options }: Pool,
  endpoint: Endpoint,
  { method, params, better = [] }: Ask<unknown>,
  call: Call,
) {
  const refused: Feature[] = [];
  const learn = () => {
    for (const feature of refused) noteLack(endpoint, feature, options.now());
  };
  const open = better.filter(({ needs }) => !lacks(endpoint, needs, options.now()));
  for (const wording of [...open, { params, needs: null }]) {
    try {
      const result = await call({ method, params: wording.params });
      learn();
      if (wording.needs) endpoint.lacks.delete(wording.needs);
      return result;
    } catch (error) {
      if (isUnreadable(error)) learn();
      if (wording.needs === null || !isRefusal(error)) throw error;
      refused.push(wording.needs);
    }
  }
  throw new Error("The call's own words are always the last");
}

/** Invalid params or an invalid request, in JSON-RPC's words or HTTP's. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ChainError) || error.kind === "rateLimited" || error.code === METHOD_NOT_FOUND) return false;
  return error.kind === "refused" || error.code === -32602 || error.code === -32600;
}

function learn(
  { network, options }: Pool,
  endpoint: Endpoint,
  error: ChainError,
  request: Pick<Ask<unknown>, "method" | "feature" | "blocks">,
): void {
  if (options.signal?.aborted || error.kind === "unreadable") return;
  if (endpoint.chainId === null || endpoint.chainId === network.chainId) {
    noteError(endpoint, error, request.feature, request.blocks ?? 0, options.now());
  }
  options.onTrouble?.({ endpoint: endpoint.name, kind: error.kind, message: error.message });
}

async function put({ options, protocol }: Pool, { url, headers, name }: Endpoint, call: RpcCall): Promise<unknown> {
  const { now, signal, meter, watchCall, timeoutMs = TIMEOUT_MS, maxBytes = MOST_BYTES } = options;
  const { callOf, kindOfError } = protocol;
  const beforeSending = () => meter?.take(name);
  const how = { timeoutMs, maxBytes, signal, headers, now, kindOfError, beforeSending };
  const run = () => callOf(url)(url, call, how);
  return watchCall ? watchCall(name, call.method, run) : run();
}

/** Reads the chain id where it is not known for sure; an endpoint of another chain is never asked anything else. */
async function probe(pool: Pool, endpoint: Endpoint, isTiedLater?: boolean): Promise<void> {
  if (mustProbe(endpoint, pool.network.chainId, pool.options.now(), isTiedLater)) return identify(pool, endpoint);
  requireOurs(pool, endpoint);
}

async function identify(pool: Pool, endpoint: Endpoint): Promise<void> {
  const { network, options, protocol } = pool;
  const { method, read } = protocol.identify;
  const chainId = read(await put(pool, endpoint, protocol.identify));
  if (chainId === null) throw new ChainError("inconsistent", `${method}: the answer is no chain id`);
  noteChainId(endpoint, chainId, network.chainId, options.now());
  requireOurs(pool, endpoint);
}

function requireOurs({ network }: Pool, endpoint: Endpoint): void {
  if (endpoint.chainId === network.chainId) return;
  const ids = `its chain id is ${endpoint.chainId}, ${network.name} has ${network.chainId}`;
  throw new ChainError("refused", `${endpoint.name} is another chain: ${ids}`);
}
