import type { Network } from "@/lib/domain/networks";

/** How far a chain is, as it was last heard. */
export interface ChainHeight {
  height: number;
  /** By the node's `finalized` tag; null where it has none. */
  finalizedHeight: number | null;
}

/** What of a network says when a transfer is final. */
export type FinalityRule = Pick<Network, "finality" | "blockMs">;

/** Confirmations of the network's depth at its block time: as many as its time takes, never fewer than its row says. */
export function depthOf({ finality: { depth, ms = 0 }, blockMs }: FinalityRule): number {
  return Math.max(depth, Math.ceil(ms / blockMs));
}

/** The height at and below which transfers are final by the network's rule; below zero while nothing is. */
export function finalHeight(network: FinalityRule, head: ChainHeight): number {
  if (isByTag(network, head)) return Math.min(head.finalizedHeight, head.height);
  return head.height - depthOf(network) + 1;
}

/**
 * The block time at and before which transfers are final; null where only heights say so. Measured block times follow a
 * chain that becomes faster some minutes late; the blocks' own times never do.
 */
export function finalBefore(network: Pick<Network, "finality">, head: ChainHeight & { time: Date }): Date | null {
  const { ms } = network.finality;
  return ms === undefined || isByTag(network, head) ? null : new Date(head.time.getTime() - ms);
}

function isByTag(
  { finality }: Pick<Network, "finality">,
  head: ChainHeight,
): head is ChainHeight & { finalizedHeight: number } {
  return finality.by === "finalized" && head.finalizedHeight !== null;
}

/**
 * Confirmations at which a transfer is confirmed, for people; with a `finalized` tag it is the tag's present lag.
 * @param minConfirmations what the merchant asks for besides the network's rule; null: no more than that
 */
export function requiredConfirmations(
  network: FinalityRule,
  head: ChainHeight | null,
  minConfirmations: number | null,
): number {
  const byRule = head === null ? depthOf(network) : head.height - finalHeight(network, head) + 1;
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
