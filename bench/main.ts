import { once } from "node:events";
import { parseArgs } from "node:util";
import { measureBackOffice } from "@/bench/back-office";
import { measureCallbacks } from "@/bench/callbacks";
import { measureCatchUps } from "@/bench/catch-up/catch-ups";
import { measureExpiry } from "@/bench/expiry";
import { measureExport } from "@/bench/export";
import { measureLists } from "@/bench/lists";
import { measureOrders } from "@/bench/orders";
import { measureLighthouse, measurePage } from "@/bench/page";
import { measureCalls } from "@/bench/rpc/calls-of-a-day";
import { startWebProcess } from "@/bench/web-process";
import { startWorld, type World } from "@/bench/world";

const INTERRUPTED = 130;
const ALONE = {
  ...{ expiry: measureExpiry, lists: measureLists, callbacks: measureCallbacks, export: measureExport },
  ...{ page: measurePage, lighthouse: measureLighthouse, "back-office": measureBackOffice, rpc: measureCalls },
};

/**
 * `npm run bench -- [--catch-up] [orders | expiry | lists | callbacks | export | page | lighthouse | back-office | rpc]`: all
 * measurements, or only those of a day of downtime, or only these; `lighthouse` is the part of `page` that a phone sees. Languages
 * may follow those two, hours and networks `rpc`.
 */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const options = { "catch-up": { type: "boolean", default: false } } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const interrupted = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]).then(() => INTERRUPTED);
  const world = await startWorld();
  try {
    const [first = "", ...languages] = positionals;
    const alone = Object.entries(ALONE).find(([name]) => name === first)?.[1];
    const measured = alone
      ? alone(world, languages).then((isGood) => (isGood ? 0 : 1))
      : measure(world, { orders: !values["catch-up"], catchUps: !positionals.includes("orders") });
    process.exitCode = await Promise.race([measured, interrupted]);
  } finally {
    await world.close();
  }
  // What an interrupted run still had in hand ends here.
  process.exit();
}

/** @returns the exit code */
async function measure(world: World, wanted: { orders: boolean; catchUps: boolean }): Promise<number> {
  if (wanted.orders) {
    const web = await startWebProcess(world.databaseUrl);
    await measureOrders(world, web).finally(web.stop);
  }
  if (!wanted.catchUps) return 0;
  return (await measureCatchUps(world)) ? 0 : 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
