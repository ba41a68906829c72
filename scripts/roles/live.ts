import { inspect } from "node:util";
import { givenSocket, isOneProcess } from "@/lib/config/processes";
import { namesDatabase } from "@/lib/config/secret-files";
import { passLogLines, takeOverOutput } from "@/lib/output/log-lines.mjs";
import { keepNightlyDumps } from "@/scripts/installation/keep-dumps";
import { announceOwnDatabase, type OwnDatabase } from "@/scripts/installation/own-database";
import { ownFiles, ownFolder } from "@/scripts/installation/own-folder";
import { readOwnSecrets } from "@/scripts/installation/own-secret";
import { fetchPrograms, startUpgraded } from "@/scripts/installation/upgrade-server";
import { DB_FOLDER } from "@/scripts/root";
import { openWatch, watchDatabase } from "@/scripts/supervisor/database";
import type { LogFile } from "@/scripts/supervisor/log-file";
import { openPreparation, type Preparation, runTask, TaskFailure } from "@/scripts/supervisor/preparation";
import { StartProblem } from "@/scripts/supervisor/problem";
import { runOnce, runProgram } from "@/scripts/supervisor/program";
import { reportReadyToSupervisor } from "@/scripts/supervisor/service-manager";
import { Shutdown } from "@/scripts/supervisor/shutdown";

takeOverOutput("live", process.env, Date.now);

const STOP_MS = 26_000;
/** The settings of PostgreSQL on a machine with little memory. */
const SMALL_SERVER = {
  shared_buffers: "32MB",
  max_connections: "40",
  max_wal_size: "256MB",
  maintenance_work_mem: "16MB",
  io_workers: "1",
  max_worker_processes: "2",
  max_logical_replication_workers: "0",
};
const shutdown = new Shutdown();
let starting: Promise<unknown> = Promise.resolve();

/** Returns a log that writes a started program's output to this program's log. */
const passOn = (role: string): LogFile => ({ keep: (stream, from) => passLogLines(stream, from, role) });

/**
 * `npm start` of a live installation: migrates the database, then runs web and worker, supervised until a signal. Without DATABASE_URL it
 * starts an embedded PostgreSQL.
 */
async function main(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(0));
  try {
    starting = namesDatabase(process.env) ? startOnServer() : startAll(ownFolder(process.env));
    await starting;
  } catch (error) {
    if (shutdown.signal.aborted) return;
    complain(error);
    await end(1);
  }
}

/** Migrates the database in DATABASE_URL, which is safe to repeat, then starts the programs. */
async function startOnServer(): Promise<void> {
  const migration = runOnce({ entry: "migrate", args: ["--all-settings"], env: process.env, log: passOn("migrate") });
  shutdown.add("programs", migration.stop, migration.kill);
  const code = await migration.ended;
  if (shutdown.signal.aborted) return;
  if (code !== 0) throw new StartProblem("The database was not migrated, for the reason above.");
  // Web process and worker only read and write rows.
  runPrograms({ ...process.env, DATABASE_OWNER_URL: "", DATABASE_OWNER_URL_FILE: "" });
}

async function startAll(folder: string): Promise<void> {
  const preparation = openPreparation();
  const { database, secrets, url } = await prepare(folder, preparation).finally(preparation.end);
  await announceOwnDatabase(database);
  watch(database);
  const dumps = ownFiles(folder).dumps;
  void keepNightlyDumps({
    folder: dumps,
    dump: () => runTask({ kind: "dump", url: database.url, folder: dumps }),
    signal: shutdown.signal,
    now: () => new Date(),
    print,
  });
  const watched = { DATA_FOLDER: folder, DUMP_FOLDER: dumps };
  runPrograms({ ...watched, ...process.env, DATABASE_URL: url, ...secrets });
}

/** Starts the database, migrates it and checks the secret. @returns the URL for web process and worker, too */
async function prepare(folder: string, preparation: Preparation) {
  await preparation.run({ kind: "settings" });
  const { isNew, ...secrets } = await readOwnSecrets(process.env, folder);
  const file = ownFiles(folder).appSecret;
  if (isNew) print(`A new APP_SECRET is in ${file}. Keep a copy of that file on another machine.`);
  print(`Live mode with the built-in PostgreSQL; the data is in ${folder}.`);
  const database = await startUpgraded({
    folder,
    db: DB_FOLDER,
    now: new Date(),
    print,
    fetchPrograms,
    ...(isOneProcess(process.env) && { settings: SMALL_SERVER }),
  });
  shutdown.add("machines", database.stop);
  const url = await preparation.run({ kind: "migrate", url: database.url, secrets });
  return { database, secrets, url };
}

function runPrograms(settings: NodeJS.ProcessEnv): void {
  const isOne = isOneProcess(settings);
  const env = { ...settings, NODE_ENV: "production" as const, ...(isOne && { PROCESSES: "1" }) };
  const waiting = new Set(isOne ? ["single"] : ["web", "worker"]);
  for (const name of waiting) {
    const onReady = () => {
      if (waiting.delete(name) && waiting.size === 0) reportReadyToSupervisor();
    };
    const socket = name === "worker" ? null : givenSocket(process.env);
    const program = runProgram({ name, entry: name, env, socket, print, release, onReady, log: passOn(name) });
    shutdown.add("programs", program.stop, program.kill);
  }
}

function watch({ url }: OwnDatabase): void {
  const pool = openWatch(url);
  shutdown.add("connections", pool.close);
  watchDatabase(pool, shutdown.signal, () => release("PostgreSQL no longer responds."));
}

function release(why: string): void {
  if (shutdown.signal.aborted) return;
  complain(new StartProblem(`${why} Everything stops; the data is kept.`));
  void end(1);
}

async function end(code: number): Promise<void> {
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await shutdown.run(starting);
  process.exit(code);
}

function complain(error: unknown): void {
  const isKnown = error instanceof Error && HAS_MESSAGE.has(error.name);
  const text = isKnown || error instanceof TaskFailure ? error.message : inspect(error);
  process.stderr.write(`\n${!isKnown && isDiskFull(text) ? DISK_FULL : text}\n`);
}

/** The errors whose message is for the operator. They are compared by name, because their modules load many packages. */
const HAS_MESSAGE = new Set(["StartProblem", "ForeignDataFolder", "DumpProblem"]);
const DISK_FULL = `The disk of ${ownFolder(process.env)} is full, so nothing was started and nothing is lost.\nFree some space (df -h shows how much is free), then run npm start. You can move the nightly dumps elsewhere.`;

/** Returns true for Node's errors and PostgreSQL's last log lines when the disk is full. */
function isDiskFull(text: string): boolean {
  return /ENOSPC|EDQUOT|No space left on device/.test(text);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

await main();
