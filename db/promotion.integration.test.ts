import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDb } from "@/db/client";
import { type EmbeddedServer, startEmbedded } from "@/db/embedded";
import { isDatabaseAway } from "@/db/unavailable";
import { startStandby } from "@/testing/database/standby";

const settings = { fsync: "off", full_page_writes: "off" };
let folder: string;
let old: EmbeddedServer;
let promoted: EmbeddedServer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate promotion-"));
  const dataDir = path.join(folder, "old");
  old = await startEmbedded({ dataDir, port: 0, password: "test", isPersistent: false, settings });
  promoted = await startStandby({ server: old, dataDir, password: "test" }, path.join(folder, "new"), settings);
});
afterAll(async () => {
  await promoted?.stop();
  await old?.stop();
  await rm(folder, { recursive: true, force: true });
});

const urlOf = (server: EmbeddedServer) => server.databaseUrl("postgres");
const hostOf = (server: EmbeddedServer) => new URL(urlOf(server)).host;
const portOf = (server: EmbeddedServer) => Number(new URL(urlOf(server)).port);

test("of two servers that both take writes the promoted one counts, and the one that it left behind does not, not even alone", async () => {
  const pool = openDb(urlOf(old).replace(`@${hostOf(old)}/`, `@${hostOf(old)},${hostOf(promoted)}/`), {
    work: "none",
    max: 1,
  });
  const port = async () => {
    const [row] = await pool.sql<{ port: string }[]>`select current_setting('port') as port`;
    return Number(row?.port);
  };
  const cut = () => pool.sql`select pg_terminate_backend(pg_backend_pid())`.catch(() => {});
  expect(await port()).toBe(portOf(old));

  const control = postgres(urlOf(promoted), { max: 1, onnotice: () => {} });
  await control`select pg_promote()`;
  await control.end();
  for (let round = 0; round < 3; round++) {
    await cut();
    expect(await port()).toBe(portOf(promoted));
  }

  await promoted.stop();
  const error = await pool.sql`select 1`.catch((thrown: unknown) => thrown);
  const again = isLost(error) ? await pool.sql`select 1`.catch((thrown: unknown) => thrown) : error;
  expect(again).toMatchObject({
    code: "NO_PRIMARY",
    message: `None of the database servers accepts writes: ${hostOf(old)} (still on timeline 1 after another server was promoted), ${hostOf(promoted)} (ECONNREFUSED)`,
  });
  expect(isDatabaseAway(again)).toBe(true);
  await pool.close();
});

/** Returns true if an error means that the statement's connection was lost. */
function isLost(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code !== "NO_PRIMARY";
}
