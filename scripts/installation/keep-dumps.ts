import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";

const DAY_MS = 86_400_000;
const DAYS_KEPT = 7;
const WEEKS_KEPT = 4;
const ASK_MS = 600_000;
/** The hour (UTC) from which the day's dump is made. If there is no dump of the previous day, a dump is made at any hour. */
const FROM_HOUR = 2;

const NAME = /^stablegate-(\d{4}-\d{2}-\d{2})T\d{6}Z\.dump\.gz$/;

/** Returns the file name of a dump that is made now. Names sort chronologically. */
export function dumpName(now: Date): string {
  return `stablegate-${now.toISOString().slice(0, 19).replaceAll(":", "")}Z.dump.gz`;
}

/**
 * Returns the dumps that can be deleted: all except the newest dump of each of the last 7 days and of each of the last 4 weeks that have
 * one. Days without a dump do not count, so that a machine that was off keeps its old dumps.
 * @param names of files in the folder; other files are ignored
 */
export function listOutdated(names: readonly string[]): string[] {
  const dumps = names
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed();
  const kept = new Set([
    ...newestOfEach(dumps, (day) => day).slice(0, DAYS_KEPT),
    ...newestOfEach(dumps, (day) => Math.floor((day + 3) / 7)).slice(0, WEEKS_KEPT),
  ]);
  return dumps.filter((name) => !kept.has(name));
}

/**
 * Returns the newest dump of each period.
 * @param periodOf returns the period of a day, counted from 1970; weeks start on Monday
 */
function newestOfEach(dumps: readonly string[], periodOf: (day: number) => number): string[] {
  const periods = Map.groupBy(dumps, (name) => periodOf(Date.parse(NAME.exec(name)?.[1] ?? "") / DAY_MS));
  return [...periods.values()].flatMap(([newest]) => newest ?? []);
}

/** Returns true if the nightly dump is due and does not exist yet. */
export function isDumpDue(names: readonly string[], now: Date): boolean {
  const day = (at: Date) => at.toISOString().slice(0, 10);
  const newest = names
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .toSorted()
    .at(-1);
  if (!newest || newest < day(new Date(now.getTime() - DAY_MS))) return true;
  return newest < day(now) && now.getUTCHours() >= FROM_HOUR;
}

/** Creates a dump in the folder, then deletes outdated dumps. @returns its file */
export async function keepDump(url: string, folder: string, now: Date): Promise<string> {
  const file = path.join(folder, dumpName(now));
  // A supervisor imports this file, but makes its dumps in a thread.
  const { writeDump } = await import("@/db/dump/write-dump");
  await writeDump(url, file, now);
  for (const name of listOutdated(await readdir(folder))) await rm(path.join(folder, name), { force: true });
  return file;
}

interface Night {
  folder: string;
  /** Makes a dump in the folder. @returns its file */
  dump(): Promise<string>;
  signal: AbortSignal;
  now(): Date;
  print(text: string): void;
}

/**
 * Checks now and every ten minutes whether the nightly dump is due, until `signal` is aborted. A failed dump is reported and retried at
 * the next check.
 */
export async function keepNightlyDumps(night: Night): Promise<void> {
  if (night.signal.aborted) return;
  await dumpIfDue(night).catch((error: unknown) =>
    night.print(`The nightly dump failed: ${error instanceof Error ? error.message : error}`),
  );
  setTimeout(() => void keepNightlyDumps(night), ASK_MS).unref();
}

async function dumpIfDue({ folder, dump, now, print }: Night): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!isDumpDue(await readdir(folder), now())) return;
  print(`Nightly dump: ${await dump()}`);
}
