import type { Network } from "@/lib/domain/networks";
import type { Block } from "@/lib/domain/networks/block";

type Stamp = Pick<Block, "height" | "time">;

/** Tells how long a chain's blocks take, by heads that were seen one after another. */
export interface BlockClock {
  /** A head was seen. */
  note(head: Stamp): void;
  /** Milliseconds between blocks, of late; null until enough was seen. */
  blockMs(): number | null;
}

const APART_MS = 5_000;
const WINDOW_MS = 600_000;
/** Stamps are whole seconds, and slots may be missed: so much is measured over where there is as much. */
const GOOD = { ms: 60_000, blocks: 30 };
const ENOUGH = { ms: 20_000, blocks: 10 };
const SHORTEST_MS = 20;
const LONGEST_MS = 600_000;
const FACTOR = 2;

/**
 * Measures by the blocks' own times, over the last minutes: a chain may change its pace at any moment, some without a
 * fork. After a chain stood still only what came since counts. What one lying head said is forgotten with the next.
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
 * What to say where a chain's blocks take less than half or more than twice the time that its row says; null where the row
 * is right or nobody has measured yet. The words stay the same while blocks take about as long.
 */
export function blockTimeWarning(
  network: Pick<Network, "id" | "name" | "blockMs">,
  blockMs: number | null,
): string | null {
  if (blockMs === null) return null;
  const { id, name } = network;
  if (blockMs * FACTOR >= network.blockMs && blockMs <= network.blockMs * FACTOR) return null;
  const facts = `${name} makes a block about every ${seconds(blockMs, 1)}, and its row was made for one every ${seconds(network.blockMs, 2)}.`;
  return `${facts} Watching goes by the measured time and no payment is confirmed sooner. Look for a newer release, or set "blockMs" of "${id}" in the networks file.`;
}

/** "0.2 s", "12 s" */
function seconds(ms: number, digits: number): string {
  return `${(ms / 1_000).toLocaleString("en", { maximumSignificantDigits: digits })} s`;
}
