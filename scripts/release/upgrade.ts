import { execFile } from "node:child_process";
import { access, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { namesDatabase } from "@/lib/config/secret-files";
import { ownFiles, ownFolder } from "@/scripts/installation/own-folder";
import { connectToRunning, type Replaced } from "@/scripts/release/control";
import { holdSocket } from "@/scripts/release/held-socket";
import { currentRelease, homeOf, makeCurrent, readManifest, readSettings, stateFolder } from "@/scripts/release/home";
import { withErrors } from "@/scripts/release/release-switch";
import { runRelease, waitUntilHealthy } from "@/scripts/release/run-release";
import { removeIncoming, type Unpacked, unpack } from "@/scripts/release/unpack";
import { takeLock } from "@/scripts/supervisor/lock";
import { StartProblem } from "@/scripts/supervisor/problem";

type Source = Readonly<Record<string, string | undefined>>;
type Print = (text: string) => void;

const USAGE = "For example: ./stablegate upgrade stablegate-1.2.3-linux-x64.tar.gz";
/** The time within which a release must be healthy, with its migrations. */
const DEFAULT_WAIT_SECONDS = 120;
const MAX_WAIT_SECONDS = 86_400;
const run = promisify(execFile);

interface Change {
  home: string;
  settings: NodeJS.ProcessEnv;
  next: Unpacked;
  limitMs: number;
}

interface Options {
  file: string;
  waitSeconds: number;
  hasDump: boolean;
}

interface Finished {
  home: string;
  /** The folder of the previous release. */
  previous: string;
  /** Its version. */
  version: string;
  next: Unpacked;
}

/**
 * Replaces the release of an installation with that in a package. A running installation stops its release and starts the new one on the
 * same socket; otherwise the new release is started once as a trial. The new release becomes current only after it is healthy. If it does
 * not become healthy, the previous release is started again; the migrations of the new release stay in the database, because earlier
 * releases run on the tables of later ones.
 * @throws StartProblem if the package cannot be used, if the new release did not become healthy, or if another upgrade is running
 */
export async function upgrade(args: string[], source: Source, print: Print): Promise<void> {
  const options = readOptions(args, source);
  const home = homeOf(source);
  await requireOwner(home);
  const inUse = (pid: number) => `Another upgrade is running (process ${pid}). Nothing was changed.`;
  const lock = await takeLock(path.join(home, "upgrade.lock.json"), inUse);
  // The upgrade must complete or roll back even if the terminal is closed.
  process.on("SIGHUP", ignore);
  try {
    await removeIncoming(home);
    await upgradeAlone(home, source, options, print);
  } finally {
    process.off("SIGHUP", ignore);
    await lock.release();
  }
}

async function upgradeAlone(home: string, source: Source, options: Options, print: Print): Promise<void> {
  const { file, waitSeconds, hasDump } = options;
  const settings = readSettings(home, source);
  const previous = await currentRelease(home);
  const { version } = await readManifest(previous);
  print(`Unpacking ${file} …`);
  const next = await unpack(home, file);
  try {
    if (hasDump) await dumpOwnDatabase({ home, settings, previous, next }, print);
  } catch (error) {
    await next.remove();
    throw error;
  }
  await withoutInterruption(print, async () => {
    try {
      const replaced = await replace({ home, settings, next, limitMs: waitSeconds * 1_000 }, print);
      if (!replaced.isHealthy) throw new StartProblem(failureOf(replaced, next.version, version));
    } catch (error) {
      await next.remove();
      throw error;
    }
    await finish({ home, previous, version, next }, print);
  });
}

/** Makes the healthy release the current one. @throws StartProblem if that fails; the next start runs the previous release then */
async function finish({ home, previous, version, next }: Finished, print: Print): Promise<void> {
  await makeCurrent(home, next.folder).catch((error: Error) => {
    throw new StartProblem(
      `Version ${next.version} is healthy, but ${path.join(home, "current")} could not be changed: ${error.message}\nThe next start runs version ${version}. Correct that, and run this command again.`,
    );
  });
  print(`Version ${next.version} replaced version ${version}. ${previous} was kept.`);
  try {
    await next.installFiles();
    await removeOthers(home, [previous, next.folder]);
  } catch (error) {
    print(
      `Files of earlier releases could not be replaced or removed: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Refuses to leave files of another user, which would prevent later upgrades. @throws StartProblem */
async function requireOwner(home: string): Promise<void> {
  const { uid } = await stat(path.join(home, "releases"));
  const own = process.getuid?.();
  if (own !== undefined && own !== uid)
    throw new StartProblem(
      `The releases in ${home} belong to user id ${uid}, but this command runs as user id ${own}. Run it as that user: sudo -u '#${uid}' ${home}/stablegate upgrade FILE`,
    );
}

/** Runs work that SIGINT and SIGTERM do not interrupt. */
async function withoutInterruption(print: Print, work: () => Promise<void>): Promise<void> {
  const refuse = () => print("The upgrade cannot be interrupted now; it completes or is rolled back.");
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, refuse);
  await work().finally(() => {
    for (const signal of signals) process.off(signal, refuse);
  });
}

function ignore(): void {}

function readOptions(args: string[], source: Source): Options {
  const { positionals, values } = parse(args);
  const [typed, ...rest] = positionals;
  const waitSeconds = Number(values.wait ?? DEFAULT_WAIT_SECONDS);
  if (!typed || rest.length > 0) throw new StartProblem(`Specify one package. ${USAGE}`);
  if (!Number.isInteger(waitSeconds) || waitSeconds < 1 || waitSeconds > MAX_WAIT_SECONDS)
    throw new StartProblem(
      `--wait must be a whole number of seconds from 1 to ${MAX_WAIT_SECONDS}; got ${values.wait}.`,
    );
  return { file: path.resolve(source["INIT_CWD"] ?? "", typed), waitSeconds, hasDump: !values["no-dump"] };
}

function parse(args: string[]) {
  try {
    const options = { wait: { type: "string" }, "no-dump": { type: "boolean" } } as const;
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new StartProblem(`${error instanceof Error ? error.message : String(error)}. ${USAGE}`);
  }
}

/** Writes a dump of the built-in database, if the installation uses it. */
async function dumpOwnDatabase(
  { home, settings, previous, next }: Omit<Change, "limitMs"> & { previous: string },
  print: Print,
): Promise<void> {
  if (namesDatabase(settings)) return;
  const { postgres, dumps } = ownFiles(ownFolder({ ...settings, STABLEGATE_HOME: home }));
  const hasData = await access(path.join(postgres, "PG_VERSION")).then(
    () => true,
    () => false,
  );
  if (!hasData) return;
  const file = path.join(dumps, `before-${next.version}-${process.pid}.dump.gz`);
  print(`Writing a dump to ${file} …`);
  const program = path.join(previous, ".build", "dump.js");
  await run(path.join(previous, "bin", "node"), [program, file], { cwd: home, env: settings }).catch(
    (error: { stderr?: string }) => {
      throw new StartProblem(
        `The dump failed, so nothing was changed: ${error.stderr?.trim() || String(error)}\nTo upgrade without a dump, add --no-dump.`,
      );
    },
  );
}

async function replace(change: Change, print: Print): Promise<Replaced> {
  const { home, settings, next, limitMs } = change;
  const running = await connectToRunning(stateFolder(home, settings));
  if (!running) return tryOut(change, print);
  print(`Starting version ${next.version} in place of the running one …`);
  const replaced = await running.replace({ release: next.folder, limitMs });
  if (!replaced)
    throw new StartProblem(
      `Stablegate was stopped during the upgrade. Version ${next.version} was not installed; the next start runs the previous version.`,
    );
  return replaced;
}

/** Starts the new release on a free port of the loopback interface until it is healthy, then stops it. */
async function tryOut(change: Change, print: Print): Promise<Replaced> {
  const { home, next, limitMs } = change;
  const settings = { ...change.settings, HOST: "127.0.0.1", PORT: "0" };
  print(`Stablegate is not running; starting version ${next.version} once to migrate the database …`);
  const socket = await holdSocket(settings);
  const release = runRelease({ folder: next.folder, home, settings, socket });
  const reason = await waitUntilHealthy(release, socket, limitMs);
  await release.stop();
  return reason === null
    ? { isHealthy: true }
    : { isHealthy: false, reason: withErrors(reason, release), isRestored: true };
}

function failureOf({ reason, isRestored }: Replaced & { isHealthy: false }, next: string, previous: string): string {
  const now = isRestored
    ? `Version ${previous} is in use again.`
    : `Version ${previous} is not healthy either: see its log, and start it with ./stablegate if it does not run.`;
  return `Version ${next} ${reason}\n${now} The database keeps the additions of version ${next}, with which version ${previous} can run.`;
}

/** Removes all releases except the given ones. */
async function removeOthers(home: string, kept: readonly string[]): Promise<void> {
  const folder = path.join(home, "releases");
  // By their names, because `releases` can be a link.
  const names = new Set(kept.map((one) => path.basename(one)));
  for (const name of await readdir(folder))
    if (!names.has(name)) await rm(path.join(folder, name), { recursive: true, force: true });
}
