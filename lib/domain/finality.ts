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

/**
 * Confirmations at which a transfer is confirmed, for people; with a `finalized` tag it is the tag's present lag.
 * @param minConfirmations what the merchant asks for besides the network's rule; null: no more than that
 */
export function requiredConfirmations(
  network: Pick<Network, "finality">,
  head: ChainHeight | null,
  minConfirmations: number | null,
): number {
  const byRule = head === null ? network.finality.depth : head.height - finalHeight(network, head) + 1;
  return Math.max(1, byRule, minConfirmations ?? 1);
}

const LONGEST_WAIT_MS = 86_400_000;

/** The most confirmations that a merchant may ask for: they take about a day. */
export function mostConfirmations({ blockMs }: Pick<Network, "blockMs">): number {
  return Math.floor(LONGEST_WAIT_MS / blockMs);
}

/** Reads the number of confirmations that a person typed; null when they left it to the network. Or says what is wrong with it. */
export function judgeMinConfirmations(
  network: Pick<Network, "blockMs" | "name">,
  text: string,
): { minConfirmations: number | null } | { problem: string } {
  const digits = text.trim();
  if (digits === "") return { minConfirmations: null };
  const most = mostConfirmations(network);
  if (!/^\d+$/.test(digits) || Number(digits) === 0)
    return { problem: `Use a whole number from 1 to ${most.toLocaleString("en")}, or leave it empty` };
  if (Number(digits) <= most) return { minConfirmations: Number(digits) };
  return {
    problem: `Use at most ${most.toLocaleString("en")}: on ${network.name} they take about a day`,
  };
}
