import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build as bundle } from "esbuild";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { useTestDb } from "@/testing/database/clone";
import { TEST_APP_SECRET } from "@/testing/database/seed";

const PATIENCE = { timeout: 120_000, interval: 50 };
const SOURCES = {
  web: "testing/web-program.ts",
  worker: "scripts/roles/worker.ts",
  migrate: "scripts/roles/migrate.ts",
};
type Role = keyof typeof SOURCES;
const fileOf = (role: Role) => path.resolve(".build", `${role}-log-format-${process.pid}.js`);
const testDb = useTestDb();
const running = new Set<ChildProcess>();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate-log-"));
  const options = { bundle: true, packages: "external", platform: "node", format: "esm", target: "node24" } as const;
  const roles = Object.keys(SOURCES) as Role[];
  await Promise.all(
    roles.map((role) =>
      bundle({ entryPoints: [path.resolve(SOURCES[role])], outfile: fileOf(role), jsx: "automatic", ...options }),
    ),
  );
});
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
});
afterAll(async () => {
  await Promise.all((Object.keys(SOURCES) as Role[]).map((role) => rm(fileOf(role), { force: true })));
  await rm(folder, { recursive: true, force: true });
});

const settings = () => ({
  DATABASE_URL: testDb.url,
  APP_SECRET: TEST_APP_SECRET,
  PUBLIC_URL: "http://localhost:3000",
  PORT: "0",
  HOST: "127.0.0.1",
  ETHEREUM_RPC_URLS: "http://127.0.0.1:9",
  NODE_ENV: "production" as const,
});

/** Starts a program with its output in pipes. */
function start(args: readonly string[], env: Record<string, string | undefined>) {
  const all = { PATH: process.env["PATH"], NODE_ENV: "production" as const, ...env };
  const child = spawn(process.execPath, args, { env: all, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve)).finally(() =>
    running.delete(child),
  );
  const writes = (pattern: RegExp) => vi.waitUntil(() => pattern.test(output) || child.exitCode !== null, PATIENCE);
  return { child, ended, writes, output: () => output };
}

/** Returns every line of the output, parsed. @throws SyntaxError with the first line that is not JSON */
function parseAll(output: string): Record<string, unknown>[] {
  expect(output).toMatch(/\n$/);
  return output
    .trimEnd()
    .split("\n")
    .map((line) => {
      try {
        return JSON.parse(line);
      } catch {
        throw new SyntaxError(`not JSON: ${line}`);
      }
    });
}

const isLogLine = (line: Record<string, unknown>) =>
  typeof line["level"] === "number" &&
  typeof line["time"] === "number" &&
  typeof line["msg"] === "string" &&
  !!line["role"];

/** A module that prints lines as packages and Node itself may do at any time. It prints them when it receives a signal. */
const NOISE = `data:text/javascript,process.once("SIGUSR2", () => {
  console.log("a line of a package"); console.warn("a %s of a package", "warning"); console.error("an error\\n    at a package");
  process.stdout.write("in "); process.stdout.write("parts"); process.stdout.write("\\n");
  process.emitWarning("of Node"); setImmediate(() => Promise.reject(new Error("unhandled")));
})`;

test.each(["web", "worker"] as const)(
  "%s writes only JSON into a pipe, whatever writes, and ends with a JSON line",
  async (role) => {
    const program = start(["--import", NOISE, fileOf(role)], settings());
    await program.writes(role === "web" ? /No user is registered yet/ : /"role":"worker"/);
    program.child.kill("SIGUSR2");
    expect(await program.ended).toBe(1);
    const lines = parseAll(program.output());
    expect(lines.filter((line) => !isLogLine(line))).toEqual([]);
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ level: 30, role, msg: "a line of a package" }),
        expect.objectContaining({ level: 40, role, msg: "a warning of a package" }),
        expect.objectContaining({ level: 50, role, msg: "an error\n    at a package" }),
        expect.objectContaining({ level: 30, role, msg: "in parts" }),
        expect.objectContaining({ level: 40, role, msg: "Warning: of Node" }),
        expect.objectContaining({ level: 60, role, err: expect.objectContaining({ message: "unhandled" }) }),
      ]),
    );
    if (role === "web")
      expect(program.output()).toMatch(/"msg":"Stablegate is listening at http.*\n.*"msg":"No user is registered yet/);
  },
);

test("migrate, several web processes and wrong settings write only JSON into a pipe", async () => {
  const migrate = start([fileOf("migrate")], { ...settings(), DATABASE_OWNER_URL: testDb.ownerUrl });
  expect(await migrate.ended).toBe(0);
  expect(parseAll(migrate.output())).toMatchObject([{ role: "migrate", msg: "The database is up to date." }]);
  const invalid = start([fileOf("worker")], { ...settings(), PUBLIC_URL: "nowhere", APP_SECRET: "short" });
  expect(await invalid.ended).toBe(1);
  const [line, ...more] = parseAll(invalid.output());
  expect(line).toMatchObject({ level: 50, role: "worker", msg: expect.stringMatching(/2 problems:\n {2}- /) });
  expect(more).toEqual([]);
  const webs = start([fileOf("web")], { ...settings(), WEB_CONCURRENCY: "2" });
  await webs.writes(/one of 2[\s\S]*one of 2/);
  webs.child.kill("SIGTERM");
  expect(await webs.ended).toBe(0);
  expect(parseAll(webs.output()).filter((one) => !isLogLine(one))).toEqual([]);
});

test("LOG_FORMAT=pretty writes text", async () => {
  const worker = start([fileOf("worker")], { ...settings(), LOG_FORMAT: "pretty" });
  await worker.writes(/ INFO {2}worker /);
  worker.child.kill("SIGTERM");
  expect(await worker.ended).toBe(0);
  expect(worker.output()).toMatch(/^\d{4}-\d\d-\d\d [\d:.]+ INFO {2}worker /m);
  expect(worker.output()).not.toMatch(/^\{/m);
});

test("npm start in live mode writes only JSON into a pipe, from its first line to its last", async () => {
  const env = {
    HOME: process.env["HOME"],
    PUBLIC_URL: "http://localhost:3000",
    ETHEREUM_RPC_URLS: "http://127.0.0.1:9",
  };
  const live = start(["scripts/start.mjs"], { ...env, PORT: "0", STABLEGATE_DATA_DIR: folder });
  await live.writes(/No user is registered yet/);
  await live.writes(/"role":"worker"/);
  live.child.kill("SIGTERM");
  expect(await live.ended, live.output()).toBe(0);
  const lines = parseAll(live.output());
  expect(lines.filter((line) => !isLogLine(line))).toEqual([]);
  expect(new Set(lines.map(({ role }) => role))).toEqual(expect.objectContaining(new Set(["live", "web", "worker"])));
}, 300_000);
