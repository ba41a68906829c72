import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MEMORY } from "@/scripts/machine/memory.mjs";

const read = (file: string) => readFileSync(file, "utf8");

test("every launcher passes the same memory flags", () => {
  for (const file of ["scripts/roles.mjs", "scripts/supervisor/program.ts"])
    expect(read(file), file).toContain("...MEMORY,");
  const units = globSync("deploy/systemd/*.service");
  expect(units.length).toBeGreaterThan(2);
  for (const file of [...units, "deploy/Dockerfile"])
    for (const flag of MEMORY) expect(read(file), file).toContain(flag);
});
