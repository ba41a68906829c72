import path from "node:path";
import { inspect } from "node:util";
import { newAppRole } from "@/db/app-role";
import { type Db, openDb } from "@/db/client";
import { DumpProblem } from "@/db/dump/format";
import { ForeignDataFolder } from "@/db/embedded";
import { migrate } from "@/db/migrate";
import { EnvError, readEnv } from "@/lib/config/env";
import { givenSocket, isOneProcess } from "@/lib/config/operating";
import { namesDatabase } from "@/lib/config/secret-files";
import { withCredentials } from "@/lib/domain/database-url";
import { type AppSecret, toAppSecret } from "@/lib/domain/keys/app-secret";
import { openOutput } from "@/lib/log";
import { AppSecretError, requireAppSecret } from "@/lib/merchants/check-app-secret";
import { encryptKeyHashes } from "@/lib/merchants/key-hashes";
import { passLogLines } from "@/lib/output/log-lines.mjs";
import { keepNightlyDumps } from "@/scripts/installation/keep-dumps";
import { announceOwnDatabase, type OwnDatabase, ownFiles, ownFolder } from "@/scripts/installation/own-database";
import { readOwnSecrets } from "@/scripts/installation/own-secret";
import { fetchPrograms, startUpgraded } from "@/scripts/installation/upgrade-server";
import { ROOT } from "@/scripts/root";
import { watchDatabase } from "@/scripts/supervisor/database";
import type { LogFile } from "@/scripts/supervisor/log-file";
import { StartProblem } from "@/scripts/supervisor/problem";
import { runProgram } from "@/scripts/supervisor/program";
import { reportReadyToSupervisor } from "@/scripts/supervisor/service-manager";
import { Shutdown } from "@/scripts/supervisor/shutdown";

openOutput("live", process.env, Date.now);

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
 * `npm start` of a live installation: runs web and worker, supervised until a signal. Without DATABASE_URL it starts an embedded
 * PostgreSQL.
 */
async function main(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(0));
  try {
    if (namesDatabase(process.env)) runPrograms(process.env);
    else starting = startAll(ownFolder(process.env));
    await starting;
  } catch (error) {
    if (shutdown.signal.aborted) return;
    complain(error);
    await end(1);
  }
}

async function startAll(folder: string): Promise<void> {
  nameEveryProblem();
  const { isNew, ...secrets } = await readOwnSecrets(process.env, folder);
  const file = ownFiles(folder).appSecret;
  if (isNew) print(`A new APP_SECRET is in ${file}. Keep a copy of that file on another machine.`);
  print(`Live mode with the built-in PostgreSQL; the data is in ${folder}.`);
  const settings = isOneProcess(process.env) ? { settings: SMALL_SERVER } : {};
  const database = await startUpgraded({
    folder,
    db: path.join(ROOT, "db"),
    now: new Date(),
    print,
    fetchPrograms,
    ...settings,
  });
  shutdown.add("machines", database.stop);
  const appRole = newAppRole();
  await migrate(database.url, path.join(ROOT, "db"), appRole);
  const pool = openDb(database.url, { work: "none", max: 1, applicationName: "stablegate-start" });
  await checkSecret(pool.db, toAppSecret(secrets.APP_SECRET, secrets.APP_SECRET_ALSO)).finally(pool.close);
  await announceOwnDatabase(database);
  watch(database);
  void keepNightlyDumps({
    url: database.url,
    folder: ownFiles(folder).dumps,
    signal: shutdown.signal,
    now: () => new Date(),
    print,
  });
  const watched = { DATA_FOLDER: folder, DUMP_FOLDER: ownFiles(folder).dumps };
  runPrograms({ ...watched, ...process.env, DATABASE_URL: withCredentials(database.url, appRole), ...secrets });
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

/** @throws AppSecretError */
async function checkSecret(db: Db, appSecret: AppSecret): Promise<void> {
  await requireAppSecret(db, appSecret);
  await encryptKeyHashes(db, appSecret);
}

/** Reports all problems with the settings in one list, before anything is created. */
function nameEveryProblem(): void {
  const placeholder = "set by this program after start-up";
  readEnv({
    ...process.env,
    DATABASE_URL: "postgres://own@127.0.0.1/own",
    APP_SECRET: process.env["APP_SECRET"]?.trim() || placeholder,
  });
}

function watch({ url }: OwnDatabase): void {
  const pool = openDb(url, { work: "none", max: 1, applicationName: "stablegate-start" });
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
  const isKnown = [StartProblem, EnvError, DumpProblem, AppSecretError, ForeignDataFolder].some(
    (known) => error instanceof known,
  );
  process.stderr.write(
    `\n${isKnown && error instanceof Error ? error.message : isDiskFull(error) ? DISK_FULL : inspect(error)}\n`,
  );
}

const DISK_FULL = `The disk of ${ownFolder(process.env)} is full, so nothing was started and nothing is lost.\nFree some space (df -h shows how much is free), then run npm start. You can move the nightly dumps elsewhere.`;

/** Returns true for Node's errors and PostgreSQL's last log lines when the disk is full. */
function isDiskFull(error: unknown): boolean {
  return /ENOSPC|EDQUOT|No space left on device/.test(inspect(error));
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

await main();
