import * as z from "zod";
import { type Endpoint, isCoolingDown, isTooMuch, isUnable, newEndpoint, rank } from "@/lib/chains/endpoints/endpoint";
import {
  type Ask,
  asChainError,
  askOne,
  dispute,
  type EndpointError,
  type EndpointsOptions,
  type Pool,
  verifyChainId,
} from "@/lib/chains/endpoints/endpoint-call";
import type { NodeProtocol } from "@/lib/chains/endpoints/rpc";
import { ChainError, isUnreadable } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";
import { endpointNames } from "@/lib/domain/networks/health";

/** All URLs of one network: their order, cool-downs and calls. The state is in memory only. */
export interface Endpoints {
  /**
   * Queries one endpoint after another until one returns a response that `parse` accepts.
   * @throws ChainError if none does
   */
  ask<T>(request: Ask<T>): Promise<T>;
  /**
   * Queries like `ask`. Returns null only if no endpoint returns a value, and no endpoint reports that a value exists but cannot be
   * returned.
   */
  askOrNull<T>(request: Ask<T | null>): Promise<T | null>;
  /** Queries every endpoint that is not cooling down, concurrently; failed calls are left out. */
  askAll<T>(request: Ask<T>): Promise<T[]>;
  /**
   * Queries one endpoint after another until a quorum of them returns the same value, compared by `nameOf`. Null is a value too.
   * @throws ChainError("inconsistent") when enough have responded and too few agree
   */
  askAgreed<T>(request: Ask<T>, nameOf: (value: T) => string): Promise<T>;
  /**
   * Verifies that the endpoints with these names serve this network, after responses that cannot otherwise be attributed to it.
   * @throws ChainError when one does not
   */
  verifyChainId(names: Iterable<string>): Promise<void>;
  /** Records that a response of this endpoint belongs to this network. For a while, this replaces a check of its chain id. */
  noteTied(name: string): void;
  /** Reports an endpoint whose response failed a check, and ranks it last for a while. */
  dispute(name: string, error: ChainError): void;
  /** Works like `dispute`, but is used when it is unknown which endpoint is wrong. Ranks the currently first endpoint last for a while. */
  disputeFirst(error: ChainError): void;
  /** Records that an endpoint returned the header of a block; its receipts may come later. */
  noteShown(endpoint: Endpoint, height: number): void;
  /** The number of endpoints that must agree before a transfer is confirmed. */
  readonly quorum: number;
  /** Returns the endpoints that are not cooling down, the best first. */
  inOrder(): readonly Endpoint[];
  /** Reports an endpoint's error to the log and to the endpoint's health. */
  onError(endpointError: EndpointError): void;
  /** Returns the last height of each endpoint without errors. */
  heads(): number[];
  /** The number of blocks by which receipts and logs lag behind their block. */
  readonly receiptLag: number;
  readonly all: readonly Endpoint[];
  readonly now: () => Date;
}

/** A value and the name of the endpoint that returned it. The name is null if the value needs no check. */
interface Reported<T> {
  value: T;
  endpoint: string | null;
}

/**
 * Reads a value and checks it against other endpoints. If they contradict it, the endpoint that returned the value is reported, and the
 * value is read again without this endpoint. The read is also repeated if the check fails because the endpoint no longer responds, as long
 * as another endpoint remains.
 * @param only the name of the only endpoint that may return the value
 * @throws ChainError when no endpoint returns a value that passes the check
 */
export async function readChecked<T, R>(
  endpoints: Endpoints,
  read: (without: ReadonlySet<string>) => Promise<Reported<T>>,
  check: (value: T, endpoint: string | null) => Promise<R>,
  only?: string,
): Promise<R> {
  const without = new Set<string>();
  for (;;) {
    const { value, endpoint } = await read(without);
    try {
      return await check(value, endpoint);
    } catch (error) {
      if (!(error instanceof ChainError) || endpoint === null) throw error;
      if (error.kind === "inconsistent") endpoints.dispute(endpoint, error);
      without.add(endpoint);
      if (only !== undefined || without.size >= endpoints.all.length) throw error;
    }
  }
}

/**
 * Runs a read that consists of several calls. If it fails, runs it once more on other endpoints: the endpoint of the first call may not
 * support the last one, or its response may fail a check.
 * @throws ChainError the error of the first read
 */
export async function readTwice<T>(endpoints: Endpoints, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ChainError) || endpoints.all.length === 1) throw error;
    return read().catch(() => {
      throw error;
    });
  }
}

