import { afterAll, beforeAll, expect, test } from "vitest";
import { type DbPool, openDb } from "@/db/client";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();
let pool: DbPool;

beforeAll(() => {
  pool = openDb(testDb.url, { work: "none", max: 1 });
});
afterAll(() => pool.close());

test.each([20, 70, 200])("a connection works after a COPY whose last row has %i KB", async (kilobytes) => {
  for (let times = 0; times < 10; times++) {
    const answer = await pool.sql.begin(async (sql) => {
      const rows = await sql.unsafe(`copy (select repeat('x', ${kilobytes * 1_000})) to stdout`).readable();
      let length = 0;
      for await (const bytes of rows) length += bytes.length;
      const [next] = await sql<{ one: number }[]>`select 1 as one`;
      return [length, next?.one];
    });
    expect(answer).toEqual([kilobytes * 1_000 + 1, 1]);
  }
});
