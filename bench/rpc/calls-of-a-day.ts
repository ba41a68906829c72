import { type SimulatedDay, simulateDay } from "@/bench/rpc/simulate-day";
import type { World } from "@/bench/world";
import { getNetwork } from "@/lib/domain/networks";
import type { WatchState } from "@/lib/domain/networks/watch-state";

const WATCHED = ["ethereum", "bsc", "tron", "solana"];
const STATES: readonly WatchState[] = ["awake", "drowsy", "asleep"];
const MAX_CALLS = 25_000;
const DAY_HOURS = 24;

/**
 * Watches each local chain through a simulated day (or some hours of it), which takes minutes, and prints the calls.
 * @param args the hours and the ids of networks; default: a day on all four
 * @returns true if every payment was found, the calls stayed within a free plan, and their number did not grow with the number of orders
 */
export async function measureCalls(world: World, args: readonly string[]): Promise<boolean> {
  const hours = Number(args.find((arg) => /^\d+$/.test(arg)) ?? DAY_HOURS);
  const named = WATCHED.filter((id) => args.includes(id));
  const days: SimulatedDay[] = [];
  for (const id of named.length > 0 ? named : WATCHED) {
    const day = await simulateDay(world, getNetwork(id), hours);
    days.push(day);
    console.log(text(day, hours).join("\n"));
  }
  return days.every((day) => isGood(day, hours));
}

function isGood({ spent, payments, found, callsPerBlock }: SimulatedDay, hours: number): boolean {
  const perBlock = [...callsPerBlock.values()];
  const isFlat = Math.max(...perBlock) <= Math.min(...perBlock) * 1.05;
  return total(spent) <= (MAX_CALLS * hours) / DAY_HOURS && found === payments && isFlat;
}

function total(spent: SimulatedDay["spent"]): number {
  return STATES.reduce((sum, state) => sum + spent[state].calls, 0);
}

function text(day: SimulatedDay, hours: number): string[] {
  const { network, spent, payments, found, slowestAwaitedMs, slowestMs, callsPerBlock } = day;
  const perBlock = [...callsPerBlock].map(
    ([orders, calls]) => `${calls.toFixed(2)} with ${orders.toLocaleString("en")}`,
  );
  return [
    `${network.name}, ${hours} h at ${network.blockMs} ms a block: ${total(spent).toLocaleString("en")} calls (at most ${((MAX_CALLS * hours) / DAY_HOURS).toLocaleString("en")})`,
    ...STATES.map((state) => {
      const { calls, ms } = spent[state];
      const minutes = ms / 60_000;
      const rate = minutes > 0 ? (calls / minutes).toFixed(1) : "-";
      return `  ${state.padEnd(7)} ${minutes.toFixed(0).padStart(5)} min ${String(calls).padStart(6)} calls  ${rate} a minute`;
    }),
    `  ${found} of ${payments} payments detected; the slowest ${slowestMs / 1_000} s after its block's time, ${slowestAwaitedMs / 1_000} s where a payer waited`,
    `  calls per block: ${perBlock.join(", ")} open orders`,
  ];
}
