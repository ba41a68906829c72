import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(path.resolve("node_modules", ".log test "));
  program = path.join(folder, "program.mjs");
  const contents = `
    import { createLog } from "@/lib/log";
    const log = createLog("test", "info");
    process.stdin.once("data", () => { log.info("last words"); process.exit(7); });
    log.info("first words");`;
  const stdin = { contents, resolveDir: process.cwd(), loader: "ts" as const };
  await build({
    stdin,
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    alias: { "@": process.cwd() },
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function start() {
  return spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
}

test("every line arrives, also those of the last moment", async () => {
  const child = start();
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk;
    if (text.includes("first words")) child.stdin.end("go");
  });
  const [code] = await once(child, "close");
  expect(code).toBe(7);
  expect(
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).msg),
  ).toEqual(["first words", "last words"]);
});

test("a process whose reader disconnected still ends", async () => {
  const child = start();
  await once(child.stdout, "data");
  child.stdout.destroy();
  child.stdin.end("go");
  const [code] = await once(child, "exit");
  expect(code).toBe(7);
});
