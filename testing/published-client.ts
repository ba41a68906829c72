import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { access, mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The folder of installed clients. Several test processes may install the same client at the same time. */
const FOLDER = path.resolve(".data/published-clients");
const INSTALL_MS = 240_000;

/**
 * Installs published Python packages unmodified, each at an exact version.
 * @param requirements for example `["epusdt==0.4.0"]`
 * @returns the path of the interpreter that can import them; null, with a message, if Python or the package index is not available
 */
export async function pythonWith(requirements: readonly string[]): Promise<string | null> {
  const folder = await install("python", requirements, async (target) => {
    await run("python3", ["-m", "venv", target], { timeout: INSTALL_MS });
    const arguments_ = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...requirements];
    await run(path.join(target, "bin/python"), arguments_, { timeout: INSTALL_MS });
  });
  return folder && path.join(folder, "bin/python");
}

/**
 * Installs published npm packages unmodified, each at an exact version, in a folder of their own.
 * @param packages for example `["standardwebhooks@1.1.1"]`
 * @returns the folder from which a script can import them; null, with a message, if the registry is not available
 */
export async function npmWith(packages: readonly string[]): Promise<string | null> {
  return install("npm", packages, async (target) => {
    await mkdir(target, { recursive: true });
    await writeFile(path.join(target, "package.json"), '{"private":true,"type":"module"}');
    const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    await run("npm", ["install", ...flags, ...packages], { cwd: target, timeout: INSTALL_MS });
  });
}

/**
 * Downloads published Go modules unmodified, each at an exact version, into a module of their own.
 * @param modules for example `["github.com/x/y@v1.2.3"]`
 * @returns the folder of a module that requires them; null, with a message, if Go or the module proxy is not available
 */
export async function goWith(modules: readonly string[]): Promise<string | null> {
  return install("go", modules, async (target) => {
    await mkdir(target, { recursive: true });
    await run("go", ["mod", "init", "example.com/shop"], { cwd: target, timeout: INSTALL_MS });
    await run("go", ["get", ...modules], { cwd: target, timeout: INSTALL_MS });
  });
}

/**
 * Downloads a published Java library unmodified, at an exact version.
 * @param artifact for example `com.example:client:1.2.3`; its dependencies are not included
 * @returns the path of the jar; null, with a message, if Maven or the repository is not available
 */
export async function mavenWith(artifact: string): Promise<string | null> {
  const [, name, version] = artifact.split(":");
  const folder = await install("maven", [artifact], async (target) => {
    const goal = "org.apache.maven.plugins:maven-dependency-plugin:3.6.0:copy";
    const settings = [`-Dartifact=${artifact}`, `-DoutputDirectory=${target}`];
    await mkdir(target, { recursive: true });
    await run("mvn", ["--quiet", "--batch-mode", goal, ...settings], { cwd: target, timeout: INSTALL_MS });
  });
  return folder && path.join(folder, `${name}-${version}.jar`);
}

/**
 * Downloads Debian's packages of PHP libraries with the libraries that they depend on, and the SQLite driver of this machine's PHP. The
 * packages are unpacked in a folder, not installed.
 * @param packages for example `["php-laravel-framework"]`; the version is that of the Debian release
 * @returns the options with which `php` loads them; null, with a message, if PHP, apt-get or a package is not available
 */
export async function phpWith(packages: readonly string[]): Promise<string[] | null> {
  const folder = await install("php", packages, async (target) => {
    const version = "echo PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;";
    const { stdout: php } = await run("php", ["-r", version]);
    await mkdir(target, { recursive: true });
    // A new machine has no list of packages. Only root can download it.
    await run("apt-cache", ["show", packages[0] ?? ""]).catch(() =>
      run("apt-get", ["update"], { timeout: INSTALL_MS }),
    );
    const kinds = ["recommends", "suggests", "conflicts", "breaks", "replaces", "enhances"].map(
      (kind) => `--no-${kind}`,
    );
    const { stdout } = await run("apt-cache", ["depends", "--recurse", ...kinds, ...packages]);
    const libraries = new Set(stdout.split("\n").filter((name) => /^php-\S+$/.test(name)));
    const all = [...libraries, `php${php}-sqlite3`];
    await run("apt-get", ["download", ...all], { cwd: target, timeout: INSTALL_MS });
    for (const archive of globSync("*.deb", { cwd: target })) await run("dpkg", ["-x", archive, "."], { cwd: target });
  });
  if (folder === null) return null;
  const [driver] = globSync("usr/lib/php/*/pdo_sqlite.so", { cwd: folder });
  const { stdout: loaded } = await run("php", ["-m"]);
  const extension = driver && !/^pdo_sqlite$/m.test(loaded) ? ["-d", `extension=${path.join(folder, driver)}`] : [];
  return ["-d", `include_path=.:${path.join(folder, "usr/share/php")}`, ...extension];
}

/** Runs an installation once per set of packages. A folder without its mark is incomplete and is installed again. */
async function install(
  kind: string,
  packages: readonly string[],
  work: (target: string) => Promise<void>,
): Promise<string | null> {
  const name = createHash("sha256")
    .update([kind, ...packages].join("\n"))
    .digest("hex")
    .slice(0, 12);
  const target = path.join(FOLDER, `${kind}-${name}`);
  const mark = path.join(target, "installed");
  if (await exists(mark)) return target;
  try {
    // A virtual environment cannot be moved, so concurrent installations take turns by a lock folder.
    await withLock(`${target}.lock`, async () => {
      if (await exists(mark)) return;
      await rm(target, { recursive: true, force: true });
      await work(target);
      await writeFile(`${mark}.new`, packages.join("\n"));
      await rename(`${mark}.new`, mark);
    });
    return target;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n").at(-1) ?? "") : String(error);
    console.log(`${packages.join(", ")} cannot be installed here, so the test is skipped: ${reason.slice(0, 300)}`);
    return null;
  }
}

async function withLock(folder: string, work: () => Promise<void>): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const deadline = Date.now() + INSTALL_MS;
  for (;;) {
    const isOurs = await mkdir(folder).then(
      () => true,
      () => false,
    );
    if (isOurs) break;
    if (Date.now() > deadline) await rm(folder, { recursive: true, force: true });
    else await new Promise((resolve) => setTimeout(resolve, 200));
  }
  try {
    await work();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
