import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
/** The files that npm runs on a machine where no packages are installed yet. */
const STARTED = Object.values(scripts).flatMap((command) => command.match(/^exec node (scripts\/\S+\.mjs)/)?.[1] ?? []);
const STATIC_IMPORT = /^(?:import "|(?:import|export) [^;]*? from ")([^"]+)";$/gm;

test("what npm starts imports no package before the packages are installed", () => {
  expect(STARTED).toContain("scripts/test.mjs");
  const seen = new Set();
  const packages = [];
  const read = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(STATIC_IMPORT))
      if (name.startsWith(".")) read(path.posix.join(path.posix.dirname(file), name));
      else if (!isBuiltin(name)) packages.push(`${file}: ${name}`);
  };
  STARTED.filter((file) => !file.startsWith("scripts/offline/")).forEach(read);
  expect(packages).toEqual([]);
  expect(seen.size).toBeGreaterThan(12);
});
