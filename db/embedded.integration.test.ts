import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type EmbeddedServer, startEmbedded } from "@/db/embedded";

let folder: string;
let servers: EmbeddedServer[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate embedded-"));
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  servers = [];
  await rm(folder, { recursive: true, force: true });
});

async function start(change: Partial<Parameters<typeof startEmbedded>[0]> = {}): Promise<EmbeddedServer> {
  const options = { dataDir: path.join(folder, "data"), port: 0, password: "p w/@:", isPersistent: true, ...change };
  const server = await startEmbedded({ ...options, settings: { fsync: "off" } });
  servers.push(server);
  return server;
}

async function query(server: EmbeddedServer, text: string): Promise<postgres.RowList<postgres.Row[]>> {
  const sql = postgres(server.databaseUrl("postgres"), { max: 1 });
  try {
    return await sql.unsafe(text);
  } finally {
    await sql.end();
  }
}

test("written data exists after a stop and a restart on another port", async () => {
  const first = await start();
  await query(first, "create table kept (n int); insert into kept values (7)");
  await first.stop();
  const second = await start();
  expect(await query(second, "select n from kept")).toEqual([{ n: 7 }]);
});

test("a server that need not keep its data leaves none", async () => {
  const server = await start({ isPersistent: false });
  await server.stop();
  await expect(readFile(path.join(folder, "data", "PG_VERSION"))).rejects.toThrow("ENOENT");
});

test("a wrong password does not get in, not even on this machine", async () => {
  const server = await start();
  const url = new URL(server.databaseUrl("postgres"));
  url.password = "wrong";
  const sql = postgres(url.href, { max: 1 });
  await expect(sql`select 1`).rejects.toThrow("password authentication failed");
  await sql.end();
});

test("a used port is reported with the server's message", async () => {
  const other = createServer();
  await once(other.listen(0, "127.0.0.1"), "listening");
  const address = other.address();
  const port = typeof address === "object" && address ? address.port : 0;
  await expect(start({ port })).rejects.toThrow("Address already in use");
  other.close();
});

test("a file of a server that is gone, its number now another program's, does not keep a new one from starting", async () => {
  await (await start()).stop();
  await writeFile(path.join(folder, "data", "postmaster.pid"), `${process.pid}\n${folder}/data\n1\n1\n\n\n\nready\n`);
  expect(await query(await start(), "select 1 as one")).toEqual([{ one: 1 }]);
});

test("when the program that started it is killed, the server stops, and the next start waits for that", async () => {
  const program = path.join(folder, "program.mts");
  const module = JSON.stringify(path.resolve("db/embedded.ts"));
  const options = JSON.stringify({
    dataDir: path.join(folder, "data"),
    port: 0,
    password: "p w/@:",
    isPersistent: true,
  });
  await writeFile(
    program,
    `import { startEmbedded } from ${module};\nawait startEmbedded(${options});\nconsole.log("up");`,
  );
  const tsx = path.resolve("node_modules/tsx/dist/cli.mjs");
  const child = spawn(process.execPath, [tsx, "--tsconfig", path.resolve("tsconfig.json"), program], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  await once(child.stdout, "data");
  process.kill(-(child.pid ?? 0), "SIGKILL");
  expect(await query(await start(), "select 1 as one")).toEqual([{ one: 1 }]);
});
