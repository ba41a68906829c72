import { readFile, writeFile } from "node:fs/promises";
import { inRoot, main, print } from "./toolchain.mjs";

// npm omits packages for other platforms from package-lock.json when it cannot see them (a registry without them, an existing
// node_modules). `npm ci` then rejects the lockfile. This script adds them again.
const WORDS = {
  os: ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"],
  cpu: ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"],
};
const SAME = {
  amd64: "x64",
  arm64ec: "arm64",
  armeabi: "arm",
  gnueabihf: "arm",
  musleabihf: "arm",
  eabi: "arm",
  windows: "win32",
  wasi: "wasm32",
};

await main(async () => {
  const file = inRoot("package-lock.json");
  const lock = JSON.parse(await readFile(file, "utf8"));
  const added = missingPackages(lock.packages);
  for (const { name, version, dev } of added)
    lock.packages[`node_modules/${name}`] = { version, optional: true, ...(dev ? { dev } : {}), ...platformOf(name) };
  const byName = ([left], [right]) => left.localeCompare(right, "en");
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(byName));
  if (added.length > 0) await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`);
  print(added.length > 0 ? `Added ${added.map(({ name }) => name).join(", ")}` : "Nothing was missing.");
});

function missingPackages(packages) {
  return Object.entries(packages).flatMap(([location, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isLocked(packages, location, name))
      .map(([name, version]) => ({ name, version, dev })),
  );
}

/** Returns true if the lockfile has `name` where Node resolves it from a package at `location`. */
function isLocked(packages, location, name) {
  if (packages[`${location ? `${location}/` : ""}node_modules/${name}`]) return true;
  if (!location) return false;
  return isLocked(packages, location.slice(0, Math.max(0, location.lastIndexOf("node_modules/") - 1)), name);
}

/** Returns the platform that a package name contains: "@next/swc-linux-x64-musl" is for linux, x64, musl. */
function platformOf(name) {
  const parts = name.split(/[/-]/).map((word) => SAME[word] ?? word);
  const of = (known) => parts.findLast((word) => known.includes(word));
  const os = of(WORDS.os);
  const cpu = of(WORDS.cpu);
  const libc = os !== "linux" ? null : name.includes("musl") ? "musl" : name.includes("gnu") ? "glibc" : null;
  return { ...(cpu ? { cpu: [cpu] } : {}), ...(os ? { os: [os] } : {}), ...(libc ? { libc: [libc] } : {}) };
}
