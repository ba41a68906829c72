import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { type Db, executePrepared, openDb, runPrepared } from "@/db/client";
import { allEnded } from "@/db/pipeline";
import { merchants } from "@/db/schema";
import { createDb, createRepeatCounter } from "@/db/session";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();
const createdAt = new Date("2026-01-01T12:00:00Z");

function watch() {
  const open = new Set<string>();
  const ended: string[] = [];
  const db = createDb(testDb.pool.sql, {
    watch: (text) => {
      open.add(text);
      return () => {
        open.delete(text);
        ended.push(text);
      };
    },
  });
  return { db, open, ended };
}

test("every statement is watched once, in transactions inside transactions and prepared ones included", async () => {
  const { db, open, ended } = watch();
  await db.execute(sql`select 1`);
  await db.select({ id: merchants.id }).from(merchants);
  await db.transaction(async (tx) => {
    await tx.execute(sql`select 2`);
    await tx.transaction(async (inner) => {
      await inner.execute(sql`select 3`);
      await runPrepared(inner, "select 4", []);
    });
    await executePrepared(tx, sql`select 5`);
  });
  await expect(db.execute(sql`select 6 / 0`)).rejects.toThrow();
  expect(ended).toEqual([
    "select 1",
    'select "id" from "merchants"',
    "select 2",
    "select 3",
    "select 4",
    "select 5",
    "select 6 / 0",
  ]);
  expect(open.size).toBe(0);
});

test("a pool that another copy of the module opened runs prepared statements, as in the back office's bundle", async () => {
  vi.resetModules();
  const copy = await import("@/db/session");
  const db = copy.createDb(testDb.pool.sql);
  expect(copy.createDb).not.toBe(createDb);
  expect(await runPrepared(db, "select 1 as one", [])).toEqual([{ one: 1 }]);
  expect(await db.transaction((tx) => runPrepared(tx, "select 2 as two", []))).toEqual([{ two: 2 }]);
});

test("a repeated statement is prepared on its third run, with the same results before and after", async () => {
  const db = createDb(testDb.pool.sql, { preparesRepeated: true });
  await db.transaction(async (tx) => {
    for (let run = 1; run <= 4; run++) {
      const rows = await tx.execute(sql`select ${run}::int as run, ${"text"}::text as text, ${null}::text as nothing`);
      expect([...rows]).toEqual([{ run, text: "text", nothing: null }]);
      const counted = await tx.execute<{ count: number }>(sql`
        select count(*)::int as count from pg_prepared_statements where statement like ${"select $1::int as run%"}`);
      expect(counted[0]?.count).toBe(run < 3 ? 0 : 1);
    }
  });
});

test("a prepared statement continues after its table changed; in a transaction, from the next one on", async () => {
  const pool = openDb(testDb.ownerUrl, { work: "none", max: 1, preparesRepeated: true });
  const read = async (db: Db) => [...(await db.execute(sql`select * from changing where id = ${1}::int`))];
  try {
    await pool.sql`create table changing as select 1 as id`;
    for (let run = 1; run <= 4; run++) await read(pool.db);
    await pool.sql`alter table changing add column one text`;
    expect(await read(pool.db)).toEqual([{ id: 1, one: null }]);
    await pool.sql`alter table changing add column two text`;
    await expect(pool.db.transaction(read)).rejects.toMatchObject({ cause: { code: "0A000" } });
    expect(await pool.db.transaction(read)).toEqual([{ id: 1, one: null, two: null }]);
  } finally {
    await pool.close();
  }
});

test("of many different statements, only the first hundred and fifty are prepared", () => {
  const mustPrepare = createRepeatCounter();
  const runs = (text: string) => [mustPrepare(text), mustPrepare(text), mustPrepare(text)];
  const texts = Array.from({ length: 200 }, (_, index) => `select ${index}`);
  expect(texts.filter((text) => runs(text)[2])).toEqual(texts.slice(0, 150));
  expect(runs("select 7")).toEqual([true, true, true]);
});

test("statements that are sent together have all ended when one of them fails, and each is sent once", async () => {
  const { db, ended } = watch();
  const failing = db.transaction((tx) => {
    const send = async (text: string) => void (await tx.execute(sql.raw(text)));
    return allEnded([send("select 1 / 0"), send("select 2"), send("select 3").then(() => send("select 4"))]);
  });
  await expect(failing).rejects.toThrow();
  expect(ended).toEqual(["select 1 / 0", "select 2", "select 3"]);
  const [one, two] = await db.transaction((tx) =>
    allEnded([tx.execute<{ one: number }>(sql`select 1 as one`), Promise.resolve(2)]),
  );
  expect([one[0]?.one, two]).toEqual([1, 2]);
  expect(ended).toHaveLength(4);
});

test("an inner transaction that fails undoes its own statements only", async () => {
  const { db } = watch();
  const insert = (id: string) => ({ id, name: id, createdAt });
  await db.transaction(async (tx) => {
    await tx.insert(merchants).values(insert("outer"));
    const inner = tx.transaction(async (savepoint) => {
      await savepoint.insert(merchants).values(insert("inner"));
      throw new Error("stopped");
    });
    await expect(inner).rejects.toThrow("stopped");
  });
  expect(await db.query.merchants.findMany({ columns: { id: true, createdAt: true } })).toEqual([
    { id: "outer", createdAt },
  ]);
});

test("a transaction gets its isolation level and access mode", async () => {
  const { db } = watch();
  const settings = sql`select current_setting('transaction_isolation') as level, current_setting('transaction_read_only') as read_only`;
  const rows = await db.transaction((tx) => tx.execute(settings), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
  expect([...rows]).toEqual([{ level: "repeatable read", read_only: "on" }]);
});

test("an error of a nested or prepared statement carries no parameter", async () => {
  const { db } = watch();
  const secret = "a secret value";
  const nested = db.transaction((tx) => tx.transaction((inner) => inner.execute(sql`select ${secret}::int`)));
  const error = await nested.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ params: [] });
  const prepared = await runPrepared(db, "select $1::int", [secret]).catch((thrown: unknown) => thrown);
  for (const thrown of [error, prepared]) expect(`${thrown} ${(thrown as Error).cause}`).not.toContain(secret);
});
