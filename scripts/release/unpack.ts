import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { type Manifest, readManifest } from "@/scripts/release/home";
import { StartProblem } from "@/scripts/supervisor/problem";

/** A release that was unpacked from a package, and is not in use yet. */
export interface Unpacked extends Manifest {
  /** The folder of the release, below `releases`. */
  folder: string;
  /** Replaces the files of the package that are outside of its release: `stablegate` and `.env.example`. */
  installFiles(): Promise<void>;
  remove(): Promise<void>;
}

const run = promisify(execFile);
const INCOMING = "incoming-";
const LAUNCHER = "stablegate";
const EXAMPLE_SETTINGS = ".env.example";

/** Removes what interrupted upgrades left. No other upgrade may be running. */
export async function removeIncoming(home: string): Promise<void> {
  const releases = path.join(home, "releases");
  for (const name of await readdir(releases))
    if (name.startsWith(INCOMING)) await rm(path.join(releases, name), { recursive: true, force: true });
}

/**
 * Unpacks a package beside the releases of an installation. Nothing else is changed.
 * @throws StartProblem if it is not a package for this machine, or does not match its checksum in FILE.sha256 or SHA256SUMS
 */
export async function unpack(home: string, file: string): Promise<Unpacked> {
  await verifyChecksum(file);
  const draft = path.join(home, "releases", `${INCOMING}${process.pid}`);
  const discard = () => rm(draft, { recursive: true, force: true });
  try {
    await discard();
    await mkdir(draft, { recursive: true });
    await run("tar", ["-xzf", file, "-C", draft, "--no-same-owner"]).catch((error: { stderr?: string }) => {
      throw new StartProblem(`${file} could not be unpacked: ${error.stderr?.trim() || String(error)}`);
    });
    const { name, manifest } = await findRelease(file, draft);
    // After a power failure, a release that `current` names must not have empty files. Without this program, the system writes them later.
    await run("sync").catch(() => {});
    const folder = await freeName(path.join(home, "releases", name));
    await rename(path.join(draft, "releases", name), folder);
    return {
      ...manifest,
      folder,
      installFiles: async () => {
        for (const one of [EXAMPLE_SETTINGS, LAUNCHER])
          if (await exists(path.join(draft, one))) await rename(path.join(draft, one), path.join(home, one));
        await discard();
      },
      remove: async () => {
        await rm(folder, { recursive: true, force: true });
        await discard();
      },
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Returns the release in an unpacked package. @throws StartProblem if there is none for this machine */
async function findRelease(file: string, draft: string): Promise<{ name: string; manifest: Manifest }> {
  const [name] = await readdir(path.join(draft, "releases")).catch(() => []);
  const isWhole = name && (await exists(path.join(draft, LAUNCHER)));
  if (!isWhole || !(await exists(path.join(draft, "releases", name, "release.json"))))
    throw new StartProblem(`${file} is not a package of Stablegate: it contains no release.`);
  const release = path.join(draft, "releases", name);
  const manifest = await readManifest(release);
  await requirePlatform(file, release, manifest);
  return { name, manifest };
}

async function verifyChecksum(file: string): Promise<void> {
  if (!(await exists(file))) throw new StartProblem(`There is no file ${file}.`);
  const given = await readChecksum(file);
  if (given === null) return;
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  const found = hash.digest("hex");
  if (found !== given.wanted.toLowerCase())
    throw new StartProblem(`${file} does not match ${given.source}: its SHA-256 is ${found}. Download both again.`);
}

/** Returns the checksum in FILE.sha256, or that of the file in SHA256SUMS beside it; null without either. */
async function readChecksum(file: string): Promise<{ wanted: string; source: string } | null> {
  const own = `${file}.sha256`;
  const text = await readFile(own, "utf8").catch(() => null);
  if (text !== null) return { wanted: text.trim().split(/\s+/)[0] ?? "", source: own };
  const source = path.join(path.dirname(file), "SHA256SUMS");
  const lines = (await readFile(source, "utf8").catch(() => "")).split("\n").map((line) => line.trim().split(/ [ *]/));
  const wanted = lines.find(([, name]) => name === path.basename(file))?.[0];
  return wanted === undefined ? null : { wanted, source };
}

async function requirePlatform(file: string, release: string, { platform }: Manifest): Promise<void> {
  const own = `${process.platform}-${process.arch}`;
  if (platform !== own)
    throw new StartProblem(`${file} is for ${platform}, but this machine is ${own}. Download the package for ${own}.`);
  await run(path.join(release, "bin", "node"), ["--version"]).catch((error: Error) => {
    throw new StartProblem(`The Node.js in ${file} does not run on this machine: ${error.message.trim()}`);
  });
}

/** Returns a path that does not exist: the given one, or with a number if this version was unpacked before. */
async function freeName(wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!(await exists(name))) return name;
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
