import type { EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import type { NodeProtocol } from "@/lib/chains/endpoints/rpc";
import type { ChainSource } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";

/** A chain family. The contract that it must pass is `testing/chains/family-contract.ts`. */
export interface ChainFamily {
  readonly protocol: NodeProtocol;
  /** Opens a network. What the source learns about its endpoints lives in the returned object. */
  open(network: Network, options: EndpointsOptions): ChainSource;
}
