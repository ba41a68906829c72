import type { EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import type { ChainFamily } from "@/lib/chains/endpoints/family";
import type { ChainSource } from "@/lib/chains/endpoints/source";
import { EVM_PROTOCOL } from "@/lib/chains/evm/protocol";
import { createEvmSource } from "@/lib/chains/evm/source";
import { SOLANA_PROTOCOL } from "@/lib/chains/solana/protocol";
import { createSolanaSource } from "@/lib/chains/solana/source";
import { TRON_PROTOCOL } from "@/lib/chains/tron/protocol";
import { createTronSource } from "@/lib/chains/tron/source";
import type { Family, Network } from "@/lib/domain/networks";

/** The chain families, by the name in the networks table. docs/chain-families.md describes how to add one. */
export const FAMILIES: Readonly<Record<Family, ChainFamily>> = {
  evm: { protocol: EVM_PROTOCOL, open: createEvmSource },
  tron: { protocol: TRON_PROTOCOL, open: createTronSource },
  solana: { protocol: SOLANA_PROTOCOL, open: createSolanaSource },
};

/** Opens a network of any family. The returned object holds the state of its endpoints. */
export function openNetwork(network: Network, options: EndpointsOptions): ChainSource {
  return FAMILIES[network.family].open(network, options);
}
