import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeLock } from "@/sandbox/launcher/lock";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate lock-"));
  file = path.join(folder, "lock.json");
});
afterEach(() => rm(folder, { recursive: true }));

test("a second sandbox on a folder is told who has it", async () => {
  const lock = await takeLock(file, folder);
  await expect(takeLock(file, folder)).rejects.toThrow(`A sandbox already runs on ${folder} (process ${process.pid})`);
  await lock.release();
  await (await takeLock(file, folder)).release();
});

test.each([
  ["of a sandbox that was killed", JSON.stringify({ pid: process.pid, port: 9, token: "gone" })],
  ["that was cut short", '{"pid": 1'],
])("a lock %s is taken over", async (_, left) => {
  await writeFile(file, left);
  await (await takeLock(file, folder)).release();
});
