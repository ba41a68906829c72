import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { describeFailover, isSafe } from "@/chaos/failover/describe-failover";
import { runFailover } from "@/chaos/failover/run-failover";
import { isFine, runChaos } from "@/chaos/run-chaos";
import { describeReport } from "@/chaos/verifier/describe-report";
import { SOLANA_READINGS, type SolanaReading } from "@/chaos/world";

const DEFAULT_MINUTES = 20;
const MAX_SEEDS = 2 ** 31;
const FAILOVER_ORDERS = 3_000;
const FAILOVER_RATE = 100;

/**
 * Runs `npm run chaos -- failover [--orders 3000] [--rate 100]`, which tests how a service continues when its database server is killed.
 */
async function failOver(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { orders: text, rate: text }, allowPositionals: true });
  const orders = values.orders === undefined ? FAILOVER_ORDERS : readNumber("--orders", values.orders);
  const perSecond = values.rate === undefined ? FAILOVER_RATE : readNumber("--rate", values.rate);
  const report = await runFailover({ orders, perSecond, print });
  print(describeFailover(report));
  process.exitCode = isSafe(report) ? 0 : 1;
}

/**
 * Runs `npm run chaos -- [--minutes 20] [--rounds N] [--seed N] [--solana accounts|blocks]`. The first signal ends the fault injection,
 * the second ends the run.
 */
async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { minutes: text, rounds: text, seed: text, solana: text } });
  const seed = values.seed === undefined ? randomInt(MAX_SEEDS) : readNumber("--seed", values.seed);
  const rounds = values.rounds === undefined ? null : readNumber("--rounds", values.rounds);
  const minutes = values.minutes === undefined ? DEFAULT_MINUTES : readNumber("--minutes", values.minutes);
  const solana = values.solana === undefined ? undefined : readReading(values.solana);
  let isEnough = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (isEnough) process.exit(1);
      isEnough = true;
    });
  }
  const endsAt = performance.now() + minutes * 60_000;
  const goesOn = (round: number) => !isEnough && (rounds === null ? performance.now() < endsAt : round < rounds);
  print(`seed ${seed}, ${rounds === null ? `${minutes} minutes` : `${rounds} rounds`}`);
  const report = await runChaos({ seed, solana, goesOn, print });
  print(describeReport(report));
  process.exitCode = isFine(report.verdict) ? 0 : 1;
}

function readNumber(flag: string, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new Error(`${flag} must be a number; got "${text}"`);
}

function readReading(text: string): SolanaReading {
  const known = SOLANA_READINGS.find((reading) => reading === text);
  if (known) return known;
  throw new Error(`--solana must be one of ${SOLANA_READINGS.join(", ")}; got "${text}"`);
}

function print(line: string): void {
  console.log(line);
}

(process.argv[2] === "failover" ? failOver() : main()).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
