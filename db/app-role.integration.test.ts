import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type AppRole, newAppRole } from "@/db/app-role";
import { openDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { dropMonths, makeMonths } from "@/db/queries/orders/retention";
import { countIntoTotals } from "@/db/queries/orders/totals";
import { hourlyTotals } from "@/db/schema";
import { withCredentials } from "@/lib/domain/database-url";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";

const testDb = useTestDb();
const now = new Date("2026-03-01T10:00:00Z");
const suffix = randomBytes(4).toString("hex");
/** The roles and databases that these tests created. */
const made: { databases: string[]; roles: string[] } = { databases: [], roles: [] };
const server = () => postgres(inject("testServerUrl"), { max: 1, onnotice: () => {} });

async function onServer<T>(run: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = server();
  return run(sql).finally(() => sql.end());
}

async function as<T>(url: string, run: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  return run(sql).finally(() => sql.end());
}

/** Creates a database that is owned by a separate role, which is not a superuser. Returns the owner's URL. */
async function databaseOfOwner(rights = ""): Promise<string> {
  const name = `roles_${randomBytes(4).toString("hex")}`;
  await onServer(async (sql) => {
    await sql.unsafe(`create role ${name} login password 'owner' ${rights}`);
    await sql.unsafe(`create database ${name} owner ${name}`);
  });
  made.databases.push(name);
  made.roles.push(name);
  const url = new URL(inject("testServerUrl"));
  url.pathname = `/${name}`;
  return withCredentials(url.href, { user: name, password: "owner" });
}

function newRole(): AppRole {
  const role = { user: `app_${suffix}_${made.roles.length}`, password: "it's a pass/word: 100%" };
  made.roles.push(role.user);
  return role;
}

let later: string;
beforeAll(async () => {
  later = await mkdtemp(path.join(tmpdir(), "stablegate roles-"));
});
afterAll(async () => {
  await rm(later, { recursive: true, force: true });
  await onServer(async (sql) => {
    for (const name of made.databases) await sql`drop database if exists ${sql(name)} with (force)`;
    for (const name of made.roles.toReversed()) await sql`drop role if exists ${sql(name)}`;
  });
});

test("web and worker run as a role that is neither superuser nor owner", async () => {
  const [role] = await testDb.pool
    .sql`select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as may,
    exists (select from pg_class where relowner = r.oid) as owns from pg_roles r where rolname = current_user`;
  expect(role).toEqual({ may: false, owns: false });
});

test.each([
  "create table more (n int)",
  "create temporary table more (n int)",
  "create schema more",
  "create function more() returns int language sql as 'select 1'",
  "create role more",
  "create extension pg_trgm",
  "drop table orders",
  "drop function create_orders",
  "alter table orders add column more text",
  "alter table orders disable trigger all",
  "create index more on orders (id)",
  "create trigger more before insert on orders for each row execute function suppress_redundant_updates_trigger()",
  "alter role current_user superuser",
  "alter system set log_statement = 'all'",
  "set role stablegate",
  "select * from pg_authid",
  "select pg_read_file('PG_VERSION')",
  "copy orders to program 'cat'",
  "copy orders to '/tmp/orders'",
  "select lo_import('/etc/passwd')",
  "insert into schema_migrations (made_ms, hash) values (1, '')",
  "delete from schema_migrations",
])("web and worker cannot: %s", async (statement) => {
  await expect(testDb.pool.sql.unsafe(statement)).rejects.toThrow(/permission denied|must be owner|must have|denied/);
});

test("months are made and dropped for the role that may create no tables, and nothing but months of two tables", async () => {
  const { db } = testDb.pool;
  const made = await makeMonths(db, new Date("2031-05-05T00:00:00Z"));
  expect(made).toEqual([
    "audit_events_2031_06",
    "audit_events_2031_07",
    "callback_attempts_2031_06",
    "callback_attempts_2031_07",
  ]);
  expect(await makeMonths(db, new Date("2031-05-05T00:00:00Z"))).toEqual([]);
  const old = await makeMonths(db, new Date("2019-05-05T00:00:00Z"));
  expect(await dropMonths(db, new Date("2020-01-01T00:00:00Z"))).toEqual(old.toSorted());
  for (const call of [
    "make_month('orders', '2031-05-01')",
    "make_month('audit_events; drop table orders', '2031-05-01')",
    "make_month('audit_events', '2031-05-02')",
    "drop_month('orders', '2031-05-01')",
  ])
    await expect(testDb.pool.sql.unsafe(`select ${call}`), call).rejects.toThrow(/month/);
  expect(await db.execute("select count(*)::int as n from orders")).toEqual([{ n: 0 }]);
});

test("totals wait for an order that a process of an earlier version, which signs in as the owner, has not committed", async () => {
  const ownerUrl = await databaseOfOwner("createrole");
  const role = newRole();
  await migrate(ownerUrl, undefined, role);
  const app = openDb(withCredentials(ownerUrl, role), { work: "none", max: 2 });
  const owner = openDb(ownerUrl, { work: "none", max: 1 });
  const merchant = await seedMerchant(app.db, now);
  const address = await seedAddress(app.db, { merchantId: merchant.id }, now);
  let commit = () => {};
  let isOpen = () => {};
  const opened = new Promise<void>((resolve) => {
    isOpen = resolve;
  });
  const began = new Date();
  const writing = owner.db.transaction(async (tx) => {
    await seedOrder(tx, { address, baseUnits: 5n }, began);
    isOpen();
    await new Promise<void>((resolve) => {
      commit = resolve;
    });
  });
  await opened;
  await seedOrder(app.db, { address, baseUnits: 6n }, new Date(began.getTime() + 1));
  const muchLater = new Date(Date.now() + 3_600_000);
  await countIntoTotals(app.db, "orders", muchLater);
  commit();
  await writing;
  await countIntoTotals(app.db, "orders", muchLater);
  const totals = await app.db.select().from(hourlyTotals);
  expect(totals.reduce((sum, { created }) => sum + created, 0)).toBe(2);
  await Promise.all([app.close(), owner.close()]);
});

test("an installation with one role gets a second one, which later migrations' tables are granted to", async () => {
  const ownerUrl = await databaseOfOwner("createrole");
  await migrate(ownerUrl);
  const role = newRole();
  const appUrl = withCredentials(ownerUrl, role);
  await expect(as(appUrl, (sql) => sql`select 1`)).rejects.toThrow(/authentication failed/);
  expect(await migrate(ownerUrl, undefined, role)).toBe(true);
  expect(await migrate(ownerUrl, undefined, role)).toBe(true);
  await as(appUrl, async (sql) => {
    await sql`insert into merchants (id, name, created_at) values ('m', 'Shop', now())`;
    expect(await sql`select is_live(null, now()) as is_live`).toEqual([{ is_live: true }]);
    expect(await sql`select count(*)::int > 0 as is_there from schema_migrations`).toEqual([{ is_there: true }]);
  });
  for (const part of ["migrations", "functions"]) await cp(`db/${part}`, path.join(later, part), { recursive: true });
  const journal = path.join(later, "migrations", "meta", "_journal.json");
  const { entries, ...rest } = JSON.parse(await readFile(journal, "utf8"));
  const last = entries.at(-1);
  const next = { ...last, idx: last.idx + 1, when: last.when + 1, tag: "9999_later" };
  await writeFile(journal, JSON.stringify({ ...rest, entries: [...entries, next] }));
  await writeFile(
    path.join(later, "migrations", "9999_later.sql"),
    "create table later (id bigint generated always as identity, name text)",
  );
  // Runs migrate with only one URL: default privileges grant access to the tables that it creates.
  await migrate(ownerUrl, later);
  await as(appUrl, async (sql) => {
    await sql`insert into later (name) values ('x')`;
    expect(await sql`select name from later`).toEqual([{ name: "x" }]);
    await expect(sql`truncate later`).rejects.toThrow("permission denied");
  });
});

test("an owner who may not create roles is given the statement for an administrator, and grants once the role is there", async () => {
  const ownerUrl = await databaseOfOwner();
  const role = newRole();
  await expect(migrate(ownerUrl, undefined, role)).rejects.toThrow(
    new RegExp(`^The role ${role.user} of DATABASE_URL does not exist.*create role "${role.user}" login password`),
  );
  await as(ownerUrl, async (sql) =>
    expect(await sql`select to_regclass('merchants') as name`).toEqual([{ name: null }]),
  );
  await onServer((sql) => sql.unsafe(`create role ${role.user} login password 'of the administrator'`));
  await migrate(ownerUrl, undefined, role);
  const appUrl = withCredentials(ownerUrl, { ...role, password: "of the administrator" });
  expect(await as(appUrl, (sql) => sql`select count(*)::int as n from orders`)).toEqual([{ n: 0 }]);
  await expect(migrate(appUrl)).rejects.toThrow(
    new RegExp(`role ${role.user} may not create or change tables. Set DATABASE_OWNER_URL`),
  );
});

test("a server of our own gives the role a new password at every start", async () => {
  const ownerUrl = await databaseOfOwner("createrole");
  const first = { ...newAppRole(), user: newRole().user };
  const second = { ...newAppRole(), user: first.user };
  await migrate(ownerUrl, undefined, first);
  const signIn = (role: AppRole) => as(withCredentials(ownerUrl, role), (sql) => sql`select 1 as one`);
  expect(await signIn(first)).toEqual([{ one: 1 }]);
  await migrate(ownerUrl, undefined, second);
  expect(await signIn(second)).toEqual([{ one: 1 }]);
  await expect(signIn(first)).rejects.toThrow(/authentication failed/);
});
