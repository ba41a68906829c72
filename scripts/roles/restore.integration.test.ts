import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { writeDump } from "@/db/dump/write-dump";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";

const source = useTestDb();
const program = path.resolve(".build", `restore-under-test-${process.pid}.js`);
const name = `restored_${randomBytes(6).toString("hex")}`;
let folder: string;

const onServer = async (run: (sql: postgres.Sql) => Promise<unknown>) => {
  const sql = postgres(inject("testServerUrl"), { max: 1, onnotice: () => {} });
  await run(sql).finally(() => sql.end());
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate restored-"));
  await onServer((sql) => sql`create database ${sql(name)}`);
  const target = { platform: "node", format: "esm", target: "node24" } as const;
  const entryPoints = [path.resolve("scripts/roles/restore.ts")];
  await build({ entryPoints, outfile: program, bundle: true, packages: "external", ...target });
});
afterAll(async () => {
  await onServer((sql) => sql`drop database ${sql(name)} with (force)`);
  await Promise.all([rm(program, { force: true }), rm(folder, { recursive: true, force: true })]);
});

const urlOf = (database: string) => {
  const url = new URL(inject("testServerUrl"));
  url.pathname = `/${database}`;
  return url.href;
};

/** Runs the program as an operator does, on the restored database. */
async function restore(...args: string[]) {
  return restoreWith({ DATABASE_URL: urlOf(name) }, ...args);
}

async function restoreWith(settings: Record<string, string>, ...args: string[]) {
  const env = { NODE_ENV: "production" as const, ...settings, APP_SECRET: TEST_APP_SECRET };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: out + err };
}

const levels = async () => {
  const found: number[] = [];
  const sql = postgres(urlOf(name), { max: 1 });
  for (const row of await sql`select guard_level from receiving_addresses where kind = 'shared' order by id`)
    found.push(row["guard_level"]);
  await sql.end();
  return found;
};

test("a restore guards lost orders and prints how; --guard-only does it once more without a dump", async () => {
  const { db } = source.pool;
  const merchant = await seedMerchant(db, new Date());
  for (const kind of ["shared", "shared", "dedicated"] as const)
    await seedAddress(db, { merchantId: merchant.id, kind }, new Date());
  const file = path.join(folder, "shop.dump.gz");
  await writeDump(source.url, file, new Date());

  expect(await restore()).toMatchObject({ code: 1, output: expect.stringContaining("--guard-only") });
  const done = await restore(file);
  expect(done).toMatchObject({ code: 0, output: expect.stringContaining("Restored: ") });
  expect(done.output).toMatch(/shared addresses limited to amounts with 9 as the sixth decimal: 2/);
  expect(done.output).toMatch(/dedicated addresses that get no orders .*: 1/);
  expect(await levels()).toEqual([1, 1]);

  const again = await restore("--guard-only");
  expect(again).toMatchObject({ code: 0, output: expect.stringMatching(/Until \d{4}-\d\d-\d\d \d\d:\d\d UTC/) });
  expect(await levels()).toEqual([2, 2]);

  const urlFile = path.join(folder, "database-url");
  await writeFile(urlFile, urlOf(name));
  expect(await restoreWith({ DATABASE_URL_FILE: urlFile }, "--guard-only")).toMatchObject({ code: 0 });
  expect(await levels()).toEqual([3, 3]);
});
