import type { Endpoint } from "@/lib/chains/endpoints/endpoint";
import type { Ask } from "@/lib/chains/endpoints/endpoint-call";
import { type Endpoints, inTurns } from "@/lib/chains/endpoints/endpoints";
import { ChainError } from "@/lib/chains/endpoints/source";
import { agreedBalance, type Balance, type BalanceAnswer, type Holder } from "@/lib/domain/transfers/balance";

/** An endpoint, and a function that queries it alone. */
export interface AskedEndpoint {
  endpoint: Endpoint;
  ask<T>(request: Ask<T>): Promise<T>;
  /** Returns true once the time for this endpoint has run out. */
  isOver(): boolean;
}

/** The longest time for all balances, so that one slow endpoint does not delay the result. */
const MAX_MS = 4_000;
const CONCURRENCY = 5;

/**
 * Queries every endpoint that is not cooling down, concurrently, each for all holders.
 * @param read returns the balances from one endpoint, in the order of the holders; null for a balance that the endpoint cannot return;
 * fewer balances if the time for the endpoint ran out
 * @returns the balances of the first holders, up to the largest number that one endpoint returned; of all holders if no endpoint responded
 */
export async function askHolders(
  endpoints: Endpoints,
  holders: readonly Holder[],
  read: (asked: AskedEndpoint) => Promise<(Balance | null)[]>,
): Promise<BalanceAnswer[]> {
  const until = endpoints.now().getTime() + MAX_MS;
  const isOver = () => endpoints.now().getTime() >= until;
  const responses = await Promise.all(
    endpoints.inOrder().map(async (endpoint) => {
      const ask = <T>(request: Ask<T>) => endpoints.ask({ ...request, only: endpoint.name });
      const shown = await readOrSilent(() => read({ endpoint, ask, isOver }));
      return shown === "silent" ? null : { endpoint: endpoint.name, shown: shown ?? holders.map(() => null) };
    }),
  );
  const answered = responses.filter((one) => one !== null);
  const reached = answered.length === 0 ? holders.length : Math.max(...answered.map(({ shown }) => shown.length));
  return holders
    .slice(0, reached)
    .map((_, at) =>
      agreedBalance(
        answered.flatMap(({ endpoint, shown }) =>
          at < shown.length ? [{ endpoint, balance: shown[at] ?? null }] : [],
        ),
      ),
    );
}

/**
 * Queries an endpoint for each holder separately, with limited concurrency. Stops at the first holder for which the endpoint does not
 * respond.
 */
export async function readEach<T>(
  { isOver }: AskedEndpoint,
  holders: readonly T[],
  readOne: (holder: T) => Promise<Balance | null>,
): Promise<(Balance | null)[]> {
  const shown: (Balance | null)[] = [];
  for (let from = 0; from < holders.length && (from === 0 || !isOver()); from += CONCURRENCY) {
    const some = holders.slice(from, from + CONCURRENCY);
    const answers = await inTurns(some, CONCURRENCY, (holder) => readOrSilent(() => readOne(holder)));
    const silentAt = answers.indexOf("silent");
    if (silentAt === 0 && from === 0) throw new ChainError("unavailable", "no balance was returned");
    for (const answer of silentAt < 0 ? answers : answers.slice(0, silentAt)) shown.push(answer as Balance | null);
    if (silentAt >= 0) break;
  }
  return shown;
}

/** Runs a read. Returns null when the endpoint responded but cannot return the balance. */
async function readOrSilent<T>(read: () => Promise<T>): Promise<T | "silent" | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return error.kind === "unavailable" || error.kind === "rateLimited" ? "silent" : null;
  }
}
