import type { EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import type { NodeProtocol } from "@/lib/chains/endpoints/rpc";
import type { ChainSource } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";

/** A chain family. `testing/chains/family-contract.ts` tests its contract. */
export interface ChainFamily {
  readonly protocol: NodeProtocol;
  /** Opens a network. The returned object contains the state of its endpoints. */
  open(network: Network, options: EndpointsOptions): ChainSource;
}
