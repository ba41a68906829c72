import type { EndpointsOptions } from "@/lib/chains/endpoints";
import { createEvmSource } from "@/lib/chains/evm";
import type { ChainSource } from "@/lib/chains/source";
import type { Network } from "@/lib/domain/networks";

/** The network as a watcher sees it, in the dialect of its family. */
export function createSource(network: Network, options: EndpointsOptions): ChainSource {
  switch (network.family) {
    case "evm":
    case "tron":
      return createEvmSource(network, options);
    case "solana":
      throw new Error(`${network.name} cannot be watched`);
  }
}
