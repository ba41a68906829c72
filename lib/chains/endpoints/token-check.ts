import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { contradiction } from "@/lib/chains/endpoints/heights";
import { ChainError } from "@/lib/chains/endpoints/source";
import type { LookAlike, Network } from "@/lib/domain/networks";
import { type KnownToken, tokenName } from "@/lib/domain/transfers/transfer";

/**
 * A source's own copy of a network: look-alikes that the chain contradicts are removed from it and reported in
 * `warning`.
 */
export interface CheckedNetwork extends Network {
  lookAlikes: readonly LookAlike[];
  warning: string | null;
}

/** Returns a network whose look-alikes can be removed without changing the row. */
export function withOwnLookAlikes(network: Network): CheckedNetwork {
  return { ...network, warning: null };
}

/** The maximum of a uint8, the type of decimals. */
const MAX_DECIMALS = 255;

type ReadDecimals = (token: KnownToken, check: (decimals: number) => number) => Promise<number | null>;

/**
 * Compares the chain with the networks table: its chain id, and the decimals of every token. Disabled tokens are skipped, because an
 * operator may disable a token whose contract no longer exists, while the other tokens continue. A look-alike whose decimals differ is
 * excluded without affecting the network, because it is never credited; a look-alike that cannot be read stays.
 * @param readDecimals resolves to null if the chain has no such contract. It passes each response through `check`, which rejects decimals
 * that differ from the table; they are accepted only if no endpoint returns those of the table.
 * @returns the problem and how to solve it, or null
 * @throws ChainError when no data could be read
 */
export async function tokenProblem(
  network: CheckedNetwork,
  endpoints: Endpoints,
  readDecimals: ReadDecimals,
): Promise<string | null> {
  const problems: string[] = [];
  for (const token of network.tokens.filter(({ isOff }) => !isOff)) {
    try {
      const problem = decimalsProblem(network, token, await decimalsOf(token, readDecimals));
      if (problem) problems.push(problem);
    } catch (error) {
      const chain = chainProblem(network, endpoints);
      if (chain) return chain;
      throw error;
    }
  }
  if (problems.length > 0) return problems.join(" ");
  await leaveOut(network, readDecimals);
  return null;
}

async function leaveOut(network: CheckedNetwork, readDecimals: ReadDecimals): Promise<void> {
  const warnings: string[] = [];
  for (const lookAlike of network.lookAlikes.filter(({ isOff }) => !isOff)) {
    const decimals = await decimalsOf(lookAlike, readDecimals).catch(unreadable);
    const problem = decimals === UNREADABLE ? null : decimalsProblem(network, lookAlike, decimals);
    if (!problem) continue;
    network.lookAlikes = network.lookAlikes.filter((one) => one !== lookAlike);
    warnings.push(
      `${problem} Transfers of this look-alike are not watched until this is corrected; payments are not affected.`,
    );
  }
  if (warnings.length > 0) network.warning = warnings.join(" ");
}

const UNREADABLE = Symbol("no endpoint responded");

function unreadable(error: unknown): typeof UNREADABLE {
  if (error instanceof ChainError) return UNREADABLE;
  throw error;
}

/** Returns the decimals of the table if any endpoint confirms them; otherwise those that one endpoint returned. */
async function decimalsOf(token: KnownToken, readDecimals: ReadDecimals): Promise<number | null> {
  const others: number[] = [];
  const check = (decimals: number) => {
    if (decimals === token.decimals) return decimals;
    if (Number.isSafeInteger(decimals) && decimals <= MAX_DECIMALS) others.push(decimals);
    throw contradiction("decimals()", `${decimals}, but the networks table has ${token.decimals}`);
  };
  return readDecimals(token, check).catch((error: unknown) => {
    const [reported] = others;
    if (reported === undefined) throw error;
    return reported;
  });
}

function decimalsProblem(network: Network, token: KnownToken, decimals: number | null): string | null {
  if (decimals === token.decimals) return null;
  const name = `${tokenName(token)} on ${network.name} (${token.contract})`;
  const advice = `Check the URLs in ${settingName(network)} and the row "${network.id}" in lib/domain/networks.ts.`;
  if (decimals === null) return `${name}: the chain has no contract at this address. ${advice}`;
  return `${name}: the chain returns ${decimals} decimals, but the networks table has ${token.decimals}. ${advice}`;
}

function chainProblem(network: Network, endpoints: Endpoints): string | null {
  const isEveryChainUnexpected = endpoints.all.every(({ chainId }) => chainId !== null && chainId !== network.chainId);
  if (!isEveryChainUnexpected) return null;
  const seen = endpoints.all.map((endpoint) => `${endpoint.name} has ${endpoint.chainId}`).join(", ");
  return `${network.name} has chain id ${network.chainId}, but ${seen}. Check the URLs in ${settingName(network)}.`;
}

function settingName(network: Network): string {
  return `${network.id.toUpperCase()}_RPC_URLS`;
}
