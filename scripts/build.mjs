import { createHash } from "node:crypto";
import { access, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { pathToFileURL } from "node:url";
import { ENTRIES, LIVE_ENTRIES } from "./entries.mjs";
import { install } from "./machine/install.mjs";
import { withLock } from "./machine/lock.mjs";
import { machineMemory, memoryProblem } from "./machine/memory.mjs";
import { capture } from "./machine/processes.mjs";
import { keepLines } from "./machine/source-lines.mjs";
import { Halt, inRoot, main, NODE, print, projectEnv, ROOT } from "./machine/toolchain.mjs";

const STAMP = inRoot(".build", "stamp");
const SKIPPED = new Set(["node_modules", "docs", "e2e", "test-results", "playwright-report", "coverage"]);
const IS_SOURCE = /(?<!\.test)\.(?:[cm]?[jt]sx?|json|css|svg|ico|png|sol)$/;
const NEVER_LIVE = /^(?:sandbox|bench|chaos|fuzz|e2e|testing)\//;

/** Builds when a source changed since the last build; does nothing otherwise. */
export async function build() {
  if (await isBuilt(await fingerprint())) return;
  await withLock("build", "Another command is building in this folder; waiting for it …", async () => {
    const wanted = await fingerprint();
    if (await isBuilt(wanted)) return;
    print("Building (a minute or two the first time) …");
    await rm(STAMP, { force: true });
    await bundle();
    await buildPages();
    await writeFile(STAMP, wanted);
  });
}

/**
 * The packages that are bundled with each program; all others stay in node_modules. Loaded file by file, their hundreds of modules would
 * cost a process memory and time at startup (drizzle-orm: 130 MB, viem: 25 MB, zod: 20 MB). Bundling keeps only the code that is used.
 */
const BUNDLED = new Set([
  "drizzle-orm",
  "viem",
  "zod",
  "hono",
  "@hono/node-server",
  "ipaddr.js",
  "uqr",
  "otpauth",
  "@noble/curves",
  "@scure/base",
  "@scure/bip32",
  "@scure/bip39",
]);

/** Returns the packages that are not bundled. */
async function externals() {
  const { dependencies, devDependencies } = JSON.parse(await readFile(inRoot("package.json"), "utf8"));
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !BUNDLED.has(name));
}

/** Returns the options of esbuild for a program of this project. @returns {Promise<import("esbuild").BuildOptions>} */
export async function bundleOptions() {
  return {
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    external: await externals(),
    jsx: "automatic",
    sourcemap: true,
    // A process keeps the source maps of its programs in memory; stack traces need no sources.
    sourcesContent: false,
    logLevel: "warning",
  };
}

async function bundle() {
  const { build: esbuild, stop } = await import("esbuild");
  try {
    const { metafile } = await esbuild({
      ...(await bundleOptions()),
      absWorkingDir: ROOT,
      entryPoints: Object.entries(ENTRIES).map(([out, file]) => ({ in: inRoot(file), out })),
      outdir: inRoot(".build"),
      metafile: true,
      define: { "process.env.NODE_ENV": '"production"' },
    });
    refuseSandboxInLive(metafile);
    await reduceSourceMaps();
    await writeFile(inRoot(".build", "packages.json"), JSON.stringify(packagesOf(metafile)));
  } catch (error) {
    throw error instanceof Halt ? error : new Halt(`The programs could not be bundled: ${error.message}`);
  } finally {
    await stop();
  }
}

/** Reduces the source maps of the live programs to lines, and those of the same processes in the benchmark, which measures their memory. */
async function reduceSourceMaps() {
  for (const name of [...Object.keys(LIVE_ENTRIES), "bench-web", "bench-worker"]) {
    const file = inRoot(".build", `${name}.js.map`);
    const map = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify({ ...map, mappings: keepLines(map.mappings) }));
  }
}

/** Checks that no live program contains sandbox code. */
function refuseSandboxInLive({ outputs }) {
  for (const name of Object.keys(LIVE_ENTRIES)) {
    const foreign = Object.keys(outputs[`.build/${name}.js`].inputs).filter((file) => NEVER_LIVE.test(file));
    if (foreign.length > 0) throw new Halt(`${LIVE_ENTRIES[name]} must not contain ${foreign.join(", ")}.`);
  }
}

/** Returns the packages that each program imports by name. */
function packagesOf({ outputs }) {
  const names = Object.keys(ENTRIES).map((name) => {
    const asked = outputs[`.build/${name}.js`].imports.filter(({ external }) => external).map(({ path }) => path);
    const packages = asked.filter((one) => !isBuiltin(one)).map((one) => /^(?:@[^/]+\/)?[^/]+/.exec(one)?.[0] ?? one);
    return [name, [...new Set(packages)].sort()];
  });
  return Object.fromEntries(names);
}

async function buildPages() {
  const env = projectEnv({
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    // The compiler's allocator returns freed memory immediately, so that a build has a peak of 1.3 GB instead of 1.5 GB.
    MIMALLOC_PURGE_DELAY: "0",
  });
  const { code, output } = await capture(NODE, [inRoot("node_modules", "next", "dist", "bin", "next"), "build"], {
    env,
  });
  const problem = code === 0 ? null : memoryProblem("next build", { code, output }, machineMemory());
  if (problem) throw new Halt(`${output}\n${problem}`, code);
  if (code !== 0) throw new Halt(`${output}\nnext build failed; its output is above.`, code);
}

async function isBuilt(wanted) {
  const outputs = [
    inRoot(".next", "BUILD_ID"),
    inRoot(".build", "packages.json"),
    ...Object.keys(ENTRIES).map((name) => inRoot(".build", `${name}.js`)),
  ];
  const stamp = await readFile(STAMP, "utf8").catch(() => null);
  if (stamp !== wanted) return false;
  return Promise.all(outputs.map((file) => access(file))).then(
    () => true,
    () => false,
  );
}

/** Returns a hash of all files that a build reads. */
async function fingerprint() {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}\n`);
  for (const file of await sources("")) hash.update(`${file}\0`).update(await readFile(inRoot(file)));
  return hash.digest("hex");
}

async function sources(folder) {
  const entries = await readdir(inRoot(folder), { withFileTypes: true });
  const found = await Promise.all(
    entries.map((entry) => {
      const { name } = entry;
      const file = folder ? `${folder}/${name}` : name;
      if (name.startsWith(".") || SKIPPED.has(name) || name === "next-env.d.ts") return [];
      return entry.isDirectory() ? sources(file) : IS_SOURCE.test(name) ? [file] : [];
    }),
  );
  return found.flat().sort();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main(async () => {
    await install();
    await build();
  });
}
