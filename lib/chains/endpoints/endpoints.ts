import { z } from "zod";
import { type Endpoint, isResting, isTooMuch, isUnable, newEndpoint, rank } from "@/lib/chains/endpoints/endpoint";
import {
  type Ask,
  asChainError,
  askOne,
  dispute,
  type EndpointsOptions,
  type Pool,
  type Trouble,
  verifyChainId,
} from "@/lib/chains/endpoints/endpoint-call";
import type { NodeProtocol } from "@/lib/chains/endpoints/rpc";
import { ChainError, isUnreadable } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";
import { endpointNames } from "@/lib/domain/networks/health";

/** All URLs of one network: who is asked, in which order, and who rests. Its state lives and dies with the object. */
export interface Endpoints {
  /** Asks one endpoint after another until one gives an answer that `parse` accepts. @throws ChainError when none does. */
  ask<T>(request: Ask<T>): Promise<T>;
  /** As `ask`; null answers are believed only when no endpoint knows better, or has it and cannot show it. */
  askOrNull<T>(request: Ask<T | null>): Promise<T | null>;
  /** Asks every endpoint that does not rest, at once; answers of those that failed are left out. */
  askAll<T>(request: Ask<T>): Promise<T[]>;
  /**
   * Asks one endpoint after another until as many as the quorum say the same by `nameOf`; null is an answer too.
   * @throws ChainError("inconsistent") when enough have answered and too few agree
   */
  askAgreed<T>(request: Ask<T>, nameOf: (value: T) => string): Promise<T>;
  /**
   * Endpoints of these names say that they serve this network, after they gave answers that nothing else ties to it.
   * @throws ChainError when one does not
   */
  verifyChainId(names: Iterable<string>): Promise<void>;
  /** What the endpoint of this name showed belongs to this network: for a while that is as good as its chain id. */
  noteTied(name: string): void;
  /** What the endpoint of this name told did not stand up: it is told in the log, and asked last for a while. */
  dispute(name: string, error: ChainError): void;
  /** As `dispute`, where nobody knows who is wrong: whoever is asked first is asked last for a while. */
  disputeFirst(error: ChainError): void;
  /** An endpoint showed the header of a block; its receipts may come later. */
  noteShown(endpoint: Endpoint, height: number): void;
  /** Endpoints that must agree on what is confirmed. */
  readonly quorum: number;
  /** Those who do not rest, the best first. */
  inOrder(): readonly Endpoint[];
  /** For the log and the health of an endpoint. */
  tell(trouble: Trouble): void;
  /** The newest height of each endpoint that is not in trouble, as it showed it last. */
  heads(): number[];
  /** Blocks by which receipts and logs come after their block. */
  readonly receiptLag: number;
  readonly all: readonly Endpoint[];
  readonly now: () => Date;
}

/** What an endpoint told, and its name; null where that needs no check. */
interface Told<T> {
  value: T;
  endpoint: string | null;
}

/**
 * Reads something and checks it against what others say. Where it does not stand up to that, whoever told it is told so. It is
 * read again without them, also when they cannot be heard any more, as long as there is somebody left to ask.
 * @param only name of the one endpoint that may tell it
 * @throws ChainError when nobody tells what stands up
 */
export async function readChecked<T, R>(
  endpoints: Endpoints,
  read: (without: ReadonlySet<string>) => Promise<Told<T>>,
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
 * Reads the head, and once more from others where that failed half-way: who told the beginning may not tell the end, or what
 * it told may not stand up. @throws ChainError as the first reading did
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

/** The same endpoints, but only one of them is asked, and no quorum demanded. */
export function aloneWith(endpoints: Endpoints, only: string): Endpoints {
  return {
    ...endpoints,
    quorum: 1,
    ask: (request) => endpoints.ask({ ...request, only }),
    askOrNull: (request) => endpoints.askOrNull({ ...request, only }),
    askAll: (request) => endpoints.askAll({ ...request, only }),
    askAgreed: (request) => endpoints.ask({ ...request, only }),
  };
}

/** Maps with at most so many promises in flight. */
export async function inTurns<T, R>(items: readonly T[], atOnce: number, map: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let index = 0; index < items.length; index += atOnce) {
    results.push(...(await Promise.all(items.slice(index, index + atOnce).map(map))));
  }
  return results;
}

interface Failure {
  endpoint: Endpoint;
  error: ChainError;
}

const NOTHING_SPECIAL: Ask<null> = { method: "", params: [], parse: () => null };
/** More than any rank. */
const LAST = 2_000_000;

