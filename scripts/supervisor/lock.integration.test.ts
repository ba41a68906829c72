import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findHolder, takeLock } from "@/scripts/supervisor/lock";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate lock-"));
  file = path.join(folder, "lock.json");
});
afterEach(() => rm(folder, { recursive: true }));

const output = (pid: number) => `It runs already (process ${pid})`;

test("a second one on a folder is refused with the process that holds it", async () => {
  expect(await findHolder(file)).toBeNull();
  const lock = await takeLock(file, output);
  await expect(takeLock(file, output)).rejects.toThrow(`It runs already (process ${process.pid})`);
  expect(await findHolder(file)).toBe(process.pid);
  await lock.release();
  await (await takeLock(file, output)).release();
});

test.each([
  ["of one that was killed", JSON.stringify({ pid: process.pid, port: 9, token: "gone" })],
  ["that was cut short", '{"pid": 1'],
])("a lock %s is taken over", async (_, left) => {
  await writeFile(file, left);
  await (await takeLock(file, output)).release();
});
