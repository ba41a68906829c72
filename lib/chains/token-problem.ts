import { contradiction } from "@/lib/chains/answer";
import type { Endpoints } from "@/lib/chains/endpoints";
import type { Network, Token } from "@/lib/domain/networks";

/** They are a uint8. */
const MOST_DECIMALS = 255;

type ReadDecimals = (token: Token, judge: (decimals: number) => number) => Promise<number | null>;

/**
 * Compares the chain with the networks table: its chain id, and the decimals of every token.
 * @param readDecimals reads as null where the chain has no such contract. What an endpoint says goes through `judge`, which
 *   refuses what the table does not say: that it is so is believed when no endpoint knows better.
 * @returns what is wrong and what to do about it, or null.
 * @throws ChainError when nothing could be read.
 */
export async function tokenProblem(
  network: Network,
  endpoints: Endpoints,
  readDecimals: ReadDecimals,
): Promise<string | null> {
  const problems: string[] = [];
  for (const token of network.tokens) {
    try {
      const problem = decimalsProblem(network, token, await decimalsOf(token, readDecimals));
      if (problem) problems.push(problem);
    } catch (error) {
      const chain = chainProblem(network, endpoints);
      if (chain) return chain;
      throw error;
    }
  }
  return problems.length > 0 ? problems.join(" ") : null;
}

/** Those of the table where any endpoint says so; else what one of them says. */
async function decimalsOf(token: Token, readDecimals: ReadDecimals): Promise<number | null> {
  const others: number[] = [];
  const judge = (decimals: number) => {
    if (decimals === token.decimals) return decimals;
    if (Number.isSafeInteger(decimals) && decimals <= MOST_DECIMALS) others.push(decimals);
    throw contradiction("decimals()", `${decimals}, where the networks table says ${token.decimals}`);
  };
  return readDecimals(token, judge).catch((error: unknown) => {
    const [said] = others;
    if (said === undefined) throw error;
    return said;
  });
}

function decimalsProblem(network: Network, token: Token, decimals: number | null): string | null {
  if (decimals === token.decimals) return null;
  const name = `${token.currency} on ${network.name} (${token.contract})`;
  const advice = `Check the URLs in ${settingName(network)} and the row "${network.id}" in lib/domain/networks.ts.`;
  if (decimals === null) return `${name}: the chain has no contract at this address. ${advice}`;
  return `${name}: the chain says ${decimals} decimals, the networks table says ${token.decimals}. ${advice}`;
}

function chainProblem(network: Network, endpoints: Endpoints): string | null {
  const isAllWrong = endpoints.all.every(({ chainId }) => chainId !== null && chainId !== network.chainId);
  if (!isAllWrong) return null;
  const seen = endpoints.all.map((endpoint) => `${endpoint.name} has ${endpoint.chainId}`).join(", ");
  return `${network.name} has chain id ${network.chainId}, but ${seen}. Check the URLs in ${settingName(network)}.`;
}

function settingName(network: Network): string {
  return `${network.id.toUpperCase()}_RPC_URLS`;
}
