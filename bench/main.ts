import { once } from "node:events";
import { parseArgs } from "node:util";
import { measureCatchUps } from "@/bench/catch-ups";
import { measureCreateSql } from "@/bench/create-sql";
import { measureOrders } from "@/bench/orders";
import { readWebArguments, runWebProcess, startWebProcess } from "@/bench/web-process";
import { startWorld, type World } from "@/bench/world";

const INTERRUPTED = 130;

/** `npm run bench -- [--catch-up]`: all measurements, or only those of a day of downtime. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const databaseUrl = readWebArguments(args);
  if (databaseUrl) return runWebProcess(databaseUrl);
  const { values } = parseArgs({ args, options: { "catch-up": { type: "boolean", default: false } } });
  const interrupted = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]).then(() => INTERRUPTED);
  const world = await startWorld();
  try {
    process.exitCode = await Promise.race([measure(world, values["catch-up"]), interrupted]);
  } finally {
    await world.close();
  }
  // What an interrupted run still had in hand ends here.
  process.exit();
}

/** @returns the exit code */
async function measure(world: World, isCatchUpOnly: boolean): Promise<number> {
  if (!isCatchUpOnly) {
    await measureCreateSql(world);
    const web = await startWebProcess(world.databaseUrl);
    await measureOrders(world, web).finally(web.stop);
  }
  return (await measureCatchUps(world)) ? 0 : 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
