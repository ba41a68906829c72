import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { restoreDump } from "@/db/dump/restore-dump";
import { listTables } from "@/db/dump/table-copy";
import { writeDump } from "@/db/dump/write-dump";
import { migrate } from "@/db/migrate";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant } from "@/testing/database/seed";

const source = useTestDb();
const now = new Date("2026-03-01T02:00:00Z");
const made: string[] = [];
let folder: string;
/**
 * The path of a copy of db/ with one more migration, as in a later version. That migration drops the constraints, so that rows need not be
 * consistent.
 */
let later: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate dump-"));
  later = path.join(folder, "db");
  for (const part of ["migrations", "functions"]) await cp(`db/${part}`, path.join(later, part), { recursive: true });
  const journalFile = path.join(later, "migrations", "meta", "_journal.json");
  const journal = JSON.parse(await readFile(journalFile, "utf8"));
  const last = journal.entries.at(-1);
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: "9999_later" });
  await writeFile(journalFile, JSON.stringify(journal));
  await writeFile(path.join(later, "migrations", "9999_later.sql"), WITHOUT_CHECKS);
});
afterAll(async () => {
  const server = postgres(inject("testServerUrl"), { max: 1, onnotice: () => {} });
  for (const name of made) await server`drop database ${server(name)} with (force)`;
  await server.end();
  await rm(folder, { recursive: true, force: true });
});

const WITHOUT_CHECKS = `do $$
declare
  one record;
begin
  for one in select conrelid::regclass as on, conname from pg_constraint
    where contype in ('c', 'f') and coninhcount = 0 and conparentid = 0 and connamespace = current_schema()::regnamespace
  loop
    execute format('alter table %s drop constraint %I', one.on, one.conname);
  end loop;
end $$`;

async function emptyDatabase(): Promise<string> {
  const name = `dump_${randomBytes(6).toString("hex")}`;
  const server = postgres(inject("testServerUrl"), { max: 1 });
  await server`create database ${server(name)}`;
  await server.end();
  made.push(name);
  const url = new URL(inject("testServerUrl"));
  url.pathname = `/${name}`;
  return url.href;
}

async function query<T>(url: string, run: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  return run(sql).finally(() => sql.end());
}

/** A value for each type, including edge cases: characters that COPY must escape, more digits than a float has. */
const VALUES: readonly [RegExp, string][] = [
  [/^bit/, "b'01'::bit(10000)"],
  [/^(text|character varying)\[\]/, `array['a"b', E'c\\\\d']`],
  [/\[\]$/, `'{}'`],
  [/^(text|character)/, `E'\\\\. tab\\t line\\n \\\\N \\u20ac ' || gen_random_uuid()`],
  [/^numeric/, "123456789012345678901234567890"],
  [/^(bigint|integer|smallint)/, "7"],
  [/^bool/, "true"],
  [/^timestamp/, `'2026-01-01 12:00:00.123+00'`],
  [/^date/, `'2026-01-01'`],
  [/^jsonb?/, `'{"a": "\\\\n"}'`],
];

/** Inserts one row into each table, with or without references: the test covers dump and restore, not how rows are created. */
async function fillEveryTable(sql: postgres.Sql): Promise<void> {
  const columns = await sql<{ table: string; name: string; type: string }[]>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;
  for (const [table, of] of Map.groupBy(columns, (column) => column.table)) {
    if (table === "schema_migrations") continue;
    const names = of.map(({ name }) => `"${name}"`).join(", ");
    const values = of.map(({ type }) => VALUES.find(([kind]) => kind.test(type))?.[1] ?? "null").join(", ");
    await sql.unsafe(`insert into "${table}" (${names}) values (${values})`);
  }
}

test("every table is restored byte for byte, from a file with checked parts", async () => {
  const from = await emptyDatabase();
  const to = await emptyDatabase();
  await migrate(from, later);
  await query(from, fillEveryTable);
  const file = path.join(folder, "all.dump.gz");
  const again = path.join(folder, "again.dump.gz");
  const manifest = await writeDump(from, file, now);
  expect(manifest.tables.filter(({ rows }) => rows === 0)).toEqual([]);
  expect(manifest.tables.length).toBeGreaterThan(40);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await restoreDump(to, file, later, { isCopy: true });
  await writeDump(to, again, now);
  expect(gunzipSync(await readFile(again)).equals(gunzipSync(await readFile(file)))).toBe(true);

  const older = restoreDump(await emptyDatabase(), file, "db");
  await expect(older).rejects.toThrow(/was made by a newer or unreleased version of Stablegate/);
});

test("a dump of an earlier schema is migrated, and links and sequences continue", async () => {
  const { db } = source.pool;
  const merchant = await seedMerchant(db, now);
  await seedAddress(db, { merchantId: merchant.id }, now);
  await source.owner.sql`select setval(name::regclass, 41) from
    (select sequencename as name from pg_sequences where schemaname = 'public') as all_of_them`;
  const file = path.join(folder, "shop.dump.gz");
  const manifest = await writeDump(source.url, file, now);

  const same = await emptyDatabase();
  await restoreDump(same, file, "db");
  await query(same, async (sql) => {
    expect(await sql`select count(*)::int as links from pg_constraint where contype = 'f'`).toEqual(
      await source.pool.sql`select count(*)::int as links from pg_constraint where contype = 'f'`,
    );
    for (const { name } of manifest.sequences)
      expect(await sql`select nextval(${name}::regclass)::int as next`).toEqual([{ next: 42 }]);
    await expect(sql`delete from merchants`).rejects.toThrow(/foreign key|still referenced/);
  });
  await expect(restoreDump(same, file, "db")).rejects.toThrow(/The database is not empty: it holds \d+ tables/);

  const newer = await emptyDatabase();
  await restoreDump(newer, file, later);
  expect(await query(newer, (sql) => sql`select id from merchants`)).toEqual([{ id: merchant.id }]);
  expect(await query(newer, (sql) => sql`select from schema_migrations`)).toHaveLength(
    1 + (await source.pool.sql`select from schema_migrations`).length,
  );
});

test("a file that is cut off, changed or something else is refused before anything is written", async () => {
  const file = path.join(folder, "whole.dump.gz");
  await writeDump(source.url, file, now);
  const whole = await readFile(file);
  const plain = gunzipSync(whole);
  const url = await emptyDatabase();
  const broken = path.join(folder, "broken.dump.gz");
  const manifestAt = plain.lastIndexOf("\n", plain.length - 2) + 1;
  const changed = Buffer.from(plain.toString().replace("Test shop", "Best shop"));
  for (const bytes of [
    whole.subarray(0, whole.length >> 1),
    whole.subarray(0, -1),
    gzipSync(plain.subarray(0, manifestAt)),
    gzipSync(plain.subarray(0, -20)),
    gzipSync(changed),
    Buffer.from("not a dump"),
  ]) {
    await writeFile(broken, bytes);
    await expect(restoreDump(url, broken, "db")).rejects.toThrow(/is not a complete dump .*Nothing was changed/);
  }
  expect(changed.equals(plain)).toBe(false);
  await expect(restoreDump(url, path.join(folder, "none"), "db")).rejects.toThrow("There is no file");
  expect(await query(url, listTables)).toEqual([]);
});

test("a failed dump leaves no partial file", async () => {
  const file = path.join(folder, "nothing", "x.dump.gz");
  await expect(writeDump(await emptyDatabase(), file, now)).rejects.toThrow(/has no tables of Stablegate yet/);
  expect(await readdir(path.dirname(file))).toEqual([]);
  await expect(writeDump(source.url, "/dev/full/x", now)).rejects.toThrow();
});
