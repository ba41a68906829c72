import { simulateDay } from "@/bench/rpc/simulate-day";
import type { Line, Row } from "@/bench/table/line";
import { startWorld } from "@/bench/world";
import { getNetwork } from "@/lib/domain/networks";

const HOURS = 1;
const NETWORKS = ["ethereum", "tron", "solana"];
/** The calls per day of a free plan, for one network. */
const FREE_CALLS_A_DAY = 25_000;

/** Counts the calls for watching a network: during an hour, which is simulated in seconds, and per block with few and with many orders. */
export async function measureNodeCalls(): Promise<Line[]> {
  const world = await startWorld();
  try {
    const lines: Line[] = [];
    for (const id of NETWORKS) {
      const { network, spent, callsPerBlock } = await simulateDay(world, getNetwork(id), HOURS);
      const row = (what: string, ours: number, limit: Row["limit"]): Row => ({
        part: "calls",
        what: `${network.name}: ${what}`,
        unit: "calls",
        ours,
        limit,
        better: "less",
      });
      const total = Object.values(spent).reduce((sum, { calls }) => sum + calls, 0);
      const [few = Number.NaN, many = Number.NaN] = [callsPerBlock.get(1), callsPerBlock.get(100_000)];
      lines.push(
        row("an hour in which one order is open for ten minutes", total, {
          what: `an hour's share of the ${FREE_CALLS_A_DAY} per day of a free plan`,
          value: (FREE_CALLS_A_DAY * HOURS) / 24,
        }),
        row("a block, with 100,000 open orders", many, { what: "with one", value: few }),
      );
    }
    return lines;
  } finally {
    await world.close();
  }
}
