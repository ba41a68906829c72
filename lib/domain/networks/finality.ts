import type { Finality, Network } from "@/lib/domain/networks";
import { type Problem, problem } from "@/lib/domain/problems/problem";

/** The last reported height of a chain. */
export interface ChainHeight {
  height: number;
  /** The height of the node's `finalized` tag; null if it has none. */
  finalizedHeight: number | null;
  /** The measured milliseconds between blocks; null or absent: the estimate in the network's row. */
  blockMs?: number | null;
}

/** The part of a network that determines when a transfer is final. */
export type FinalityRule = Pick<Network, "finality" | "blockMs">;

/**
 * Returns the number of confirmations that the network's rule requires at its block time: the depth in its row, or more if the time in its
 * row requires more.
 */
export function depthOf({ finality: { depth, ms = 0 }, ...network }: FinalityRule, head: ChainHeight | null): number {
  return Math.max(depth, Math.ceil(ms / (head?.blockMs ?? network.blockMs)));
}

/** Returns the height at and below which transfers are final by the network's rule; negative if no block is final yet. */
export function finalHeight(network: FinalityRule, head: ChainHeight): number {
  if (isByTag(network, head)) return Math.min(head.finalizedHeight, head.height);
  return head.height - depthOf(network, head) + 1;
}

/**
 * Returns the block time at and before which transfers are final; null if only heights determine finality. When a chain becomes faster,
 * its measured block time lags by some minutes, but the blocks' own timestamps do not.
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
 * A merchant's requirement in addition to the network's rule: a number of confirmations, or a time. Both values are null if there is no
 * requirement.
 */
export interface MerchantWait {
  minConfirmations: number | null;
  minSeconds: number | null;
}

/** Returns true if a transfer is final at a head, by its network's rule and by the merchant's requirement. */
export function isFinalAt(
  network: FinalityRule,
  head: ChainHeight & { time: Date },
  { blockHeight, blockTime }: { blockHeight: number; blockTime: Date },
  wait: MerchantWait,
): boolean {
  const before = finalBefore(network, head);
  const isByRule = blockHeight <= finalHeight(network, head) && (before === null || blockTime <= before);
  const confirmations = head.height - blockHeight + 1;
  const ageMs = head.time.getTime() - blockTime.getTime();
  const isOldEnough = wait.minSeconds === null || ageMs >= wait.minSeconds * 1_000;
  return isByRule && confirmations >= (wait.minConfirmations ?? 1) && isOldEnough;
}

/**
 * Returns the confirmations at which a transfer is confirmed, for display. With a `finalized` tag it is the tag's current lag, and a time
 * is converted at the chain's current block time.
 * @param wait the merchant's requirement; null: only the network's rule
 */
export function requiredConfirmations(
  network: FinalityRule,
  head: ChainHeight | null,
  wait: MerchantWait | null,
): number {
  const byRule = head === null ? depthOf(network, null) : head.height - finalHeight(network, head) + 1;
  const blockMs = head?.blockMs ?? network.blockMs;
  const byTime = Math.ceil(((wait?.minSeconds ?? 0) * 1_000) / blockMs);
  return Math.max(1, byRule, wait?.minConfirmations ?? 1, byTime);
}

const LONGEST_WAIT_MS = 86_400_000;
const LONGEST_WAIT_S = LONGEST_WAIT_MS / 1_000;
const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const Wait = /^(\d{1,9})\s*(s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?)?$/i;

/** Returns the maximum number of confirmations that a merchant may require: they take about a day. */
export function maxConfirmations({ blockMs }: Pick<Network, "blockMs">): number {
  return Math.floor(LONGEST_WAIT_MS / blockMs);
}

/**
 * Parses an entered requirement: "30" confirmations, or a time such as "90 s", "10 min" or "2 h"; an empty string means the network's
 * rule.
 * @returns the requirement, or a problem
 */
export function parseMerchantWait(
  network: Pick<Network, "blockMs" | "name">,
  text: string,
): MerchantWait | { problem: Problem } {
  const given = text.trim();
  if (given === "") return { minConfirmations: null, minSeconds: null };
  const [, digits, unit] = Wait.exec(given) ?? [];
  const number = Number(digits ?? 0);
  const max = maxConfirmations(network);
  const form = problem("confirmations_malformed", { max: max.toLocaleString("en") });
  if (number === 0) return { problem: form };
  if (unit === undefined) {
    const tooMany = problem("confirmations_too_many", { max: max.toLocaleString("en"), network: network.name });
    return number <= max ? { minConfirmations: number, minSeconds: null } : { problem: tooMany };
  }
  const minSeconds = number * (SECONDS_OF[unit.charAt(0).toLowerCase()] ?? 1);
  return minSeconds <= LONGEST_WAIT_S
    ? { minConfirmations: null, minSeconds }
    : { problem: problem("confirmation_time_too_long") };
}

