import * as z from "zod";
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

/** A failed call, or a response that failed a check. */
export interface EndpointError {
  endpoint: string;
  kind: ChainErrorKind;
  message: string;
}

/** A counter of calls that also ranks endpoints by their budgets; see lib/watch/call-meter.ts. */
export interface Meter {
  /** Counts a call; resolves when it may be sent. */
  take(endpoint: string): Promise<void>;
  /** Returns the penalty of an endpoint in the order of calls; 0 for none. */
  rank(endpoint: string): number;
}

export interface EndpointsOptions {
  urls: readonly string[];
  /** The headers of each URL, in the same order. */
  headers?: readonly Endpoint["headers"][];
  /** The number of endpoints that must agree on a receipt before its payments are confirmed; 1 by default. */
  quorum?: number;
  now: () => Date;
  signal?: AbortSignal | undefined;
  /** Called for every failed call, to log it. */
  onEndpointError?: ((endpointError: EndpointError) => void) | undefined;
  meter?: Meter | undefined;
  /** Wraps each call, for tracing. */
  watchCall?: WatchCall | undefined;
  timeoutMs?: number;
  maxBytes?: number;
}

/**
 * A function that runs a call to an endpoint, which is identified only by its host.
 * @param method the RPC method, such as "eth_getLogs"
 */
export type WatchCall = <T>(endpoint: string, method: string, call: () => Promise<T>) => Promise<T>;

/** A function that sends another call to the endpoint that is being queried. */
export type Call = (call: RpcCall) => Promise<unknown>;

export interface Ask<T> extends RpcCall {
  /** Parses and checks a response. Throws ChainError("inconsistent") if it cannot be trusted; the next endpoint is then queried. */
  parse: (result: unknown, endpoint: Endpoint) => T;
  /** Maps the code of an error that is a valid response to a value; undefined for all other errors. */
  parseError?: (code: number) => T | undefined;
  /** Runs on the endpoint before the call, for example to check that it has the block. */
  before?: (call: Call, endpoint: Endpoint) => Promise<void>;
  /** True if the caller verifies that the response belongs to this network, or verifies the chain id afterwards. */
  isTiedLater?: boolean;
  /** True if an endpoint may correctly return nothing, so that this does not count against it. */
  isOpinion?: boolean;
  feature?: Feature;
  /**
   * Preferred variants of the call, the best first. If an endpoint refuses a variant, the next one is sent, and finally the call's own
   * `params`. A resource that is requested in variants can have several forms, so it can exist and still be unreadable.
   */
  better?: readonly Wording[];
  /** The number of blocks that a log query spans. */
  blocks?: number;
  /** The name of an endpoint to query last, for an independent second response. */
  notFirst?: string | undefined;
  /** The name of the only endpoint to query. */
  only?: string | undefined;
  /** Returns true for a response that counts only if the endpoint confirms the chain id right after it. */
  mustVerifyChainId?(value: T): boolean;
  /** The name of an endpoint to avoid if another one is available, for an independent response. */
  except?: string | undefined;
  /** The names of endpoints not to query, because their responses failed a check. */
  without?: ReadonlySet<string>;
}

/** A variant of a call that not every endpoint supports. */
export interface Wording {
  params: readonly unknown[];
  needs: Feature;
}

/** All endpoints of a network, and the options of their calls. */
export interface Pool {
  network: Network;
  options: EndpointsOptions;
  protocol: NodeProtocol;
  all: readonly Endpoint[];
}

const TIMEOUT_MS = 8_000;
const MAX_BYTES = 32 * 1024 * 1024;
const METHOD_NOT_FOUND = -32601;

/**
 * Queries one endpoint, and records its errors, latency and capabilities.
 * @throws ChainError
 */
