import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { executePrepared, runPrepared } from "@/db/client";
import { merchants } from "@/db/schema";
import { createDb } from "@/db/session";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();
const createdAt = new Date("2026-01-01T12:00:00Z");

function watch() {
  const open = new Set<string>();
  const ended: string[] = [];
  const db = createDb(testDb.pool.sql, (text) => {
    open.add(text);
    return () => {
      open.delete(text);
      ended.push(text);
    };
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
