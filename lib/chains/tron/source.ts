import type { EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import type { BlockSource } from "@/lib/chains/endpoints/source";
import { createEvmSource } from "@/lib/chains/evm/source";
import { TRON_PROTOCOL } from "@/lib/chains/tron/protocol";
import type { Network } from "@/lib/domain/networks";

/** Opens TRON over either of its two APIs, as a network of blocks with logs. Its receivers are never contracts. */
export function createTronSource(network: Network, options: EndpointsOptions): BlockSource {
  return { ...createEvmSource(network, options, TRON_PROTOCOL), receivers: null };
}
