import { randomBytes } from "node:crypto";
import { getTableColumns, getTableName, is, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Db, runPrepared } from "@/db/client";
import * as schema from "@/db/schema";
import { createLog } from "@/lib/log";
import { setUpCode } from "@/lib/merchants/vault";
import { register } from "@/lib/users/register";
import { signIn } from "@/lib/users/sign-in";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();
const SECRET = `secret-${randomBytes(8).toString("hex")}`;
const tables = Object.values(schema).filter((value) => is(value, PgTable)) as PgTable[];
const now = new Date("2026-03-01T10:00:00Z");
const db = () => testDb.pool.db;

let lines: string[];
const log = createLog("test", "trace", { destination: { write: (line) => lines.push(line) } });
beforeEach(() => {
  lines = [];
});

/** Makes the database refuse every row of every table with an error that contains the row. */
beforeAll(async () => {
  await testDb.owner.db.execute(sql`create function complain(what text) returns void language plpgsql
    as 'begin raise exception ''no % here'', what using hint = what, detail = what; end'`);
  for (const table of tables) {
    const name = sql.identifier(getTableName(table));
    await testDb.owner.db.execute(sql`alter table ${name} add constraint refuse_all check (false) not valid`);
  }
});

/** Returns everything that a failure prints. */
async function reported(work: () => Promise<unknown>): Promise<string> {
  const error = await work().then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  log.error({ err: error }, "failed");
  log.error({ error, nested: { error } }, "failed");
  log.error(error as Error);
  return [...lines, String(error), (error as Error).stack].join("\n");
}

/** Returns a row of a table, with the secret in every column that accepts text. */
function rowOf(table: PgTable): Record<string, unknown> {
  const fitting = (type: string, dataType: string): unknown => {
    if (dataType === "date") return now;
    if (dataType === "bigint") return 1n;
    if (dataType === "number") return 1;
    if (dataType === "boolean") return true;
    if (dataType === "json") return { secret: SECRET };
    if (dataType === "array") return [SECRET];
    if (/bytea|custom/i.test(type) || dataType === "buffer") return Buffer.from(SECRET);
    return SECRET;
  };
  return Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([name, column]) => [
      name,
      column.enumValues?.[0] ?? fitting(column.columnType, column.dataType),
    ]),
  );
}

const insert = (tx: Db, table: PgTable) => tx.insert(table).values(rowOf(table) as never);
const isHidden = (text: string) => {
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(Buffer.from(SECRET).toString("hex"));
  expect(text).not.toContain("params:");
};

describe("a failed statement logs none of its values", () => {
  test.each(tables.map((table) => [getTableName(table), table] as const))("writing to %s", async (_name, table) => {
    isHidden(await reported(() => insert(db(), table)));
    isHidden(await reported(() => db().transaction((tx) => insert(tx, table))));
  });

  test.each([
    ["a text that is no number", sql`select ${SECRET}::int`],
    ["a raised error", sql`select complain(${SECRET})`],
    ["a wrong cast in a row", sql`insert into users (id) values (${SECRET})`],
  ])("%s", async (_name, statement) => {
    isHidden(await reported(() => db().execute(statement)));
  });

  test("through the driver itself and through statements that stay prepared", async () => {
    isHidden(await reported(() => testDb.pool.sql`select ${SECRET}::int`.then()));
    isHidden(await reported(() => runPrepared(db(), "select $1::int", [SECRET])));
    isHidden(await reported(() => runPrepared(db(), "select $1::int4 + $2::jsonb", [1, SECRET])));
  });

  test("with its code and the rule that refused it", async () => {
    const [table] = tables;
    const text = await reported(() => insert(db(), table as PgTable));
    expect(text).toMatch(/23514|refuse_all|23502/);
    expect(lines[0]).toContain('"err"');
  });
});

test("failed registrations and sign-ins log neither passwords nor hashes nor addresses", async () => {
  const appSecret = "an app secret of a length that is enough for all";
  const person = { email: `${SECRET}@example.com`, password: SECRET, ip: SECRET, userAgent: SECRET };
  const form = { ...person, name: SECRET, code: setUpCode(appSecret) };
  for (const text of [
    await reported(() => register(db(), { appSecret, registration: "closed" }, form, now)),
    await reported(() => signIn(db(), person, now)),
  ]) {
    isHidden(text);
    expect(text).not.toContain("$argon2");
  }
});
