import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { pythonWith } from "@/testing/published-client";

const run = promisify(execFile);
const DATA = path.resolve(".data");
/** The time for the installation of a package in a test, which may download others. */
export const INSTALL_TIMEOUT_MS = 300_000;
const QUIET = ["--no-audit", "--no-fund", "--loglevel=error"];

/** A package that `npm pack` made. */
export interface PackedSdk {
  /** The path of the tarball. */
  tarball: string;
  files: readonly { path: string; size: number }[];
  remove(): Promise<void>;
}

/** Packs the TypeScript SDK from a copy of its sources, so that tests can do so at the same time. */
export async function packSdk(): Promise<PackedSdk> {
  await mkdir(DATA, { recursive: true });
  const folder = await mkdtemp(path.join(DATA, "sdk-"));
  const source = path.join(folder, "sdk");
  const isSource = (file: string) => !/\/(dist|python|node_modules|[\w-]+\.test\.ts)$/.test(file);
  await cp(path.resolve("sdk"), source, { recursive: true, filter: isSource });
  await cp(path.resolve("LICENSE"), path.join(folder, "LICENSE"));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder, ...QUIET], { cwd: source });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf("["))) as { filename: string; files: PackedSdk["files"] }[];
  if (!packed) throw new Error(`npm pack returned no package: ${stdout}`);
  const remove = () => rm(folder, { recursive: true, force: true });
  return { tarball: path.join(folder, packed.filename), files: packed.files, remove };
}

/** An empty folder in which the TypeScript SDK was installed from its tarball. */
export interface InstalledSdk {
  folder: string;
  packed: PackedSdk;
  remove(): Promise<void>;
}

/** Installs the packed SDK in an empty folder outside the project, without a registry. */
export async function installSdk(): Promise<InstalledSdk> {
  const packed = await packSdk();
  const folder = await mkdtemp(path.join(tmpdir(), "shop-"));
  await run("npm", ["install", "--offline", "--ignore-scripts", ...QUIET, packed.tarball], { cwd: folder });
  const remove = async () => {
    await Promise.all([packed.remove(), rm(folder, { recursive: true, force: true })]);
  };
  return { folder, packed, remove };
}

/** Returns the code block of a page with a fence such as "js shop". */
export async function readBlock(page: string, fence: string): Promise<string> {
  const text = await readFile(page, "utf8");
  const [, block] = text.match(new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\`$`, "m")) ?? [];
  if (block === undefined) throw new Error(`${page} has no block ${fence}`);
  return block;
}

/** The Python SDK, built and installed in a virtual environment in an empty folder. */
export interface InstalledPythonSdk {
  folder: string;
  /** The path of the interpreter that can import it. */
  python: string;
  /** The names of the built packages: a wheel and a source distribution. */
  built: readonly string[];
  remove(): Promise<void>;
}

/** Builds and installs the Python SDK. Returns null, with a message, if Python or the package index is not available. */
export async function installPythonSdk(): Promise<InstalledPythonSdk | null> {
  const builder = await pythonWith(["build==1.6.1", "flit_core==4.2.0"]);
  if (builder === null) return null;
  const folder = await mkdtemp(path.join(tmpdir(), "shop-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const source = path.join(folder, "source");
  await cp(path.resolve("sdk/python"), source, { recursive: true, filter: (file) => !file.includes("__pycache__") });
  await cp(path.resolve("LICENSE"), path.join(source, "LICENSE"));
  const python = path.join(folder, "venv/bin/python");
  await run(builder, ["-m", "build", "--no-isolation", "--outdir", path.join(folder, "dist"), source]);
  const built = await readdir(path.join(folder, "dist"));
  // The builder's pip installs into the environment, because an environment with its own pip takes seconds to create.
  await run("python3", ["-m", "venv", "--without-pip", path.join(folder, "venv")]);
  const wheel = path.join(folder, "dist", built.find((name) => name.endsWith(".whl")) ?? "");
  const pip = ["-m", "pip", "--python", python, "install", "--quiet", "--disable-pip-version-check", wheel];
  try {
    await run(builder, pip);
  } catch (error) {
    console.log(`httpx cannot be installed here, so the test is skipped: ${String(error).slice(0, 300)}`);
    await remove();
    return null;
  }
  return { folder, python, built, remove };
}
