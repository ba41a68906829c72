import { readFileSync } from "node:fs";
import { readFile, realpath, rename, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { parseEnv } from "node:util";
import { StartProblem } from "@/scripts/supervisor/problem";

type Source = Readonly<Record<string, string | undefined>>;

/** The description of a release, in its file `release.json`. */
export interface Manifest {
  version: string;
  /** The operating system and the processor, as Node names them: "linux-x64". */
  platform: string;
}

/**
 * Returns the folder of an installation that was unpacked from a package. It contains `stablegate`, `.env`, the data, the folder `releases`,
 * and `current`, a link to the release in use.
 * @throws StartProblem without STABLEGATE_HOME, which the program `stablegate` sets
 */
export function homeOf(source: Source): string {
  const home = source["STABLEGATE_HOME"];
  if (!home) throw new StartProblem("Start this program with ./stablegate, in the folder of the unpacked package.");
  return home;
}

/** Returns the settings in `.env`, overridden by the environment. */
export function readSettings(home: string, source: Source): NodeJS.ProcessEnv {
  return { NODE_ENV: "production", ...parseEnv(readIfThere(path.join(home, ".env"))), ...source };
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** Returns the folder of the release in use. */
export function currentRelease(home: string): Promise<string> {
  return realpath(path.join(home, "current"));
}

/** Makes a release the one that `stablegate` starts. The change is atomic. */
export async function makeCurrent(home: string, release: string): Promise<void> {
  const draft = path.join(home, `current.${process.pid}.new`);
  await rm(draft, { force: true });
  await symlink(path.relative(home, release), draft);
  await rename(draft, path.join(home, "current"));
}

/** Reads the description of a release. @throws StartProblem if it is missing or malformed */
export async function readManifest(release: string): Promise<Manifest> {
  const file = path.join(release, "release.json");
  try {
    const { version, platform } = JSON.parse(await readFile(file, "utf8")) as Partial<Manifest>;
    if (typeof version === "string" && typeof platform === "string") return { version, platform };
  } catch {
    // The message below covers this case too.
  }
  throw new StartProblem(`${file} is missing or malformed; ${release} is not a release of Stablegate.`);
}

/** Returns the folder for the files of a running installation: the data folder if one is set, otherwise the installation's folder. */
export function stateFolder(home: string, settings: Source): string {
  return path.resolve(home, settings["STABLEGATE_DATA_DIR"]?.trim() || ".");
}
