import type { Endpoints } from "@/lib/chains/endpoints";
import type { Network, Token } from "@/lib/domain/networks";

/**
 * Compares the chain with the networks table: its chain id, and the decimals of every token. One that is switched off is
 * left out: an operator may do that for the very reason that its contract is gone, and the others go on.
 * @param readDecimals reads as null where the chain has no such contract
 * @returns what is wrong and what to do about it, or null.
 * @throws ChainError when nothing could be read.
 */
export async function tokenProblem(
  network: Network,
  endpoints: Endpoints,
  readDecimals: (token: Token) => Promise<number | null>,
): Promise<string | null> {
  const problems: string[] = [];
  for (const token of network.tokens.filter(({ isOff }) => !isOff)) {
    try {
      const problem = decimalsProblem(network, token, await readDecimals(token));
      if (problem) problems.push(problem);
    } catch (error) {
      const chain = chainProblem(network, endpoints);
      if (chain) return chain;
      throw error;
    }
  }
  return problems.length > 0 ? problems.join(" ") : null;
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
