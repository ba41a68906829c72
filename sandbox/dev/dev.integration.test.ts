import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ROOT } from "@/scripts/root";
import { useTestDb } from "@/testing/database/clone";
import { TEST_APP_SECRET } from "@/testing/database/seed";

const COPIED = [
  ...["app", "components", "contracts", "db", "docs", "lib", "sandbox", "scripts", "workers"],
  ...["server.ts", "mounted-routes.ts", "package.json", "tsconfig.json", "next.config.mjs", "postcss.config.mjs"],
];
const API_FILE = "app/api/health/live/route.ts";
const STYLE_FILE = "components/pay/style.css";
/**
 * The maximum wait for a new version, and the polling interval. A version takes a second or two to compile and start, longer on a busy
 * machine.
 */
const PATIENCE = { timeout: 50_000, interval: 50 };

const testDb = useTestDb();
let folder = "";
let origin = "";
let child: ChildProcess;
let printed = "";

beforeAll(async () => {
  await mkdir(path.join(ROOT, ".build"), { recursive: true });
  // The folder is inside the project, because Next compiles nothing outside the folder of the lockfile.
  folder = await mkdtemp(path.join(ROOT, ".build", "dev test "));
  await Promise.all(COPIED.map((name) => cp(path.join(ROOT, name), path.join(folder, name), { recursive: true })));
  await mkdir(path.join(folder, ".data"));
  const world = {
    base_url: "http://127.0.0.1:1",
    database_url: testDb.url,
    networks: { ethereum: { rpc_url: "http://127.0.0.1:1" } },
  };
  await writeFile(path.join(folder, ".data", "sandbox.json"), JSON.stringify(world));
  const secrets = { appSecret: TEST_APP_SECRET, databasePassword: "unused-by-this-test" };
  await writeFile(path.join(folder, ".data", "secrets.json"), JSON.stringify(secrets));
  child = spawn(process.execPath, ["--import", "tsx", path.join(folder, "sandbox", "dev", "main.ts")], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: "development", NEXT_TELEMETRY_DISABLED: "1", PORT: "0", NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (data) => {
      printed += data;
    });
  await vi.waitFor(() => expect(printed).toContain("reload when their files change"), PATIENCE);
  origin = /http:\/\/localhost:\d+/.exec(printed)?.[0] ?? "";
});

afterAll(async () => {
  if (child.exitCode === null) {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
});

test("a changed file of the API answers without a restart of the command", async () => {
  const live = async () => (await fetch(`${origin}/api/health/live`)).text();
  expect(await live()).toBe('{"status":"ok"}');
  await change(API_FILE, (text) => text.replace('status: "ok"', 'status: "changed"'));
  await vi.waitFor(async () => expect(await live()).toBe('{"status":"changed"}'), PATIENCE);
});

test("a changed style sheet is in the payment page, and an open page is notified so that it reloads", async () => {
  const page = async () => (await fetch(`${origin}/pay/00${"a".repeat(30)}`)).text();
  const before = await currentVersion();
  expect(await page()).not.toContain(".added-later");
  await change(STYLE_FILE, (text) => `${text}\n.added-later { color: red; }\n`);
  await vi.waitFor(async () => expect(await page()).toContain(".added-later"), PATIENCE);
  expect(await currentVersion()).toBe(before + 1);
  expect(await readFile(path.join(folder, "components/pay/assets.ts"), "utf8")).toContain(".added-later");
});

test("a change that does not compile is printed, and the version before stays in use until it is corrected", async () => {
  const whole = await readFile(path.join(folder, API_FILE), "utf8");
  await change(API_FILE, () => "export function GET( {");
  await vi.waitFor(() => expect(printed).toContain("Version 3 stays in use"), PATIENCE);
  expect((await fetch(`${origin}/api/health/live`)).status).toBe(200);
  await change(API_FILE, () => whole.replace('"changed"', '"corrected"'));
  const live = async () => (await fetch(`${origin}/api/health/live`)).text();
  await vi.waitFor(async () => expect(await live()).toBe('{"status":"corrected"}'), PATIENCE);
});

async function change(file: string, edit: (text: string) => string): Promise<void> {
  const cursor = path.join(folder, file);
  await writeFile(cursor, edit(await readFile(cursor, "utf8")));
}

/** Reads the first event of the stream that open payment pages follow. */
async function currentVersion(): Promise<number> {
  const response = await fetch(`${origin}/dev/version`);
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return Number(/data: (\d+)/.exec(new TextDecoder().decode(value))?.[1]);
}
