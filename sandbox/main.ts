import { ForeignDataFolder } from "@/db/embedded";
import { EnvError, readNetworks } from "@/lib/config/env";
import { installNetworks } from "@/lib/domain/networks";
import { dataFolder } from "@/sandbox/announcement";
import { welcome } from "@/sandbox/launcher/announce";
import { readBlockMs } from "@/sandbox/launcher/chains";
import { chooseWebPort } from "@/sandbox/launcher/ports";
import { startWorld, type WorldOptions } from "@/sandbox/launcher/world";
import { StartProblem } from "@/scripts/supervisor/problem";
import { Shutdown } from "@/scripts/supervisor/shutdown";

const DEFAULT_HOST = "127.0.0.1";
const STOP_MS = 26_000;
const SAME_KEYSTROKE_MS = 1_000;
const shutdown = new Shutdown();
let stoppedAt = Number.NEGATIVE_INFINITY;
let starting: Promise<unknown> = Promise.resolve();

async function main(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop());
  try {
    const options = await readOptions();
    print(`Starting the sandbox in ${options.folder} …`);
    const world = startWorld(options, shutdown);
    starting = world;
    print(welcome(await world, options.folder, process.uptime()));
  } catch (error) {
    if (shutdown.signal.aborted) return;
    complain(error);
    await end(1);
  }
}

async function readOptions(): Promise<WorldOptions> {
  const host = process.env["HOST"]?.trim() || DEFAULT_HOST;
  const blockMs = readBlockMs(process.env["SANDBOX_BLOCK_MS"]);
  if (blockMs === null)
    throw new StartProblem(
      `SANDBOX_BLOCK_MS is "${process.env["SANDBOX_BLOCK_MS"]}"; it must be a whole number of milliseconds from 10 to 600000`,
    );
  installNetworks(readNetworks(process.env).networks);
  const port = await chooseWebPort(process.env["PORT"], host);
  return { folder: dataFolder(process.env), port, host, blockMs, env: process.env, print, release };
}

/**
 * Stops everything in order at the first signal. A later signal, unless it comes from the same keystroke, ends the process without
 * waiting.
 */
async function stop(): Promise<void> {
  if (shutdown.signal.aborted) {
    if (performance.now() - stoppedAt < SAME_KEYSTROKE_MS) return;
    shutdown.kill();
    process.exit(1);
  }
  stoppedAt = performance.now();
  print("\nStopping …");
  await end(0);
}

function release(why: string): void {
  if (shutdown.signal.aborted) return;
  complain(new StartProblem(`${why} The sandbox stops; the logs are in ${dataFolder(process.env)}/logs.`));
  void end(1);
}

async function end(code: number): Promise<void> {
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await shutdown.run(starting);
  if (code === 0) print("Stopped.");
  process.exit(code);
}

function complain(error: unknown): void {
  const label =
    error instanceof StartProblem || error instanceof EnvError || error instanceof ForeignDataFolder
      ? error.message
      : error instanceof Error
        ? error.stack
        : error;
  process.stderr.write(`\n${label}\n`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

await main();
