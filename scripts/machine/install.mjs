import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { withLock } from "./lock.mjs";
import { machineMemory, memoryProblem } from "./memory.mjs";
import { isStopping, run } from "./processes.mjs";
import { Halt, inRoot, main, NODE, pathWithoutProject, print } from "./toolchain.mjs";

const STAMP = inRoot("node_modules", ".stablegate-installed");

/** Installs the packages of package-lock.json with their patches; does nothing if they are installed. */
export async function install() {
  if (await isInstalled()) return;
  await withLock("install", "Another command is installing in this folder; waiting for it …", async () => {
    if (await isInstalled()) return;
    if (!(await isInstalledByNpm())) await installWithNpm();
    await writeFile(STAMP, await fingerprint());
  });
}

async function installWithNpm() {
  print("Installing the exact versions of package-lock.json (npm ci) …");
  await rm(STAMP, { force: true });
  const env = { ...process.env, PATH: pathWithoutProject(), NODE_ENV: "development" };
  const code = await run(
    "npm",
    ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"],
    { env },
  );
  if (isStopping()) throw new Halt("Stopped while installing.", code);
  const problem = code === 0 ? null : memoryProblem("npm ci", { code }, machineMemory());
  if (problem) throw new Halt(problem);
  if (code !== 0) {
    throw new Halt(
      "npm ci failed; its output is above. Common reasons: the npm registry is unreachable, the disk is full, or a folder belongs to another user. Correct that and run the same command again.",
    );
  }
  if (!(await exists(NODE))) {
    throw new Halt(
      `npm ci succeeded, but ${NODE} is missing: npm did not run the install script of the package "node". Check that ignore-scripts is off (npm config get ignore-scripts) and run the command again.`,
    );
  }
}

async function isInstalled() {
  const [stamp, wanted] = await Promise.all([readFile(STAMP, "utf8").catch(() => null), fingerprint()]);
  return stamp === wanted && (await exists(NODE));
}

async function fingerprint() {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}\n`);
  for (const name of ["package.json", "package-lock.json", ...(await listPatches())])
    hash.update(await readFile(inRoot(name)));
  return hash.digest("hex");
}

async function listPatches() {
  const names = await readdir(inRoot("patches"));
  return names
    .filter((name) => name.endsWith(".patch"))
    .toSorted()
    .map((name) => path.join("patches", name));
}

/**
 * Returns true if the user ran `npm ci` in this folder: npm's record of node_modules matches the lockfile and is newer than every patch.
 * npm applies patches only to packages that it installs, and cannot replace the patch of a package that it keeps.
 */
async function isInstalledByNpm() {
  if (await exists(STAMP)) return false;
  const [wanted, found] = await Promise.all([
    packagesOf(inRoot("package-lock.json")),
    packagesOf(inRoot("node_modules", ".package-lock.json")),
  ]);
  if (!wanted || !found || !(await exists(NODE))) return false;
  const { mtimeMs: installedAt } = await stat(inRoot("node_modules", ".package-lock.json"));
  for (const name of await listPatches()) if ((await stat(inRoot(name))).mtimeMs > installedAt) return false;
  const differs = ([name, { version, integrity, optional }]) => {
    const installed = found[name];
    return installed ? installed.version !== version || installed.integrity !== integrity : !optional;
  };
  return !Object.entries(wanted)
    .filter(([name]) => name !== "")
    .some(differs);
}

async function packagesOf(file) {
  try {
    return JSON.parse(await readFile(file, "utf8")).packages;
  } catch {
    return null;
  }
}

function exists(file) {
  return stat(file).then(
    () => true,
    () => false,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(install);
