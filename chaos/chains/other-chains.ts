import type { ChaosChain } from "@/chaos/chains/chain";
import type { Network } from "@/lib/domain/networks";

/** Chains that are none of ours, one for each network; each is started when it is first asked for. */
export interface OtherChains {
  of(network: Network): Promise<ChaosChain>;
  /** They advance when this chain does. */
  mine(network: Network, blocks: number): Promise<void>;
  stop(): Promise<void>;
}

/** @param start starts a chain that has no block in common with any other */
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
