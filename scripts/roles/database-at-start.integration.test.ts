import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { startEmbedded } from "@/db/embedded";
import { createIfMissing } from "@/scripts/supervisor/database";
import { useTestDb } from "@/testing/database/clone";
import { TEST_APP_SECRET } from "@/testing/database/seed";

const testDb = useTestDb();
const INVALID = "a secret that this installation never had at all";
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
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  const ended = Promise.all([text(child.stdout), text(child.stderr), code]);
  return { child, output: () => output, ended: ended.then(([out, err, status]) => ({ code: status, out, err })) };
}

test.each(ROLES)("%s ends with a message when APP_SECRET is not the installation's", async (role) => {
  const { code, err } = await start(role, { DATABASE_URL: testDb.url, APP_SECRET: INVALID }).ended;
  expect(err).toMatch(/^APP_SECRET is not the secret of this installation: .*Set APP_SECRET to the previous value/);
  expect(err).not.toContain("    at ");
  expect(code).toBe(1);
});

test("migrate does not need APP_SECRET", async () => {
  const { code, out } = await start("migrate", { DATABASE_URL: testDb.url, APP_SECRET: "" }).ended;
  expect([code, out]).toEqual([0, "The database is up to date.\n"]);
});

test.each(["web", "worker"])(
  "%s starts while the database is unavailable, and ends when it refuses the secret",
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
    const run = start(role, { DATABASE_URL: url.href, APP_SECRET: INVALID });
    let output = "";
    run.child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    await vi.waitUntil(() => output.includes("retrying every second"), { timeout: 40_000 });
    await listen(free);
    const { code, err } = await run.ended;
    server.close();
    expect(err).toContain("APP_SECRET is not the secret of this installation");
    expect(code).toBe(1);
  },
);

test.each(ROLES)("%s refuses a PostgreSQL that is older than 15", async (role) => {
  // Makes the server report an older version: a function of this name takes precedence over PostgreSQL's own.
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
    "The database server is PostgreSQL 13, but Stablegate needs PostgreSQL 15 or newer. Upgrade the server, or set DATABASE_URL to a newer one. Nothing was changed.\n",
  );
  expect(code).toBe(1);
});

/** Returns a stopped server with an empty database; it can be started again on its port. */
async function stoppedServer() {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-boot-"));
  const options = { dataDir: path.join(folder, "postgres"), password: "the password of this test", isPersistent: true };
  const first = await startEmbedded({ ...options, port: 0 });
  await createIfMissing(first, "stablegate");
  const url = first.databaseUrl("stablegate");
  await first.stop();
  return { url, folder, start: () => startEmbedded({ ...options, port: Number(new URL(url).port) }) };
}

const WAITING: Record<string, RegExp> = {
  migrate: /Waiting for the database at 127\.0\.0\.1:\d+ \(connect ECONNREFUSED/,
  web: /the database is unavailable; retrying every second/,
  worker: /the database is unavailable; retrying every second/,
};
const PATIENCE = { timeout: 90_000, interval: 100 };

test.each([
  ["migrate", "web", "worker"],
  ["web", "worker", "migrate"],
  ["worker", "migrate", "web"],
])(
  "started before their database, in the order %s, %s, %s, all wait for it and then work",
  { timeout: 240_000 },
  async (...order) => {
    const server = await stoppedServer();
    const runs = new Map<string, ReturnType<typeof start>>();
    for (const role of order) {
      const run = start(role, { DATABASE_URL: server.url, DATABASE_OWNER_URL: "", IDLE_READING: "always" });
      runs.set(role, run);
      await vi.waitUntil(() => WAITING[role]?.test(run.output()), PATIENCE);
    }
    const output = (role: string) => runs.get(role)?.output() ?? "";
    const origin = /listening at (http:\S+?)[;,\s]/.exec(output("web"))?.[1];
    const ready = async () => (await fetch(`${origin}/api/health/ready`)).status;
    expect(await ready()).toBe(503);
    expect((await fetch(`${origin}/api/health/live`)).status).toBe(200);
    const database = await server.start();
    try {
      expect((await runs.get("migrate")?.ended)?.code).toBe(0);
      expect(output("migrate")).toMatch(/responded after \d+ s\.\n.*up to date/s);
      await vi.waitUntil(async () => (await ready()) === 200, PATIENCE);
      await vi.waitUntil(() => output("web").includes("set-up code"), PATIENCE);
      await vi.waitUntil(() => output("worker").includes("this worker scans the network"), PATIENCE);
      for (const role of ["web", "worker"]) {
        await vi.waitUntil(() => output(role).includes("the database is available and matches this process"), PATIENCE);
        expect(runs.get(role)?.child.exitCode).toBeNull();
      }
    } finally {
      for (const { child } of runs.values()) child.kill("SIGKILL");
      await database.stop();
      await rm(server.folder, { recursive: true });
    }
  },
);

test.each([
  [
    "the password",
    { password: "wrong" },
    /password authentication failed for user .*user or the password in DATABASE_URL/,
  ],
  [
    "the name of the database",
    { pathname: "/absent" },
    /database "absent" does not exist.*Create the database, or correct/,
  ],
])("every program ends at once with a message when %s is wrong", async (_, invalid, message) => {
  const url = Object.assign(new URL(testDb.url), invalid);
  for (const role of ROLES) {
    const { code, err } = await start(role, { DATABASE_URL: url.href, DATABASE_OWNER_URL: "" }).ended;
    expect(err, role).toMatch(message);
    expect(err).not.toContain("    at ");
    expect(code).toBe(1);
  }
});

test("migrate gives up on a server whose name is not known when its time is over", async () => {
  const url = "postgres://u:secret@database.invalid:5432/x";
  const settings = { DATABASE_URL: url, DATABASE_OWNER_URL: "", DATABASE_WAIT_SECONDS: "2" };
  const { code, out, err } = await start("migrate", settings).ended;
  expect(out).toMatch(
    /^Waiting for the database at database\.invalid:5432 \(getaddrinfo \w+ database\.invalid\); 0 s of at most 2 s/,
  );
  expect(err).toMatch(
    /did not respond within 2 s \(getaddrinfo.*Check that PostgreSQL is running there and that DATABASE_URL is correct/,
  );
  expect(out + err).not.toContain("secret");
  expect(code).toBe(1);
});
