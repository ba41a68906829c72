import { cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Halt, inRoot, main, print } from "./machine/toolchain.mjs";

/** The programs of an image. It has no `live` and no `move-database`, which manage an embedded PostgreSQL. */
export const IMAGE_ROLES = [
  "web",
  "worker",
  "migrate",
  "doctor",
  "dump",
  "restore",
  "rotate-app-secret",
  "rotate-signing-key",
  "reset-password",
  "close-network",
  "reopen-network",
];

/** The parts of Next's folder that only the build needs. */
const NOT_SERVED = new Set(["cache", "diagnostics", "trace", "trace-build", "turbopack", "types", "build"]);
const IS_NEVER_LOADED = /\.(?:d\.[cm]?ts|md|markdown|tsbuildinfo)$/i;

/**
 * Copies the files of a built checkout that a running installation needs into a new folder: its programs, Next's pages, the database's
 * migrations and functions, and the packages that they import, with their dependencies. Files of the sandbox, the tests and the build are
 * not copied.
 * @throws Halt if the folder already exists, or if a required package is not installed
 */
export async function layOutImage(target) {
  if (await exists(target)) throw new Halt(`${target} already exists; specify another folder.`);
  await mkdir(target, { recursive: true });
  const copy = (name, options = {}) => cp(inRoot(name), path.join(target, name), { recursive: true, ...options });
  for (const role of IMAGE_ROLES) for (const end of ["js", "js.map"]) await copy(path.join(".build", `${role}.${end}`));
  for (const name of await readdir(inRoot(".next")))
    if (!NOT_SERVED.has(name)) await copy(path.join(".next", name), { filter: isNoTrace, verbatimSymlinks: true });
  for (const name of ["db/migrations", "db/functions"]) await copy(name, { filter: (file) => !/\.tsx?$/.test(file) });
  for (const name of ["next.config.mjs", "LICENSE"]) await copy(name);
  for (const folder of await packages()) await copy(folder, { filter: (file) => isOfPackage(folder, file) });
  const { name, version, type } = JSON.parse(await readFile(inRoot("package.json"), "utf8"));
  await writeFile(
    path.join(target, "package.json"),
    `${JSON.stringify({ name, version, type, private: true }, null, 2)}\n`,
  );
}

const isNoTrace = (file) => !file.endsWith(".nft.json") && !file.endsWith(".map");

/** Returns true if a file must be copied with its package. A nested package is copied separately if it is needed. */
function isOfPackage(folder, file) {
  const inside = path.relative(inRoot(folder), file).split(path.sep);
  return !inside.includes("node_modules") && !IS_NEVER_LOADED.test(file);
}

/** Returns the folders of all packages that the image's programs and pages import, and of their dependencies. */
async function packages() {
  const asked = JSON.parse(await readFile(inRoot(".build", "packages.json"), "utf8"));
  const lock = JSON.parse(await readFile(inRoot("package-lock.json"), "utf8")).packages;
  const found = new Set();
  const open = [...IMAGE_ROLES.flatMap((role) => asked[role]), ...(await packagesOfPages())].map((name) => ["", name]);
  for (let one = open.pop(); one; one = open.pop()) {
    const [from, name, isOptional] = one;
    const folder = folderOf(lock, from, name);
    if (!folder || !(await exists(inRoot(folder)))) {
      if (isOptional) continue;
      throw new Halt(`${name}, which ${from || "a program"} requires, is not installed.`);
    }
    if (found.has(folder)) continue;
    found.add(folder);
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = lock[folder];
    for (const need of Object.keys(dependencies).filter((need) => !isOfTypes(need)))
      open.push([folder, need, need in optionalDependencies]);
    for (const need of Object.keys(optionalDependencies)) open.push([folder, need, true]);
    for (const need of Object.keys(peerDependencies)) {
      const isThere = [...found].some((other) => other.endsWith(`node_modules/${need}`));
      if (!isThere && !peerDependenciesMeta[need]?.optional && !isOfTypes(need)) open.push([folder, need, true]);
    }
  }
  return [...found].sort();
}

/** Returns true for packages that are needed for type checks only. */
const isOfTypes = (name) => name === "typescript" || name.startsWith("@types/");

/** Returns the location of a package as Node resolves it: in the dependent's own folder first, then in the folders above. */
function folderOf(lock, from, name) {
  const parts = from ? from.split("/node_modules/") : [];
  for (let depth = parts.length; depth > 0; depth--) {
    const relativePath = `${parts.slice(0, depth).join("/node_modules/")}/node_modules/${name}`;
    if (lock[relativePath]) return relativePath;
  }
  return lock[`node_modules/${name}`] ? `node_modules/${name}` : null;
}

/** Returns the packages that the pages import. Next records the files that each page reads. */
async function packagesOfPages() {
  const traces = (await readdir(inRoot(".next"), { recursive: true })).filter((file) => file.endsWith(".nft.json"));
  const found = new Set();
  for (const trace of traces) {
    const folder = path.dirname(inRoot(".next", trace));
    for (const file of JSON.parse(await readFile(inRoot(".next", trace), "utf8")).files) {
      const relativePath = path.relative(inRoot(), path.resolve(folder, file)).split(path.sep).join("/");
      const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(relativePath)?.[1];
      if (name) found.add(name);
    }
  }
  return found;
}

function exists(file) {
  return stat(file).then(
    () => true,
    () => false,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main(async () => {
    const target = process.argv[2];
    if (!target) throw new Halt("The target folder is missing. For example: node scripts/image.mjs /image");
    await layOutImage(path.resolve(target));
    print(`${target} contains everything that an installation needs to run.`);
  });
}
