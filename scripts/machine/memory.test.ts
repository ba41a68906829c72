import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MEMORY, memoryProblem } from "@/scripts/machine/memory.mjs";

const read = (file: string) => readFileSync(file, "utf8");

test("every launcher passes the same memory flags", () => {
  for (const file of ["scripts/roles.mjs", "scripts/supervisor/program.ts", "scripts/release/run-release.ts"])
    expect(read(file), file).toContain("...MEMORY,");
  const units = globSync("deploy/systemd/*.service");
  expect(units.length).toBeGreaterThan(2);
  for (const file of [...units, "deploy/Dockerfile", "scripts/release/stablegate"])
    for (const flag of MEMORY) expect(read(file), file).toContain(flag);
});

test("a program that the kernel killed, or that ran out of heap, is reported as lack of memory", () => {
  const machine = 1024 ** 3;
  const outOfMemory = [
    { code: 137 },
    { code: 134, output: "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory" },
    { code: 1, output: "Next.js build worker exited with code: null and signal: SIGKILL" },
    { code: 1, output: "memory allocation of 2097152 bytes failed" },
  ];
  for (const ended of outOfMemory)
    expect(memoryProblem("next build", ended, machine), JSON.stringify(ended)).toMatch(
      /^next build was stopped because memory was missing: this machine has 1024 MB, and .* need 1536 MB\./,
    );
  expect(memoryProblem("npm ci", { code: 1, output: "Module not found" }, machine)).toBeNull();
});
