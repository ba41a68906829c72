import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from "vitest";
import { openDb } from "@/db/client";
import packageJson from "@/package.json" with { type: "json" };
import { layOutPackage, sizeOf } from "@/scripts/packaging/lay-out.mjs";
import { pack } from "@/scripts/packaging/pack.mjs";
import { seedAddress, seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";
import { createMemoryCgroup } from "@/testing/memory-cgroup";

const PATIENCE = { timeout: 120_000, interval: 50 };
const MEGABYTE = 1024 ** 2;
const ORDERS = 250;
const PLATFORM = `${process.platform}-${process.arch}`;
const { version } = packageJson;
let work: string;
let tarball: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  work = await mkdtemp(path.join(tmpdir(), "stablegate-package-"));
  // The user who runs PostgreSQL may differ from the user who runs the tests.
  await chmod(work, 0o755);
  const files = path.join(work, "files");
  await layOutPackage(files);
  expect(await sizeOf(files)).toBeLessThan(350e6);
  tarball = path.join(work, `stablegate-${version}-${PLATFORM}.tar.gz`);
  await pack(files, tarball, { level: 1 });
  await rm(files, { recursive: true });
  const listed = run(["tar", "-tzf", tarball], work);
  expect(await listed.ended).toBe(0);
  expect(listed.output().trimEnd().split("\n").at(-1)).toBe("current");
}, 240_000);
afterEach(async () => {
  for (const child of running) child.kill("SIGTERM");
  await vi.waitUntil(() => running.size === 0, PATIENCE);
});
afterAll(() => rm(work, { recursive: true, force: true }));

function run([file, ...args]: readonly [string, ...string[]], cwd: string, more: Record<string, string> = {}) {
  const env = {
    NODE_ENV: "production" as const,
    PATH: process.env["PATH"],
    APP_SECRET: TEST_APP_SECRET,
    PORT: "0",
    HOST: "127.0.0.1",
    PUBLIC_URL: "https://pay.example.com",
    ETHEREUM_RPC_URLS: "http://127.0.0.1:9",
    RATE_LIMIT_CREATES: "off",
    LOG_FORMAT: "pretty",
    ...more,
  };
  const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve)).finally(() =>
    running.delete(child),
  );
  return { child, ended, output: () => output };
}

/** Unpacks the package in a new folder whose name contains a space. */
async function install(name: string): Promise<string> {
  const home = path.join(work, name);
  await mkdir(home);
  const unpacked = run(["tar", "-xzf", tarball], home);
  expect(await unpacked.ended, unpacked.output()).toBe(0);
  return home;
}

type Running = ReturnType<typeof run>;

async function originOf({ child, output }: Running): Promise<string> {
  const find = () => /listening at (http:\/\/[\d.:]+)/.exec(output())?.[1];
  await vi.waitUntil(() => find() ?? child.exitCode !== null, PATIENCE);
  const origin = find();
  if (!origin) throw new Error(`stablegate ended: ${output()}`);
  await vi.waitUntil(async () => (await statusOf(`${origin}/api/health/ready`)) === 200, PATIENCE);
  return origin;
}

/** Returns the status of a request over a new connection. */
function statusOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent: new Agent({ keepAlive: false }) }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
      response.once("error", reject);
    }).once("error", reject);
  });
}

/** Makes a package whose release ends at once, as one that is broken on purpose. */
async function makeBrokenPackage(): Promise<string> {
  const files = path.join(work, "broken");
  const release = path.join(files, "releases", "99.0.0");
  await mkdir(path.join(release, "bin"), { recursive: true });
  await mkdir(path.join(release, ".build"));
  await mkdir(path.join(release, "scripts", "supervisor"), { recursive: true });
  await writeFile(path.join(release, "bin", "node"), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 });
  await writeFile(path.join(release, "scripts", "supervisor", "leash.mjs"), "");
  await writeFile(path.join(release, ".build", "live.js"), 'console.error("A table is missing."); process.exit(3);\n');
  await writeFile(path.join(release, "release.json"), JSON.stringify({ version: "99.0.0", platform: PLATFORM }));
  await writeFile(path.join(files, "stablegate"), "#!/bin/sh\n", { mode: 0o755 });
  const file = path.join(work, "broken.tar.gz");
  await pack(files, file, { level: 1 });
  return file;
}

