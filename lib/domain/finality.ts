import type { Network } from "@/lib/domain/networks";

/** How far a chain is, as it was last heard. */
export interface ChainHeight {
  height: number;
  /** By the node's `finalized` tag; null where it has none. */
  finalizedHeight: number | null;
}

/** The height at and below which transfers are final by the network's rule; below zero while nothing is. */
export function finalHeight(network: Pick<Network, "finality">, head: ChainHeight): number {
  const { by, depth } = network.finality;
  if (by === "finalized" && head.finalizedHeight !== null) return Math.min(head.finalizedHeight, head.height);
  return head.height - depth + 1;
}

/** Confirmations at which a transfer becomes final, for people; with a `finalized` tag it is the tag's present lag. */
export function requiredConfirmations(network: Pick<Network, "finality">, head: ChainHeight | null): number {
  if (head === null) return network.finality.depth;
  return Math.max(1, head.height - finalHeight(network, head) + 1);
}
