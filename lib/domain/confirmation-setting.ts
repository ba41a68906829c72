import { type ChainHeight, mostConfirmations, requiredConfirmations } from "@/lib/domain/finality";
import type { Finality, Network } from "@/lib/domain/networks";

/** When a merchant's transfers on a network are confirmed. */
export interface ConfirmationSetting {
  network: string;
  /** Whether the network's own rule is a depth, or what its nodes call finalized. */
  by: Finality["by"];
  /** Confirmations that the network's own rule takes, with a `finalized` tag at present. */
  byRule: number;
  /** What the merchant asks for besides; null: nothing. */
  minConfirmations: number | null;
  /** Of both, whatever is more. */
  required: number;
  /** The most that can be asked for. */
  most: number;
}

/** What holds on a network for a merchant who asks for so many confirmations; null: for no more than the network does. */
export function confirmationSetting(
  network: Network,
  head: ChainHeight | null,
  minConfirmations: number | null,
): ConfirmationSetting {
  return {
    network: network.id,
    by: network.finality.by,
    byRule: requiredConfirmations(network, head, null),
    minConfirmations,
    required: requiredConfirmations(network, head, minConfirmations),
    most: mostConfirmations(network),
  };
}
