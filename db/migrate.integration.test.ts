import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { ForeignSchema, migrate } from "@/db/migrate";

const name = `migrate_${randomBytes(6).toString("hex")}`;
let folder: string;
let url: string;
let sql: postgres.Sql;

beforeEach(async () => {
  const server = postgres(inject("testServerUrl"), { max: 1, onnotice: () => {} });
  await server`drop database if exists ${server(name)} with (force)`;
  await server`create database ${server(name)}`;
  await server.end();
  const there = new URL(inject("testServerUrl"));
  there.pathname = `/${name}`;
  url = there.href;
  sql = postgres(url, { max: 1, onnotice: () => {} });
  folder = await mkdtemp(path.join(tmpdir(), "stablegate migrate-"));
  await cp("db/migrations", path.join(folder, "migrations"), { recursive: true });
  await cp("db/functions", path.join(folder, "functions"), { recursive: true });
});
afterEach(async () => {
  await sql.end();
  await rm(folder, { recursive: true, force: true });
});

test("many processes can migrate concurrently and repeatedly", async () => {
  await Promise.all(Array.from({ length: 5 }, () => migrate(url, folder)));
  await migrate(url, folder);
  expect(await sql`select from merchants`).toHaveLength(0);
});

test("a function that was edited is there in its new form after the next run", async () => {
  await migrate(url, folder);
  const file = path.join(folder, "functions", "amount-rank.sql");
  await writeFile(file, (await readFile(file, "utf8")).replace(/\$\$[\s\S]*\$\$/, "$$$$ select 41 + p_offset $$$$"));
  await migrate(url, folder);
  const [row] = await sql`select amount_rank(1) as rank`;
  expect(row?.["rank"]).toBe(42);
});

test("an older version that is started beside a newer one takes nothing back", async () => {
  const newer = path.join(folder, "newer");
  await cp("db/migrations", path.join(newer, "migrations"), { recursive: true });
  await cp("db/functions", path.join(newer, "functions"), { recursive: true });
  const journal = path.join(newer, "migrations", "meta", "_journal.json");
  const { entries, ...rest } = JSON.parse(await readFile(journal, "utf8"));
  const last = entries.at(-1);
  entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: "9999_newer" });
  await writeFile(journal, JSON.stringify({ ...rest, entries }));
  await writeFile(path.join(newer, "migrations", "9999_newer.sql"), "alter table merchants add column newer text");
  const file = path.join(newer, "functions", "amount-rank.sql");
  await writeFile(file, (await readFile(file, "utf8")).replace(/\$\$[\s\S]*\$\$/, "$$$$ select 43 + p_offset $$$$"));
  expect(await migrate(url, folder)).toBe(true);
  expect(await migrate(url, newer)).toBe(true);
  expect(await migrate(url, folder)).toBe(false);
  expect((await sql`select amount_rank(1) as rank`)[0]?.["rank"]).toBe(44);
  await writeFile(path.join(newer, "migrations", "9999_newer.sql"), "alter table merchants add column other text");
  await expect(migrate(url, newer)).rejects.toThrow(ForeignSchema);
});

test("a statement of a running process that reads the same tables in another order never ends in a deadlock", async () => {
  await migrate(url, folder);
  const journal = path.join(folder, "migrations", "meta", "_journal.json");
  const { entries, ...rest } = JSON.parse(await readFile(journal, "utf8"));
  const last = entries.at(-1);
  entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: "9999_newer" });
  await writeFile(journal, JSON.stringify({ ...rest, entries }));
  await writeFile(
    path.join(folder, "migrations", "9999_newer.sql"),
    'alter table "cursors" add column newer text;--> statement-breakpoint\nalter table "quotes" add column newer text;',
  );
  const reader = postgres(url, { max: 1, connection: { deadlock_timeout: 100 } });
  const reading = reader.begin(async (tx) => {
    await tx`select from quotes`;
    const migrating = migrate(url, folder);
    await vi.waitUntil(
      async () => (await sql`select from pg_locks where not granted and relation = 'quotes'::regclass`).length > 0,
      {
        timeout: 30_000,
        interval: 5,
      },
    );
    await tx`select from cursors`;
    return { migrating };
  });
  try {
    const { migrating } = await reading;
    expect(await migrating).toBe(true);
  } finally {
    await reader.end();
  }
});

test("nothing changes where a part of it fails", async () => {
  await writeFile(path.join(folder, "functions", "zz-broken.sql"), "create function broken() returns int language sql");
  await expect(migrate(url, folder)).rejects.toThrow();
  expect((await sql`select to_regclass('merchants') as found`)[0]?.["found"]).toBeNull();
});

test("a database with another history stays unchanged, and the message says why", async () => {
  await sql`create table merchants (id text primary key)`;
  await expect(migrate(url, folder)).rejects.toThrow(ForeignSchema);
  await sql`drop table merchants`;
  await migrate(url, folder);
  await sql`update schema_migrations set hash = 'another'`;
  await expect(migrate(url, folder)).rejects.toThrow(/earlier, unreleased schema/);
});
