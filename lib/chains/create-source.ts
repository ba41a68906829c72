import type { EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import type { ChainSource } from "@/lib/chains/endpoints/source";
import { createEvmSource } from "@/lib/chains/evm/source";
import { TRON_DIALECT } from "@/lib/chains/tron/dialect";
import type { Network } from "@/lib/domain/networks";

/** The network as a watcher sees it, in the dialect of its family. */
export function createSource(network: Network, options: EndpointsOptions): ChainSource {
  switch (network.family) {
    case "evm":
      return createEvmSource(network, options);
    case "tron":
      return createEvmSource(network, options, TRON_DIALECT);
    case "solana":
      throw new Error(`${network.name} has no blocks with logs; it is read by accounts and slots`);
  }
}
