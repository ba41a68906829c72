import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface LockedPackage {
  version?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const text = readFileSync("package-lock.json", "utf8");
const packages: Record<string, LockedPackage> = JSON.parse(text).packages;
const manifest: Record<string, Record<string, string>> = JSON.parse(readFileSync("package.json", "utf8"));

test("npm ci accepts the lockfile on every platform (else run: node scripts/complete-lockfile.mjs)", () => {
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  const locked = new Set(Object.keys(packages).map((path_) => path_.split("node_modules/").at(-1)));
  expect(wanted.length).toBeGreaterThan(0);
  expect(wanted.filter((name) => !locked.has(name))).toEqual([]);
});

test("the lockfile names no registry, so each installation uses its own", () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved)).toEqual([]);
});

test("every dependency is pinned to one version, and that is the locked one", () => {
  for (const kind of ["dependencies", "devDependencies", "optionalDependencies"]) {
    for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
      expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
  }
});
