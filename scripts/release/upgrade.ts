import { execFile } from "node:child_process";
import { access, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { connectToRunning, type Replaced } from "@/scripts/release/control";
import { holdSocket } from "@/scripts/release/held-socket";
import { currentRelease, homeOf, makeCurrent, readManifest, readSettings, stateFolder } from "@/scripts/release/home";
import { withErrors } from "@/scripts/release/release-switch";
import { runRelease, waitUntilHealthy } from "@/scripts/release/run-release";
import { type Unpacked, unpack } from "@/scripts/release/unpack";
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

/**
 * Replaces the release of an installation with that in a package. A running installation stops its release and starts the new one on the
 * same socket; otherwise the new release is started once as a trial. The new release becomes current only after it is healthy. If it does
 * not become healthy, the previous release is started again; the migrations of the new release stay in the database, because earlier
 * releases run on the tables of later ones.
 * @throws StartProblem if the package cannot be used, or if the new release did not become healthy
 */
export async function upgrade(args: string[], source: Source, print: Print): Promise<void> {
  const { file, waitSeconds, hasDump } = readOptions(args, source);
  // The upgrade must complete or roll back even if the terminal is closed.
  process.on("SIGHUP", () => {});
  const home = homeOf(source);
  const settings = readSettings(home, source);
  const previous = await currentRelease(home);
  const { version } = await readManifest(previous);
  print(`Unpacking ${file} …`);
  const next = await unpack(home, file);
  try {
    if (hasDump) await dumpOwnDatabase({ home, settings, previous, next }, print);
    const replaced = await replace({ home, settings, next, limitMs: waitSeconds * 1_000 }, print);
    if (!replaced.isHealthy) throw new StartProblem(failureOf(replaced, next.version, version));
  } catch (error) {
    await next.remove();
    throw error;
  }
  await makeCurrent(home, next.folder);
  await next.installLauncher();
  await removeOthers(home, [previous, next.folder]);
  print(`Version ${next.version} replaced version ${version}. ${previous} was kept.`);
}

function readOptions(args: string[], source: Source) {
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
  if (settings["DATABASE_URL"]?.trim() || settings["DATABASE_URL_FILE"]?.trim()) return;
  const folder = settings["STABLEGATE_DATA_DIR"]?.trim()
    ? path.join(stateFolder(home, settings), "live")
    : path.join(home, ".live");
  const hasData = await access(path.join(folder, "postgres", "PG_VERSION")).then(
    () => true,
    () => false,
  );
  if (!hasData) return;
  const file = path.join(folder, "dumps", `before-${next.version}-${process.pid}.dump.gz`);
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
  return replaced ?? { isHealthy: false, reason: "was not started, because Stablegate was stopped", isRestored: true };
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
    : `Version ${previous} is not running either: see its log, and start it with ./stablegate.`;
  return `Version ${next} ${reason}\n${now} The database keeps the additions of version ${next}, with which version ${previous} can run.`;
}

/** Removes all releases except the given ones. */
async function removeOthers(home: string, kept: readonly string[]): Promise<void> {
  const folder = path.join(home, "releases");
  for (const name of await readdir(folder))
    if (!kept.includes(path.join(folder, name))) await rm(path.join(folder, name), { recursive: true, force: true });
}
