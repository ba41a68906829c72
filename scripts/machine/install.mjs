import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { withLock } from "./lock.mjs";
import { isStopping, run } from "./processes.mjs";
import { Halt, inRoot, main, NODE, pathWithoutProject, say } from "./toolchain.mjs";

const STAMP = inRoot("node_modules", ".stablegate-installed");

/** Makes node_modules fit package-lock.json; does nothing when it already does. */
export async function install() {
  if (await isInstalled()) return;
  await withLock("install", "Another command is installing in this folder; waiting for it …", async () => {
    if (await isInstalled()) return;
    if (await isInPlace()) await repair();
    else await installWithNpm();
    await writeFile(STAMP, await fingerprint());
  });
}

async function installWithNpm() {
  say("Installing the exact versions of package-lock.json (npm ci) …");
  await rm(STAMP, { force: true });
  const env = { ...process.env, PATH: pathWithoutProject(), NODE_ENV: "development" };
  const code = await run(
    "npm",
    ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"],
    { env },
  );
  if (isStopping()) throw new Halt("Stopped while installing.", code);
  if (code !== 0) {
    throw new Halt(
      "npm ci failed (its words are above). Usual reasons: no way to the npm registry, no room on the disk, or a folder that belongs to another user. Run the same command again when that is mended.",
    );
  }
  if (!(await exists(NODE))) {
    throw new Halt(
      `npm ci went through, but ${NODE} is missing: npm did not run the install script of the package "node". Check that ignore-scripts is off (npm config get ignore-scripts) and run the command again.`,
    );
  }
}

/** What npm does after its own work, unless it was told to run no scripts; nothing where it is done. */
async function repair() {
  const code = await run(NODE, [inRoot("node_modules", "patch-package", "index.js"), "--error-on-fail"]);
  if (code === 0) return;
  throw new Halt(
    "The repairs of the folder patches do not fit the packages in node_modules (the words are above). Delete node_modules and run the same command again.",
  );
}

async function isInstalled() {
  const [stamp, wanted] = await Promise.all([readFile(STAMP, "utf8").catch(() => null), fingerprint()]);
  return stamp === wanted && (await exists(NODE));
}

async function fingerprint() {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}\n`);
  const patches = (await readdir(inRoot("patches"))).toSorted().map((name) => path.join("patches", name));
  for (const name of ["package.json", "package-lock.json", ...patches]) hash.update(await readFile(inRoot(name)));
  return hash.digest("hex");
}

/** Whether somebody already ran npm here: what npm recorded of node_modules is what the lockfile asks for. */
async function isInPlace() {
  const [wanted, found] = await Promise.all([
    packagesOf(inRoot("package-lock.json")),
    packagesOf(inRoot("node_modules", ".package-lock.json")),
  ]);
  if (!wanted || !found || !(await exists(NODE))) return false;
  const differs = ([name, { version, integrity, optional }]) => {
    const there = found[name];
    return there ? there.version !== version || there.integrity !== integrity : !optional;
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
