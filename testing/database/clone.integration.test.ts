import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { merchants } from "@/db/schema";
import { useTestDb } from "@/testing/database/clone";

const first = useTestDb();
const second = useTestDb();
const now = new Date("2026-01-01T00:00:00Z");

test("a test database has the whole schema and no rows of other tests", async () => {
  await first.pool.db.insert(merchants).values({ id: "m1", name: "First", createdAt: now });
  expect(await first.pool.db.select().from(merchants)).toHaveLength(1);
  expect(await second.pool.db.select().from(merchants)).toHaveLength(0);
});

test("the URL opens the same database", async () => {
  const [row] = await first.pool.sql`select current_database() as name`;
  expect(new URL(first.url).pathname).toBe(`/${row?.["name"]}`);
});

test("money columns hold any uint256", async () => {
  const max = 2n ** 256n - 1n;
  const [row] = await first.pool.db.execute<{ text: string }>(
    sql`select ${max.toString()}::numeric(78,0)::text as text`,
  );
  expect(row?.text).toBe(max.toString());
});
