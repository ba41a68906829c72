import { type CaughtUp, measureCatchUp } from "@/bench/catch-up/catch-up";
import { openLikeWorker, type World } from "@/bench/world";
import { getNetwork } from "@/lib/domain/networks";

/** One network for each way of reading: block by block, in ranges (two days of different lengths), through TRON's HTTP API, and by account. */
const NETWORKS = ["ethereum", "bsc", "base", "tron", "solana"];
/** The maximum number of blocks per log query on some free plans. */
const FEW_BLOCKS = 10;
const MAX_METHODS = 3;
const MAX_PROBLEMS = 5;
const WIDTH = 20;

/**
 * Measures catching up after a day of downtime on every kind of network, and with a free plan.
 * @param args the ids of networks, to measure only these
 * @returns true if each ledger matches its chain in the end
 */
export async function measureCatchUps(world: World, args: readonly string[] = []): Promise<boolean> {
  print("\nan unread day, read by the worker's reader from a local node in its own process:\n");
  const pool = openLikeWorker(world);
  const target = { db: pool.db, merchantId: world.merchantId };
  let isFine = true;
  for (const id of args.length > 0 ? args : NETWORKS) {
    const network = getNetwork(id);
    const row = await measureCatchUp(target, network);
    show(network.name, row);
    isFine &&= row.problems.length === 0;
  }
  const [first = ""] = NETWORKS;
  if (args.length === 0) {
    const row = await measureCatchUp(target, getNetwork(first), { maxBlocks: FEW_BLOCKS });
    show(`… ${FEW_BLOCKS} blocks per query`, row);
    isFine &&= row.problems.length === 0;
  }
  await pool.close();
  return isFine;
}

function show(name: string, row: CaughtUp): void {
  const { network, blocks, transfers, seconds, bareSeconds, calls, problems } = row;
  const unit = network.family === "solana" ? "slots" : "blocks";
  const total = [...calls.values()].reduce((sum, count) => sum + count, 0);
  const rates = `${whole(blocks / seconds)} ${unit}/s   ${whole(transfers / seconds)} transfers/s`;
  const share = `${whole((bareSeconds / seconds) * 100)} % of the same calls alone`;
  print(`${name.padEnd(WIDTH)} ${rates}   ${share}`);
  note(`${whole(blocks)} ${unit} and ${whole(transfers)} transfers in ${seconds.toFixed(1)} s`);
  note(`${whole(total)} calls, ${whole((total / blocks) * 1_000)} per 1,000 ${unit}: ${max(calls)}`);
  note(problems.length === 0 ? "every transfer is in the ledger exactly once" : problemsIn(problems));
}

function max(calls: ReadonlyMap<string, number>): string {
  const sorted = [...calls].toSorted(([, left], [, right]) => right - left);
  const rest = sorted.slice(MAX_METHODS).reduce((sum, [, count]) => sum + count, 0);
  const named = sorted.slice(0, MAX_METHODS).map(([method, count]) => `${method} ${whole(count)}`);
  return [...named, ...(rest > 0 ? [`others ${whole(rest)}`] : [])].join(", ");
}

function problemsIn(problems: readonly string[]): string {
  const some = problems.slice(0, MAX_PROBLEMS).map((problem) => `\n${"".padEnd(WIDTH)}   ${problem}`);
  return `DEFECT: ledger and chain differ ${whole(problems.length)} times:${some.join("")}`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function note(line: string): void {
  print(`${"".padEnd(WIDTH)} ${line}`);
}

function print(line: string): void {
  console.log(line);
}
