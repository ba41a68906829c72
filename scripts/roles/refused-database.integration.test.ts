import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { useTestDb } from "@/testing/database/clone";
import { TEST_APP_SECRET } from "@/testing/database/seed";

const testDb = useTestDb();
const WRONG = "a secret that this installation never had at all";
const SOURCES = {
  web: "testing/web-program.ts",
  worker: "scripts/roles/worker.ts",
  migrate: "scripts/roles/migrate.ts",
};
const ROLES = Object.keys(SOURCES) as (keyof typeof SOURCES)[];
const fileOf = (role: string) => path.resolve(".build", `${role}-refused-${process.pid}.js`);

beforeAll(async () => {
  const target = { platform: "node", format: "esm", target: "node24", jsx: "automatic" } as const;
  const options = { bundle: true, packages: "external", ...target } as const;
  await Promise.all(
    ROLES.map((role) => build({ entryPoints: [path.resolve(SOURCES[role])], outfile: fileOf(role), ...options })),
  );
});
afterAll(() => Promise.all(ROLES.map((role) => rm(fileOf(role), { force: true }))));

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
});

function start(role: string, settings: Record<string, string>) {
  const rest = {
    PUBLIC_URL: "http://localhost:3000",
    PORT: "0",
    HOST: "127.0.0.1",
    LOG_FORMAT: "pretty",
    BSC_RPC_URLS: "http://127.0.0.1:1",
  };
  const secrets = { DATABASE_OWNER_URL: testDb.ownerUrl, APP_SECRET: TEST_APP_SECRET };
  const env = { NODE_ENV: "production" as const, ...secrets, ...rest, ...settings };
  const child = spawn(process.execPath, [fileOf(role)], { env, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  const ended = Promise.all([text(child.stdout), text(child.stderr), code]);
  return { child, ended: ended.then(([out, err, status]) => ({ code: status, out, err })) };
}

test.each(ROLES)("%s ends with a message when APP_SECRET is not the installation's", async (role) => {
  const { code, err } = await start(role, { DATABASE_URL: testDb.url, APP_SECRET: WRONG }).ended;
  expect(err).toMatch(/^APP_SECRET is not the secret of this installation: .*Set APP_SECRET to the previous value/);
  expect(err).not.toContain("    at ");
  expect(code).toBe(1);
});

test("migrate does not need APP_SECRET", async () => {
  const { code, out } = await start("migrate", { DATABASE_URL: testDb.url, APP_SECRET: "" }).ended;
  expect([code, out]).toEqual([0, "The database is up to date.\n"]);
});

test.each(["web", "worker"])(
  "%s starts while the database is away, and ends when it refuses the secret",
  async (role) => {
    const { hostname, port } = new URL(testDb.url);
    const server = createServer((client) => {
      const database = connect(Number(port), hostname);
      // A program that ends resets its connection.
      client.on("error", () => database.destroy());
      database.on("error", () => client.destroy());
      client.pipe(database).pipe(client);
    });
    const listen = async (on: number) => void (await once(server.listen(on, "127.0.0.1"), "listening"));
    await listen(0);
    const free = (server.address() as AddressInfo).port;
    server.close();
    await once(server, "close");
    const url = new URL(testDb.url);
    url.port = String(free);
    const run = start(role, { DATABASE_URL: url.href, APP_SECRET: WRONG });
    let said = "";
    run.child.stdout.on("data", (chunk) => {
      said += chunk;
    });
    await vi.waitUntil(() => said.includes("it is asked every second"), { timeout: 40_000 });
    await listen(free);
    const { code, err } = await run.ended;
    server.close();
    expect(err).toContain("APP_SECRET is not the secret of this installation");
    expect(code).toBe(1);
  },
);

test.each(ROLES)("%s refuses a PostgreSQL that is older than 15", async (role) => {
  // The server says that it is older: a function of this name comes before PostgreSQL's own.
  const { db } = testDb.owner;
  const name = new URL(testDb.url).pathname.slice(1);
  await db.execute(`create schema if not exists older`);
  await db.execute(`grant usage on schema older to public`);
  await db.execute(`create or replace function older.current_setting(name text) returns text language sql as
    $$ select case name when 'server_version_num' then '130011' else pg_catalog.current_setting(name) end $$`);
  await db.execute(`alter database ${name} set search_path = older, pg_catalog, public`);
  const { code, err } = await start(role, { DATABASE_URL: testDb.url }).ended;
  await db.execute(`alter database ${name} reset search_path`);
  expect(err).toBe(
    "The database server is PostgreSQL 13, and Stablegate needs PostgreSQL 15 or newer. Upgrade the server, or set DATABASE_URL to a newer one. Nothing was changed.\n",
  );
  expect(code).toBe(1);
});
