import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { measureBackOffice } from "@/bench/back-office";
import { measureCallbacks } from "@/bench/callbacks";
import { measureCatchUps } from "@/bench/catch-up/catch-ups";
import { measureExpiry } from "@/bench/expiry";
import { measureExport } from "@/bench/export";
import { measureHistory } from "@/bench/history/measure-history";
import { measureLists } from "@/bench/lists";
import { measureOrders } from "@/bench/orders";
import { measureLighthouse, measurePage } from "@/bench/page";
import { PARTS } from "@/bench/parts/all";
import { measureCalls } from "@/bench/rpc/calls-of-a-day";
import type { Line } from "@/bench/table/line";
import { type Machine, readMachine } from "@/bench/table/machine";
import { asMarkdown, asText, intoDocument } from "@/bench/table/print";
import { chosenParts, measureParts } from "@/bench/table/run-parts";
import { startWebProcess } from "@/bench/web-process";
import { closeWorlds, startWorld, type World } from "@/bench/world";

const INTERRUPTED = 130;
const OPTIONS = {
  "catch-up": { type: "boolean", default: false },
  json: { type: "string" },
  markdown: { type: "string" },
} as const;

/**
 * The parts that run alone and print more than their lines in the table.
 * @returns true if the part met its targets
 */
const STANDALONE_PARTS: Readonly<Record<string, (world: World, args: readonly string[]) => Promise<boolean>>> = {
  expiry: measureExpiry,
  lists: measureLists,
  callbacks: measureCallbacks,
  export: measureExport,
  page: measurePage,
  lighthouse: measureLighthouse,
  "back-office": measureBackOffice,
  rpc: measureCalls,
  orders: measureOrdersPart,
  history: measureHistory,
  "catch-up": measureCatchUps,
};

/**
 * Runs `npm run bench -- [--json FILE] [--markdown FILE] [parts]`, which prints the table, or only the named parts of it. `--json` also
 * writes the table as JSON, and `--markdown` inserts it at the placeholder in a document. `npm run bench -- NAME [arguments]` runs one of
 * the standalone parts.
 */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
  const interrupted = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]).then(() => INTERRUPTED);
  const [first = "", ...more] = values["catch-up"] ? ["catch-up"] : positionals;
  const single = STANDALONE_PARTS[first];
  process.exitCode = await (single
    ? measurePart((world) => single(world, more), interrupted)
    : measureTable(positionals, values, interrupted));
  // Ends all work that an interrupted run has not finished.
  process.exit();
}

async function measurePart(measure: (world: World) => Promise<boolean>, interrupted: Promise<number>) {
  const world = await startWorld();
  try {
    return await Promise.race([measure(world).then((isGood) => (isGood ? 0 : 1)), interrupted]);
  } finally {
    await world.close();
  }
}

async function measureOrdersPart(world: World): Promise<boolean> {
  const web = await startWebProcess(world.databaseUrl);
  await measureOrders(world, web).finally(web.stop);
  return true;
}

/**
 * Measures the named parts of the table, or all parts, and prints the result.
 * @returns the exit code
 */
async function measureTable(
  named: readonly string[],
  files: { json?: string | undefined; markdown?: string | undefined },
  interrupted: Promise<number>,
): Promise<number> {
  chosenParts(PARTS, named);
  const document = files.markdown && (await readFile(files.markdown, "utf8"));
  if (document) intoDocument(document, "");
  const beganAt = performance.now();
  const loadBefore = loadavg()[0] ?? Number.NaN;
  const postgres = await postgresVersion();
  const measured = await Promise.race([measureParts(PARTS, named, note), interrupted]);
  // Also closes the databases of parts that failed to start.
  await closeWorlds();
  if (typeof measured === "number") return measured;
  const { lines, isWhole } = measured;
  const seconds = (performance.now() - beganAt) / 1_000;
  const machine = readMachine({ postgres, date: new Date(), seconds, loadBefore });
  console.log(`\n${asText(lines)}`);
  if (files.json) await writeFile(files.json, asJson(lines, machine));
  if (files.markdown && document) await writeFile(files.markdown, intoDocument(document, asMarkdown(lines, machine)));
  return isWhole ? 0 : 1;
}

async function postgresVersion(): Promise<string> {
  const world = await startWorld();
  try {
    const [row] = await world.pool.sql`show server_version`;
    return String(row?.["server_version"]);
  } finally {
    await world.close();
  }
}

function asJson(lines: readonly Line[], machine: Machine): string {
  return `${JSON.stringify({ machine, lines }, null, 2)}\n`;
}

/** Writes progress to standard error. Standard output contains only the result. */
function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
