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
/** The files of packages that no running program reads: TypeScript, source maps and notes. */
const IS_NEVER_LOADED = /\.(?:[cm]?tsx?|map|flow|md|markdown|tsbuildinfo)$/i;
/** The license of a package, which must be distributed with it. */
const IS_LICENSE = /[/\\](?:licen[cs]e|copying|notice)[^/\\]*$/i;
/**
 * The packages that `next` and `next-intl` depend on only to compile pages, to resize images (the web process answers no such request), or
 * to choose browsers for a build.
 */
const NEVER_LOADED = [
  /^@next\/swc-/,
  /^@swc\/(?:core|types|counter)(?:-|$)/,
  /^@parcel\//,
  /^(?:sharp|caniuse-lite|baseline-browser-mapping|next-intl-swc-plugin-extractor)$/,
  /^@img\//,
];
/** The folders and bundles of `next` that only its compiler and its development server load. */
const NEVER_LOADED_OF_NEXT =
  /^dist\/(?:esm|docs|bundle-analyzer|next-devtools|compiled\/(?:next-devtools|[\w-]+-experimental|next-server\/[\w.-]*(?:\.dev\.|experimental)[\w.-]*)(?:\/|$))/;

/**
 * Copies the files of a built checkout that a running installation needs into a new folder: its programs, Next's pages, the database's
 * migrations and functions, and the packages that they import, with their dependencies. Files of the sandbox, the tests and the build are
 * not copied.
 * @param options `roles`: the programs; defaults to those of the image
 * @throws Halt if the folder already exists, or if a required package is not installed
 */
export async function layOutImage(target, { roles = IMAGE_ROLES } = {}) {
  if (await exists(target)) throw new Halt(`${target} already exists; specify another folder.`);
  await copyPrograms(target, roles);
  for (const name of await readdir(inRoot(".next")))
    if (!NOT_SERVED.has(name))
      await copy(path.join(".next", name), target, { filter: isServed, verbatimSymlinks: true });
  for (const name of ["db/migrations", "db/functions"])
    await copy(name, target, { filter: (file) => !/\.tsx?$/.test(file) });
  for (const name of ["next.config.mjs", "LICENSE"]) await copy(name, target);
  await copyPackages(target, await listPackages(roles));
  const { name, version, type } = JSON.parse(await readFile(inRoot("package.json"), "utf8"));
  await writeFile(
    path.join(target, "package.json"),
    `${JSON.stringify({ name, version, type, private: true }, null, 2)}\n`,
  );
}

/** Copies built programs into a folder. */
export async function copyPrograms(target, roles) {
  await mkdir(path.join(target, ".build"), { recursive: true });
  for (const role of roles)
    for (const end of ["js", "js.map"]) await copy(path.join(".build", `${role}.${end}`), target);
}

/** Copies installed packages into a folder, without the files that no running program reads. */
export async function copyPackages(target, folders) {
  for (const folder of folders) await copy(folder, target, { filter: (file) => isOfPackage(folder, file) });
}

const copy = (name, target, options = {}) => cp(inRoot(name), path.join(target, name), { recursive: true, ...options });

const isServed = (file) => !file.endsWith(".nft.json") && !file.endsWith(".map");

/** Returns true if a file must be copied with its package. A nested package is copied separately if it is needed. */
function isOfPackage(folder, file) {
  const inside = path.relative(inRoot(folder), file).split(path.sep);
  if (inside.includes("node_modules")) return false;
  if (IS_NEVER_LOADED.test(file) && !IS_LICENSE.test(file)) return false;
  return folder !== "node_modules/next" || !NEVER_LOADED_OF_NEXT.test(inside.join("/"));
}

/**
 * Returns the folders of all packages that programs import, and of their dependencies.
 * @param options `hasPages`: also those of the pages; `others`: more packages, which no program imports by name
 */
export async function listPackages(roles, { hasPages = true, others = [] } = {}) {
  const asked = JSON.parse(await readFile(inRoot(".build", "packages.json"), "utf8"));
  const lock = await readLockfile();
  const names = [...roles.flatMap((role) => asked[role]), ...(hasPages ? await packagesOfPages() : []), ...others];
  const found = new Set();
  const open = names.map((name) => ["", name]);
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
    for (const need of Object.keys(dependencies).filter((need) => !isOfBuild(need)))
      open.push([folder, need, need in optionalDependencies]);
    for (const need of Object.keys(optionalDependencies).filter((need) => !isOfBuild(need)))
      open.push([folder, need, true]);
    for (const need of Object.keys(peerDependencies)) {
      const isThere = [...found].some((other) => other.endsWith(`node_modules/${need}`));
      if (!isThere && !peerDependenciesMeta[need]?.optional && !isOfBuild(need)) open.push([folder, need, true]);
    }
  }
  return [...found].sort();
}

/** Returns true for packages that are needed for type checks or builds only. */
const isOfBuild = (name) =>
  name === "typescript" || name.startsWith("@types/") || NEVER_LOADED.some((pattern) => pattern.test(name));

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
      if (name && !isOfBuild(name)) found.add(name);
    }
  }
  return found;
}

/** Returns the packages of package-lock.json by their folder. */
export async function readLockfile() {
  return JSON.parse(await readFile(inRoot("package-lock.json"), "utf8")).packages;
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
