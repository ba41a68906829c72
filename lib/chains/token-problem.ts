import type { Endpoints } from "@/lib/chains/endpoints";
import { ChainError } from "@/lib/chains/source";
import type { LookAlike, Network } from "@/lib/domain/networks";
import { type KnownToken, tokenName } from "@/lib/domain/token";

/** A source's own network: look-alikes that the chain contradicts are taken out of its list, and said here in words. */
export interface CheckedNetwork extends Network {
  lookAlikes: readonly LookAlike[];
  warning: string | null;
}

/** A network whose look-alikes can be left out without touching the row. */
export function withOwnLookAlikes(network: Network): CheckedNetwork {
  return { ...network, warning: null };
}

/** Reads as null where the chain has no such contract. */
type ReadDecimals = (token: KnownToken) => Promise<number | null>;

/**
 * Compares the chain with the networks table: its chain id, and the decimals of every token. One that is switched off is
 * left out: an operator may do that for the very reason that its contract is gone, and the others go on. A look-alike that
 * differs switches itself off and nothing else, for it never pays; one that cannot be read stays.
 * @returns what is wrong and what to do about it, or null.
 * @throws ChainError when nothing could be read.
 */
export async function tokenProblem(
  network: CheckedNetwork,
  endpoints: Endpoints,
  readDecimals: ReadDecimals,
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
  if (problems.length > 0) return problems.join(" ");
  await leaveOut(network, readDecimals);
  return null;
}

async function leaveOut(network: CheckedNetwork, readDecimals: ReadDecimals): Promise<void> {
  const warnings: string[] = [];
  for (const lookAlike of network.lookAlikes.filter(({ isOff }) => !isOff)) {
    const decimals = await readDecimals(lookAlike).catch(unreadable);
    const problem = decimals === UNREADABLE ? null : decimalsProblem(network, lookAlike, decimals);
    if (!problem) continue;
    network.lookAlikes = network.lookAlikes.filter((one) => one !== lookAlike);
    warnings.push(`${problem} Transfers of this look-alike are not watched meanwhile; payments are not affected.`);
  }
  if (warnings.length > 0) network.warning = warnings.join(" ");
}

const UNREADABLE = Symbol("no endpoint told");

function unreadable(error: unknown): typeof UNREADABLE {
  if (error instanceof ChainError) return UNREADABLE;
  throw error;
}

function decimalsProblem(network: Network, token: KnownToken, decimals: number | null): string | null {
  if (decimals === token.decimals) return null;
  const name = `${tokenName(token)} on ${network.name} (${token.contract})`;
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
