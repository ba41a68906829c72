import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { startWebProcess } from "@/bench/web-process";
import { startWorld } from "@/bench/world";
import { runFuzz } from "@/fuzz/run-fuzz";

const REQUESTS = 100_000;

/**
 * Runs `npm run fuzz -- [--requests 1000000] [--seed N]`: sends hostile requests to a web process with its own database. If SIGTERM stops
 * it, it reports the results so far.
 */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const { values } = parseArgs({ args, options: { requests: { type: "string" }, seed: { type: "string" } } });
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  const requests = Number(values.requests ?? REQUESTS);
  process.stdout.write(`seed ${seed}, ${requests} requests\n`);
  const world = await startWorld();
  const web = await startWebProcess(world.databaseUrl);
  try {
    const print = (line: string) => void process.stdout.write(`${line}\n`);
    const startedMs = performance.now();
    let isEnough = false;
    process.on("SIGTERM", () => {
      isEnough = true;
    });
    const options = { seed, requests, print, isEnough: () => isEnough };
    const report = await runFuzz({ port: web.port, apiKey: world.apiKey, ...options });
    const seconds = (performance.now() - startedMs) / 1_000;
    print(`${report.requests} requests in ${Math.round(seconds)} s (${Math.round(report.requests / seconds)}/s)`);
    for (const [route, outcomes] of Object.entries(report.outcomes).sort()) print(`${route}: ${list(outcomes)}`);
    print(`by kind: ${list(report.kinds)}`);
    for (const { number, what, problem } of report.findings)
      print(`  finding: request ${number} (${what}): ${problem}`);
    print(`${report.findings.length} findings. To repeat: npm run fuzz -- --seed ${seed} --requests ${requests}`);
    process.exitCode = report.findings.length === 0 ? 0 : 1;
  } finally {
    await web.stop();
    await world.close();
  }
  process.exit();
}

function list(counts: Record<string, number>): string {
  return Object.entries(counts)
    .sort(([, left], [, right]) => right - left)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
