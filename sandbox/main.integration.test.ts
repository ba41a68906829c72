import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Announcement, readAnnouncement } from "@/sandbox/announcement";
import { builtEntry, ROOT } from "@/scripts/root";

const PATIENT = 120_000;
const started: ChildProcess[] = [];
let folder: string;

beforeAll(async () => {
  if (!existsSync(builtEntry("sandbox"))) throw new Error("These tests run what npm run build makes; run that first");
  folder = await mkdtemp(path.join(tmpdir(), "stablegate start "));
});

afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

interface Run {
  child: ChildProcess;
  ended: Promise<number | null>;
  output(): string;
}

function start(env: Record<string, string> = {}): Run {
  const settings = { PORT: "0", SANDBOX_BLOCK_MS: "250", STABLEGATE_DATA_DIR: folder, ...env };
  const child = spawn(process.execPath, [builtEntry("sandbox")], { cwd: ROOT, env: { ...process.env, ...settings } });
  started.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return { child, ended: once(child, "exit").then(([code]) => code), output: () => output };
}

async function startReady(): Promise<Run & { world: Announcement }> {
  const run = start();
  await vi.waitUntil(() => run.child.exitCode !== null || run.output().includes("is ready"), { timeout: PATIENT });
  const world = await readAnnouncement(folder);
  if (!world) throw new Error(`The sandbox is not ready:\n${run.output()}`);
  return { ...run, world };
}

/** Returns a process and all of its descendants. */
function family(pid: number): number[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const parents = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const one of found) for (const [child, parent] of parents) if (parent === one && child) found.push(child);
  return found;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const merchantOf = ({ merchant, api_key, api_secret }: Announcement) => ({ merchant, api_key, api_secret });

test("one start, and everything works; one signal, and nothing is left; the next start is the same shop", {
  timeout: 3 * PATIENT,
}, async () => {
  const first = await startReady();
  expect(Object.keys(first.world.networks)).toEqual(["ethereum", "bsc", "tron", "solana"]);
  expect(first.world.networks["bsc"]?.tokens["USDT"]?.decimals).toBe(18);
  expect((await stat(path.join(folder, "sandbox.json"))).mode & 0o777).toBe(0o600);
  for (const url of [`${first.world.base_url}/api/health`, first.world.shop_url, first.world.callbacks_url])
    expect((await fetch(url)).status).toBe(200);
  const pids = family(first.child.pid ?? 0);
  expect(pids.length).toBeGreaterThan(6);

  first.child.kill("SIGINT");
  expect(await first.ended).toBe(0);
  await vi.waitUntil(() => !pids.some(isAlive), { timeout: 10_000 });
  expect(await readAnnouncement(folder)).toBeNull();

  const second = await startReady();
  expect(merchantOf(second.world)).toEqual(merchantOf(first.world));

  const third = start();
  expect(await third.ended).toBe(1);
  expect(third.output()).toContain("A sandbox is already running on");

  const all = family(second.child.pid ?? 0);
  second.child.kill("SIGKILL");
  await vi.waitUntil(() => !all.some(isAlive), { timeout: 20_000 });
});

test("a used port is reported, with what to do, and nothing is left running", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const run = start({ PORT: String(port) });
  expect(await run.ended).toBe(1);
  expect(run.output()).toContain(`Port ${port} is used by another program. Choose another: PORT=`);
  other.close();
});
