import type { ChaosChain } from "@/chaos/chains/chain";
import type { Network } from "@/lib/domain/networks";

/** Chains unrelated to the chains under test, one for each network. Each is started when it is first requested. */
export interface OtherChains {
  of(network: Network): Promise<ChaosChain>;
  /** Mines blocks on the unrelated chain of a network if it has been started, so that it advances with the chain under test. */
  mine(network: Network, blocks: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Creates the other chains on request.
 * @param start starts a chain that has no block in common with any other
 */
export function createOtherChains(start: (network: Network) => Promise<ChaosChain>): OtherChains {
  const chains = new Map<string, ChaosChain>();
  return {
    async of(network) {
      const chain = chains.get(network.id) ?? (await start(network));
      chains.set(network.id, chain);
      return chain;
    },
    async mine(network, blocks) {
      await chains.get(network.id)?.mine(blocks);
    },
    async stop() {
      for (const chain of chains.values()) await chain.stop();
    },
  };
}