export async function askOne<T>(pool: Pool, endpoint: Endpoint, request: Ask<T>): Promise<T> {
  const { now } = pool.options;
  const call: Call = (what) => put(pool, endpoint, what);
  const { availableAt } = endpoint;
  try {
    await probe(pool, endpoint, request.isTiedLater);
    await request.before?.(call, endpoint);
    const startedAt = now().getTime();
    const value = await answerOf(pool, request, call, endpoint);
    if (request.mustVerifyChainId?.(value)) await identify(pool, endpoint);
    // Another call may have been refused meanwhile: the success of an older call does not end the cool-down.
    if (endpoint.availableAt === availableAt)
      noteSuccess(endpoint, Math.max(1, now().getTime() - startedAt), request.feature, request.blocks);
    return value;
  } catch (cause) {
    const error = asChainError(cause, request.method);
    learn(pool, endpoint, error, request);
    throw error;
  }
}

/**
 * Verifies the chain id of an endpoint after responses that cannot otherwise be attributed to this network, because a URL may start to
 * serve a different chain at any time.
 * @throws ChainError
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
 * Converts any error to a ChainError. An unexpected error while a response is read counts against the response, so that
 * the next endpoint is queried. Otherwise one unexpected response would stop a network that other endpoints could
 * serve.
 */
export function asChainError(error: unknown, method: string): ChainError {
  if (error instanceof ChainError) return error;
  const text = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
  return new ChainError("inconsistent", `${method}: unexpected response format: ${text.slice(0, 200)}`, {
    cause: error,
  });
}

/** Reports an endpoint whose response contradicts other endpoints or itself, and ranks it last for a while. */
export function dispute({ all, options }: Pool, name: string, error: ChainError): void {
  const endpoint = all.find((one) => one.name === name);
  if (!endpoint || options.signal?.aborted) return;
  noteDispute(endpoint, options.now());
  options.onEndpointError?.({
    endpoint: name,
    kind: error.kind,
    message: `its report was not confirmed: ${error.message}`,
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

/**
 * Sends the best variant that the endpoint accepts. A refusal is recorded only if the endpoint accepts another variant,
 * because it may refuse all of them.
 */
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
  throw new Error("The call's own parameters are always the last variant");
}

/** Returns true if the endpoint reported invalid params or an invalid request, by JSON-RPC or HTTP. */
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
  options.onEndpointError?.({ endpoint: endpoint.name, kind: error.kind, message: error.message });
}

async function put({ options, protocol }: Pool, { url, headers, name }: Endpoint, call: RpcCall): Promise<unknown> {
  const { now, signal, meter, watchCall, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  const { callOf, kindOfError } = protocol;
  const beforeSending = () => meter?.take(name);
  const how = { timeoutMs, maxBytes, signal, headers, now, kindOfError, beforeSending };
  const run = () => callOf(url)(url, call, how);
  return watchCall ? watchCall(name, call.method, run) : run();
}

/** Reads the chain id if it is not certain. An endpoint of a different chain receives no other calls. */
async function probe(pool: Pool, endpoint: Endpoint, isTiedLater?: boolean): Promise<void> {
  if (mustProbe(endpoint, pool.network.chainId, pool.options.now(), isTiedLater)) return identify(pool, endpoint);
  requireOurs(pool, endpoint);
}

async function identify(pool: Pool, endpoint: Endpoint): Promise<void> {
  const { network, options, protocol } = pool;
  const { method, read } = protocol.identify;
  const chainId = read(await put(pool, endpoint, protocol.identify));
  if (chainId === null) throw new ChainError("inconsistent", `${method}: the response is not a chain id`);
  noteChainId(endpoint, chainId, network.chainId, options.now());
  requireOurs(pool, endpoint);
}

function requireOurs({ network }: Pool, endpoint: Endpoint): void {
  if (endpoint.chainId === network.chainId) return;
  const ids = `its chain id is ${endpoint.chainId}, but ${network.name} has chain id ${network.chainId}`;
  throw new ChainError("refused", `${endpoint.name} is on another chain: ${ids}`);
}