test("a package runs from an empty folder, and an upgrade or its rollback refuses no connection", async () => {
  const home = await install("my shop");
  const started = performance.now();
  const service = run(["./stablegate"], home);
  const origin = await originOf(service);
  console.log(`ready ${Math.round(performance.now() - started)} ms after the start`);
  expect((await (await fetch(`${origin}/api/health`)).json()).database).toBe("ok");
  const html = await (await fetch(`${origin}/register`)).text();
  const assets = new Set([...html.matchAll(/\/_next\/static\/[^"\\]+\.(?:js|css)/g)].map(([asset]) => asset));
  expect(assets.size).toBeGreaterThan(3);
  for (const asset of assets) expect(await statusOf(origin + asset), asset).toBe(200);

  let isOver = false;
  const statuses: number[] = [];
  const client = (async () => {
    while (!isOver) statuses.push(await statusOf(`${origin}/api/health/live`));
  })();
  const upgraded = run(["./stablegate", "upgrade", tarball], home);
  expect(await upgraded.ended, upgraded.output()).toBe(0);
  expect(upgraded.output()).toContain(`Version ${version} replaced version ${version}.`);
  expect(await readlink(path.join(home, "current"))).toBe(`releases/${version}-2`);
  expect(await statusOf(`${origin}/api/health/ready`)).toBe(200);
  expect((await readdir(path.join(home, ".live", "dumps"))).join()).toMatch(/^before-.*\.dump\.gz/);

  const broken = run(["./stablegate", "upgrade", await makeBrokenPackage()], home);
  expect(await broken.ended).toBe(1);
  expect(broken.output()).toContain("Version 99.0.0 ended with code 3. Its last errors:\nA table is missing.");
  expect(broken.output()).toContain(`Version ${version} is in use again.`);
  expect(await readlink(path.join(home, "current"))).toBe(`releases/${version}-2`);
  expect((await readdir(path.join(home, "releases"))).sort()).toEqual([version, `${version}-2`]);
  expect(await statusOf(`${origin}/api/health/ready`)).toBe(200);
  isOver = true;
  await client;
  expect(new Set(statuses)).toEqual(new Set([200]));

  service.child.kill("SIGTERM");
  expect(await service.ended, service.output()).toBe(0);
  await expect(statusOf(`${origin}/api/health/live`)).rejects.toThrow("ECONNREFUSED");
}, 240_000);

test("a stopped installation tries the new release out, and refuses packages that it cannot use", async () => {
  const home = path.join(work, "my shop");
  const upgrade = (file: string) => run(["./stablegate", "upgrade", file, "--no-dump"], home);
  const broken = upgrade(path.join(work, "broken.tar.gz"));
  expect(await broken.ended).toBe(1);
  expect(broken.output()).toContain("Version 99.0.0 ended with code 3");
  expect(await readlink(path.join(home, "current"))).toBe(`releases/${version}-2`);

  await writeFile(path.join(work, "other.tar.gz.sha256"), "0".repeat(64));
  await writeFile(path.join(work, "other.tar.gz"), "no tarball");
  const foreign = upgrade(path.join(work, "other.tar.gz"));
  expect(await foreign.ended).toBe(1);
  expect(foreign.output()).toContain("does not match");
  await rm(path.join(work, "other.tar.gz.sha256"));
  const unreadable = upgrade(path.join(work, "other.tar.gz"));
  expect(await unreadable.ended).toBe(1);
  expect(unreadable.output()).toContain("could not be unpacked");
  expect((await readdir(path.join(home, "releases"))).sort()).toEqual([version, `${version}-2`]);
}, 120_000);

test("on a database server of its own, the first start migrates the database, and nohup keeps it running", async () => {
  const name = `package_${process.pid}`;
  const server = postgres(inject("testServerUrl"), { max: 1, onnotice: () => {} });
  await server`create database ${server(name)}`;
  const url = new URL(inject("testServerUrl"));
  url.pathname = `/${name}`;
  const command = ["/bin/sh", "-c", "trap '' HUP; exec ./stablegate"] as const;
  const service = run(command, path.join(work, "my shop"), { DATABASE_URL: url.href });
  const origin = await originOf(service);
  service.child.kill("SIGHUP");
  for (let number = 0; number < 50; number++) expect(await statusOf(`${origin}/api/health/ready`)).toBe(200);
  service.child.kill("SIGTERM");
  expect(await service.ended, service.output()).toBe(0);
  await server`drop database ${server(name)} with (force)`;
  await server.end();
}, 120_000);

test("the launcher prints its version and its help, and names programs that are missing", async () => {
  const home = path.join(work, "my shop");
  const printed = async (...args: string[]) => {
    const program = run(["./stablegate", ...args], home);
    return [await program.ended, program.output()] as const;
  };
  expect(await printed("version")).toEqual([0, `${version}\n`]);
  expect((await printed("help"))[1]).toContain("./stablegate upgrade FILE");
  const [code, text] = await printed("sandbox");
  expect([code, text.includes("stablegate-sandbox")]).toEqual([1, true]);
  expect((await printed("nonsense"))[0]).toBe(64);
  expect((await stat(path.join(home, "stablegate"))).mode & 0o111).toBe(0o111);
});

test("512 MB of memory suffice to unpack the package, to run it, and for 50 orders a second", async () => {
  const cgroup = await createMemoryCgroup(512 * MEGABYTE);
  if (!cgroup) return;
  const home = path.join(work, "small machine");
  await mkdir(home);
  const unpackAndRun = 'tar -xzf "$1" && exec ./stablegate';
  const service = run(cgroup.inside(["/bin/sh", "-c", unpackAndRun, "sh", tarball]), home);
  const origin = await originOf(service);
  console.log(`at rest: ${Math.round((await cgroup.usedBytes()) / MEGABYTE)} MB of 512 MB`);
  const { databaseUrl } = JSON.parse(await readFile(path.join(home, ".live", "running.json"), "utf8"));
  const pool = openDb(databaseUrl, { work: "none", max: 1 });
  const merchant = await seedMerchant(pool.db, new Date());
  await seedAddress(pool.db, { merchantId: merchant.id }, new Date());
  const started = performance.now();
  for (let number = 0; number < ORDERS; number++) {
    const response = await fetch(`${origin}/api/v1/pay/order/add`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": merchant.apiKey },
      body: JSON.stringify({
        currency: "USDT",
        network: "ethereum",
        amount: (1_000 + number) / 100,
        mch_order_id: `order-${number}`,
      }),
    });
    expect((await response.json()).code).toBe(0);
  }
  const perSecond = Math.round((ORDERS * 1_000) / (performance.now() - started));
  expect(await statusOf(`${origin}/register`)).toBe(200);
  console.log(
    `after ${ORDERS} orders (${perSecond}/s) and a page: ${Math.round((await cgroup.usedBytes()) / MEGABYTE)} MB`,
  );
  expect(await cgroup.kills()).toBe(0);
  await pool.close();
  service.child.kill("SIGTERM");
  expect(await service.ended, service.output()).toBe(0);
  await cgroup.remove();
}, 240_000);