/** Returns the same endpoints, but queries only one of them, without a quorum. */
export function singleEndpoint(endpoints: Endpoints, only: string): Endpoints {
  return {
    ...endpoints,
    quorum: 1,
    ask: (request) => endpoints.ask({ ...request, only }),
    askOrNull: (request) => endpoints.askOrNull({ ...request, only }),
    askAll: (request) => endpoints.askAll({ ...request, only }),
    askAgreed: (request) => endpoints.ask({ ...request, only }),
  };
}

/** Maps items with at most `concurrency` promises in flight. After a failure, no further item is started. */
export async function inTurns<T, R>(
  items: readonly T[],
  concurrency: number,
  map: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  let hasFailed = false;
  const run = async () => {
    for (const [index, item] of waiting) {
      if (hasFailed) return;
      results[index] = await map(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, run));
  return results;
}

interface Failure {
  endpoint: Endpoint;
  error: ChainError;
}

const NOTHING_SPECIAL: Ask<null> = { method: "", params: [], parse: () => null };
/** A number above any rank. */
const LAST = 2_000_000;

/** Creates the endpoints of a network, all without history. */
export function createEndpoints(network: Network, options: EndpointsOptions, protocol: NodeProtocol): Endpoints {
  const names = endpointNames(options.urls);
  const all = options.urls.map((url, index) => newEndpoint(url, options.headers?.[index], names[index]));
  const pool: Pool = { network, options, protocol, all };
  const { receiptLag } = protocol;
  return {
    all,
    now: options.now,
    receiptLag,
    dispute: (name, error) => dispute(pool, name, error),
    disputeFirst: (error) => {
      const [first, ...others] = inOrder(pool, NOTHING_SPECIAL);
      if (first && others.length > 0) dispute(pool, first.name, error);
    },
    quorum: options.quorum ?? 1,
    inOrder: () => inOrder(pool, NOTHING_SPECIAL),
    onError: (endpointError) => options.signal?.aborted || options.onEndpointError?.(endpointError),
    heads: () => all.filter(({ errors, height }) => errors === 0 && height >= 0).map(({ height }) => height),
    ask: (request) => ask(pool, request),
    askOrNull: (request) => askOrNull(pool, request),
    askAll: (request) => askAll(pool, request),
    askAgreed: (request, nameOf) => askAgreed(pool, request, nameOf),
    verifyChainId: async (names) => {
      for (const name of new Set(names)) for (const one of all) if (one.name === name) await verifyChainId(pool, one);
    },
    noteTied: (name) => {
      for (const one of all) if (one.name === name && one.chainId === network.chainId) one.tiedAt = options.now();
    },
    noteShown: (endpoint, height) => {
      endpoint.height = Math.max(endpoint.height, height - receiptLag);
    },
  };
}

async function ask<T>(pool: Pool, request: Ask<T>, isAnswer = (_value: T) => true): Promise<T> {
  const failures: Failure[] = [];
  for (const endpoint of inOrder(pool, request)) {
    try {
      const value = await askOne(pool, endpoint, request);
      if (isAnswer(value)) return value;
    } catch (error) {
      failures.push({ endpoint, error: asChainError(error, request.method) });
      if (pool.options.signal?.aborted) break;
    }
  }
  throw summary(pool, request, failures);
}

async function askOrNull<T>(pool: Pool, request: Ask<T | null>): Promise<T | null> {
  let isUnknown = false;
  const known = (value: T | null): T | null => {
    if (value !== null) return value;
    isUnknown = true;
    if (request.isOpinion) return value;
    throw new ChainError("inconsistent", `${request.method}: this node does not have the requested data`);
  };
  const parse = (result: unknown, endpoint: Endpoint): T | null => known(request.parse(result, endpoint));
  const parseError = (code: number): T | null | undefined => {
    const value = request.parseError?.(code);
    return value === undefined ? undefined : known(value);
  };
  const isAnswer = (value: T | null) => value !== null;
  try {
    return await ask(pool, { ...request, parse, parseError }, isAnswer);
  } catch (error) {
    if (isUnknown && !isUnreadable(error)) return null;
    throw error;
  }
}

async function askAll<T>(pool: Pool, request: Ask<T>): Promise<T[]> {
  const answers = await Promise.allSettled(inOrder(pool, request).map((endpoint) => askOne(pool, endpoint, request)));
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
}

async function askAgreed<T>(pool: Pool, request: Ask<T>, nameOf: (value: T) => string): Promise<T> {
  const { quorum = 1 } = pool.options;
  const failures: Failure[] = [];
  const agreed: string[] = [];
  for (const endpoint of inOrder(pool, request)) {
    try {
      const value = await askOne(pool, endpoint, request);
      agreed.push(nameOf(value));
      if (agreed.filter((name) => name === agreed.at(-1)).length < quorum) continue;
      return value;
    } catch (error) {
      failures.push({ endpoint, error: asChainError(error, request.method) });
      if (pool.options.signal?.aborted) break;
    }
  }
  throw missQuorum(pool, request, agreed.length, failures);
}

function missQuorum(pool: Pool, request: Ask<unknown>, answers: number, failures: readonly Failure[]): ChainError {
  const { quorum = 1, onEndpointError } = pool.options;
  const error =
    answers < quorum
      ? summary(pool, request, failures)
      : new ChainError("inconsistent", `${request.method}: the endpoints contradict each other`);
  const counted = `${answers} of ${pool.all.length} endpoints responded, and fewer than the required quorum of ${quorum} agree`;
  onEndpointError?.({ endpoint: "quorum", kind: error.kind, message: `${request.method}: ${counted}` });
  return new ChainError(error.kind, `${error.message}: ${counted}`, { cause: error });
}

function inOrder({ all, options }: Pool, request: Ask<unknown>): Endpoint[] {
  const now = options.now();
  const best = Math.max(...all.map((endpoint) => endpoint.height));
  const wanted = (request.better ?? []).map(({ needs }) => needs);
  const numberOf = (endpoint: Endpoint) =>
    rank(endpoint, best, now, wanted) +
    (options.meter?.rank(endpoint.name) ?? 0) +
    (endpoint.name === request.notFirst ? LAST : 0);
  return all
    .filter((endpoint) => isMeant(all, request, endpoint))
    .filter(
      (endpoint) => !isCoolingDown(endpoint, now) && !isUnable(endpoint, request.feature, request.blocks ?? 0, now),
    )
    .sort((left, right) => numberOf(left) - numberOf(right));
}

function isMeant(all: readonly Endpoint[], { only, except, without }: Ask<unknown>, { name }: Endpoint): boolean {
  if (without?.has(name)) return false;
  return only === undefined ? name !== except || all.length === 1 : name === only;
}

/** Returns one error for the whole round. "Too large" takes precedence, because the caller can request less. */
function summary(pool: Pool, request: Ask<unknown>, failures: readonly Failure[]): ChainError {
  const { network, options } = pool;
  const now = options.now();
  const all = pool.all.filter((endpoint) => isMeant(pool.all, request, endpoint));
  const blocks = request.blocks ?? 0;
  const coolingDown = all.filter((endpoint) => isCoolingDown(endpoint, now)).map((endpoint) => endpoint.name);
  const isCapped = all.some((endpoint) => !isCoolingDown(endpoint, now) && isUnable(endpoint, undefined, blocks, now));
  const isRefused = failures.some(({ error }) => isTooMuch(error, blocks));
  const described = failures.map(({ endpoint, error }) => `${endpoint.name}: ${error.message}`).join("; ");
  const why =
    described ||
    (coolingDown.length > 0 ? `cooling down after errors: ${coolingDown.join(", ")}` : "none can serve the request");
  const text = `No endpoint of ${network.name} responded to ${request.method} (${why})`;
  if (isRefused || (blocks > 1 && isCapped)) return new ChainError("rangeTooLarge", text);
  if (request.better && areUnreadable(failures)) {
    const stated = failures.find(({ error }) => isUnreadable(error))?.error;
    const isUnanimous =
      failures.length === all.length && failures.every(({ error }) => isUnreadable(error)) && !request.without?.size;
    const cause = stated ?? failures[0]?.error;
    return new ChainError("unreadable", text, { cause, code: stated?.code ?? null, isUnanimous });
  }
  const first = failures.find(({ error }) => error.kind === "inconsistent") ?? failures[0];
  const isLacking = request.feature !== undefined && coolingDown.length === 0;
  return new ChainError(first?.error.kind ?? (isLacking ? "refused" : "unavailable"), text, { cause: first?.error });
}

/**
 * Returns true if the data exists and no endpoint can return it in a known form: an endpoint reports this, or all responses had the same
 * unknown form. Endpoints without a response or without the data do not count.
 */
function areUnreadable(failures: readonly Failure[]): boolean {
  if (failures.some(({ error }) => isUnreadable(error))) return true;
  const inconsistent = failures.filter(({ error }) => error.kind === "inconsistent").map(({ error }) => error);
  const isMalformed = ({ cause }: ChainError) => cause instanceof z.ZodError;
  return (
    inconsistent.length > 0 &&
    inconsistent.every((error) => isMalformed(error) && error.message === inconsistent[0]?.message)
  );
}