/** A block of a chain. */
export interface Block {
  height: number;
  hash: string;
  parentHash: string;
  time: Date;
}

export interface Head extends Block {
  /** The milliseconds between blocks, as measured by the source; null or absent before the first measurement. */
  blockMs?: number | null;
  /** The height at and below which the chain cannot reorganize, as reported by the node; null if the node has no such tag. */
  finalizedHeight: number | null;
}

type Stamp = Pick<Block, "height" | "time">;

/** A meter that derives a chain's block time from successive heads. */
export interface BlockClock {
  /** Records a head. */
  note(head: Stamp): void;
  /** Returns the recent milliseconds between blocks; null until enough blocks have been recorded. */
  blockMs(): number | null;
}

const APART_MS = 5_000;
const WINDOW_MS = 600_000;
/**
 * The span over which the block time is measured: the preferred span, and the minimum if less data is available. Timestamps are whole
 * seconds, and slots may be skipped.
 */
const GOOD = { ms: 60_000, blocks: 30 };
const ENOUGH = { ms: 20_000, blocks: 10 };
const SHORTEST_MS = 20;
const LONGEST_MS = 600_000;
const FACTOR = 2;

/**
 * Creates a meter that uses the blocks' own timestamps over the last minutes. A chain can change its block time at any moment, in some
 * cases without a fork. After a chain has halted, only later blocks count. The effect of a single false head ends with the next head.
 */
export function createBlockClock(): BlockClock {
  let stamps: Stamp[] = [];
  let measured: number | null = null;
  return {
    note({ height, time }) {
      stamps = stamps.filter((stamp) => stamp.height <= height && stamp.time <= time);
      const last = stamps.at(-1);
      if (last && time.getTime() - last.time.getTime() < APART_MS) return;
      stamps = [...stamps.filter((stamp) => time.getTime() - stamp.time.getTime() <= WINDOW_MS), { height, time }];
      measured = measure(stamps) ?? measured;
    },
    blockMs: () => measured,
  };
}

function measure(stamps: readonly Stamp[]): number | null {
  const newest = stamps.at(-1);
  if (!newest) return null;
  const ago = (stamp: Stamp) => ({
    ms: newest.time.getTime() - stamp.time.getTime(),
    blocks: newest.height - stamp.height,
  });
  const spans = stamps.map(ago);
  const span =
    spans.findLast(({ ms, blocks }) => ms >= GOOD.ms && blocks >= GOOD.blocks) ??
    spans.find(({ ms, blocks }) => ms >= ENOUGH.ms && blocks >= ENOUGH.blocks);
  return span ? Math.min(LONGEST_MS, Math.max(SHORTEST_MS, Math.round(span.ms / span.blocks))) : null;
}

/**
 * Returns a warning if a chain's block time is less than half or more than twice the time in its row; null if the row is accurate or no
 * block time was measured. The text stays the same while the block time is about the same.
 */
export function blockTimeWarning(
  network: Pick<Network, "id" | "name" | "blockMs">,
  blockMs: number | null,
): string | null {
  if (blockMs === null) return null;
  const { id, name } = network;
  if (blockMs * FACTOR >= network.blockMs && blockMs <= network.blockMs * FACTOR) return null;
  const facts = `${name} produces a block about every ${seconds(blockMs, 1)}, but its entry assumes one every ${seconds(network.blockMs, 2)}.`;
  return `${facts} The measured time is used to schedule reads, and no payment is confirmed sooner. Install a newer release if there is one, or set "blockMs" of "${id}" in the networks file.`;
}

/** Formats a duration in seconds: "0.2 s", "12 s". */
function seconds(ms: number, digits: number): string {
  return `${(ms / 1_000).toLocaleString("en", { maximumSignificantDigits: digits })} s`;
}

/** The rule by which a merchant's transfers on a network are confirmed. */
export interface ConfirmationSetting extends MerchantWait {
  network: string;
  /** The kind of the network's own rule: a depth, or the nodes' finalized tag. */
  by: Finality["by"];
  /** The confirmations that the network's own rule requires; with a `finalized` tag, those it requires at present. */
  byRule: number;
  /** The confirmations required by the rule and by the merchant: the larger number. */
  required: number;
  /** The maximum number that the merchant can require. */
  max: number;
  /** The milliseconds between blocks, as measured; otherwise the estimate in the network's row. */
  blockMs: number;
}

/** Returns a network's confirmation rule for a merchant. If `wait` is null, only the network's own rule applies. */
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
    max: maxConfirmations(network),
    blockMs: head?.blockMs ?? network.blockMs,
  };
}
