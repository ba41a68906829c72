import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { LIVE_ENTRIES, PACKAGED_SANDBOX } from "../entries.mjs";
import { copyPackages, copyPrograms, layOutImage, listPackages } from "../image.mjs";
import { inRoot } from "../machine/toolchain.mjs";
import {
  addNode,
  fetchPackages,
  forPlatform,
  isInstalled,
  linkLibraries,
  OWN_PLATFORM,
  postgresFolder,
} from "./platform.mjs";

const LIVE = Object.keys(LIVE_ENTRIES);
/** The package that contains the program of the local EVM chains. */
const LOCAL_CHAIN = "@foundry-rs/anvil";
/** The scripts that are loaded before a program and are not bundled with it. */
const PRELOADED = [
  path.join("scripts", "supervisor", "leash.mjs"),
  path.join("scripts", "machine", "compile-cache.mjs"),
];
/** The parts of PostgreSQL's package that no server reads: libraries for linking, and settings for compilers. */
const NEVER_READ_OF_POSTGRES =
  /\.a$|\/lib\/pkgconfig(?:\/|$)|\/lib\/(?:libecpg|libpgtypes)|\/share\/(?:doc|man)(?:\/|$)/;

/**
 * Lays out the package of a platform in a new folder: `stablegate`, `.env.example`, `current` and the release.
 * @returns the version
 */
export async function layOutPackage(target, platform = OWN_PLATFORM) {
  const { version } = JSON.parse(await readFile(inRoot("package.json"), "utf8"));
  const release = path.join(target, "releases", version);
  await mkdir(path.dirname(release), { recursive: true });
  await layOutImage(release, { roles: LIVE });
  const { here, elsewhere } = await forPlatform(await listPackages(LIVE), platform);
  await keepOnly(release, here);
  await fetchPackages(release, elsewhere);
  await addPostgres(release, platform);
  await addNode(release, platform);
  for (const script of PRELOADED) await cp(inRoot(script), path.join(release, script));
  await copyFile(inRoot("scripts", "release", "HELP"), path.join(release, "HELP"));
  await writeFile(path.join(release, "release.json"), `${JSON.stringify({ version, platform }, null, 2)}\n`);
  await copyFile(inRoot("scripts", "release", "stablegate"), path.join(target, "stablegate"));
  await chmod(path.join(target, "stablegate"), 0o755);
  await copyFile(inRoot(".env.example"), path.join(target, ".env.example"));
  await symlink(path.join("releases", version), path.join(target, "current"));
  return version;
}

/** Lays out the files that the sandbox needs in addition to the package, to be unpacked in the same folder. */
export async function layOutSandbox(target, platform = OWN_PLATFORM) {
  const { version } = JSON.parse(await readFile(inRoot("package.json"), "utf8"));
  const release = path.join(target, "releases", version);
  await copyPrograms(release, PACKAGED_SANDBOX);
  const live = new Set(await listPackages(LIVE));
  const wanted = await listPackages(PACKAGED_SANDBOX, { hasPages: false, others: [LOCAL_CHAIN] });
  const added = wanted.filter((folder) => !live.has(folder));
  const { here, elsewhere } = await forPlatform(added, platform);
  await copyPackages(release, here);
  await fetchPackages(release, elsewhere);
  await mkdir(path.join(release, "sandbox"), { recursive: true });
  await copyFile(inRoot("sandbox", "guardian.ts"), path.join(release, "sandbox", "guardian.ts"));
  return version;
}

/** Removes the packages of this machine from a release for another platform. */
async function keepOnly(release, folders) {
  const kept = new Set(folders);
  for (const folder of await listPackages(LIVE))
    if (!kept.has(folder)) await rm(path.join(release, folder), { recursive: true, force: true });
}

async function addPostgres(release, platform) {
  const folder = postgresFolder(platform);
  if (await isInstalled(folder))
    await cp(inRoot(folder), path.join(release, folder), {
      recursive: true,
      filter: async (file) => !NEVER_READ_OF_POSTGRES.test(file),
      verbatimSymlinks: true,
    });
  else await fetchPackages(release, [folder]);
  await linkLibraries(release, platform);
}

/** Returns the size of all files in a folder, in bytes. A link counts as nothing. */
export async function sizeOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
