import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();
const program = path.resolve(".build", `dump-under-test-${process.pid}.js`);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate-dumps-"));
  const target = { platform: "node", format: "esm", target: "node24" } as const;
  const entryPoints = [path.resolve("scripts/roles/dump.ts")];
  await build({ entryPoints, outfile: program, bundle: true, packages: "external", ...target });
});
afterAll(() => Promise.all([rm(program, { force: true }), rm(folder, { recursive: true, force: true })]));

test("with DATABASE_URL and DUMP_FOLDER a dump is added to that folder, and outdated dumps are deleted", async () => {
  const days = Array.from({ length: 60 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10));
  const names = days.map((day) => `stablegate-${day}T020000Z.dump.gz`);
  await Promise.all([...names, "other.dump.gz"].map((name) => writeFile(path.join(folder, name), "")));
  const env = { NODE_ENV: "production" as const, DATABASE_URL: testDb.url, DUMP_FOLDER: folder };
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
  const left = (await readdir(folder)).sort();
  const added = left.filter((name) => !names.includes(name) && name !== "other.dump.gz");
  expect(added).toHaveLength(1);
  expect(stdout).toContain(`The dump is ${path.join(folder, added[0] ?? "")}`);
  expect(left).toContain("other.dump.gz");
  expect(left).toContain(names.at(-1));
  expect(left).not.toContain(names[0]);
  expect(left.length).toBeLessThan(15);
});
