import type { Finality, Network } from "@/lib/domain/networks";
import {
  type ChainHeight,
  type MerchantWait,
  mostConfirmations,
  requiredConfirmations,
} from "@/lib/domain/networks/finality";

/** When a merchant's transfers on a network are confirmed. */
export interface ConfirmationSetting extends MerchantWait {
  network: string;
  /** Whether the network's own rule is a depth, or what its nodes call finalized. */
  by: Finality["by"];
  /** Confirmations that the network's own rule takes, with a `finalized` tag at present. */
  byRule: number;
  /** Of both, whatever is more. */
  required: number;
  /** The most that can be asked for. */
  most: number;
  /** Milliseconds between blocks, as measured, else as the network's row guesses. */
  blockMs: number;
}

/** What holds on a network for a merchant who waits for so much; null: for no more than the network does. */
export function confirmationSetting(
  network: Network,
  head: ChainHeight | null,
  wait: MerchantWait | null,
): ConfirmationSetting {
  return {
    network: network.id,
    by: network.finality.by,
    byRule: requiredConfirmations(network, head, null),
    minConfirmations: wait?.minConfirmations ?? null,
    minSeconds: wait?.minSeconds ?? null,
    required: requiredConfirmations(network, head, wait),
    most: mostConfirmations(network),
    blockMs: head?.blockMs ?? network.blockMs,
  };
}