/** Creates the endpoints of a network, none of them tried yet. */
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
    tell: (trouble) => options.signal?.aborted || options.onTrouble?.(trouble),
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
    throw new ChainError("inconsistent", `${request.method}: this node does not know it`);
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
  const said: string[] = [];
  for (const endpoint of inOrder(pool, request)) {
    try {
      const value = await askOne(pool, endpoint, request);
      said.push(nameOf(value));
      if (said.filter((name) => name === said.at(-1)).length < quorum) continue;
      return value;
    } catch (error) {
      failures.push({ endpoint, error: asChainError(error, request.method) });
      if (pool.options.signal?.aborted) break;
    }
  }
  throw missQuorum(pool, request, said.length, failures);
}

function missQuorum(pool: Pool, request: Ask<unknown>, answers: number, failures: readonly Failure[]): ChainError {
  const { quorum = 1, onTrouble } = pool.options;
  const error =
    answers < quorum
      ? summary(pool, request, failures)
      : new ChainError("inconsistent", `${request.method}: the endpoints contradict each other`);
  const counted = `${answers} of ${pool.all.length} endpoints answered, and fewer than ${quorum} of them agree, as the quorum demands`;
  onTrouble?.({ endpoint: "quorum", kind: error.kind, message: `${request.method}: ${counted}` });
  return new ChainError(error.kind, `${error.message}: ${counted}`, { cause: error });
}

function inOrder({ all, options }: Pool, request: Ask<unknown>): Endpoint[] {
  const now = options.now();
  const best = Math.max(...all.map((endpoint) => endpoint.height));
  const wanted = (request.better ?? []).map(({ needs }) => needs);
  const place = (endpoint: Endpoint) =>
    rank(endpoint, best, now, wanted) +
    (options.meter?.rank(endpoint.name) ?? 0) +
    (endpoint.name === request.notFirst ? LAST : 0);
  return all
    .filter((endpoint) => isMeant(all, request, endpoint))
    .filter((endpoint) => !isResting(endpoint, now) && !isUnable(endpoint, request.feature, request.blocks ?? 0, now))
    .sort((left, right) => place(left) - place(right));
}

function isMeant(all: readonly Endpoint[], { only, except, without }: Ask<unknown>, { name }: Endpoint): boolean {
  if (without?.has(name)) return false;
  return only === undefined ? name !== except || all.length === 1 : name === only;
}

/** One error for the whole round: "too large" wins, for the caller can ask for less. */
function summary(pool: Pool, request: Ask<unknown>, failures: readonly Failure[]): ChainError {
  const { network, options } = pool;
  const now = options.now();
  const all = pool.all.filter((endpoint) => isMeant(pool.all, request, endpoint));
  const blocks = request.blocks ?? 0;
  const resting = all.filter((endpoint) => isResting(endpoint, now)).map((endpoint) => endpoint.name);
  const isCapped = all.some((endpoint) => !isResting(endpoint, now) && isUnable(endpoint, undefined, blocks, now));
  const isRefused = failures.some(({ error }) => isTooMuch(error, blocks));
  const said = failures.map(({ endpoint, error }) => `${endpoint.name}: ${error.message}`).join("; ");
  const why = said || (resting.length > 0 ? `resting after errors: ${resting.join(", ")}` : "none can serve it");
  const text = `No endpoint of ${network.name} answered ${request.method} (${why})`;
  if (isRefused || (blocks > 1 && isCapped)) return new ChainError("rangeTooLarge", text);
  if (request.better && areUnreadable(failures)) {
    const stated = failures.find(({ error }) => isUnreadable(error))?.error;
    const isUnanimous =
      failures.length === all.length && failures.every(({ error }) => isUnreadable(error)) && !request.without?.size;
    const cause = stated ?? failures[0]?.error;
    return new ChainError("unreadable", text, { cause, code: stated?.code ?? null, isUnanimous });
  }
  const first = failures.find(({ error }) => error.kind === "inconsistent") ?? failures[0];
  const isLacking = request.feature !== undefined && resting.length === 0;
  return new ChainError(first?.error.kind ?? (isLacking ? "refused" : "unavailable"), text, { cause: first?.error });
}

/**
 * Whether what was asked for is there and nobody can show it: an endpoint says so, or all that answered showed it in the
 * same form that nobody here can read. Silence says nothing, nor does an endpoint that does not know it.
 */
function areUnreadable(failures: readonly Failure[]): boolean {
  if (failures.some(({ error }) => isUnreadable(error))) return true;
  const said = failures.filter(({ error }) => error.kind === "inconsistent").map(({ error }) => error);
  const isMalformed = ({ cause }: ChainError) => cause instanceof z.ZodError;
  return said.length > 0 && said.every((error) => isMalformed(error) && error.message === said[0]?.message);
}
