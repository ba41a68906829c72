import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDb } from "@/db/client";
import { amountBitmaps } from "@/db/schema";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();
const note = (taken: number[]) => sql`select note_held('m', 'evm', '0xa', 7, ${`{${taken.join(",")}}`}::bigint[])`;

test("a window that another process notes at this moment is left to it: nobody waits", async () => {
  await testDb.pool.db.execute(note([70_001]));
  const other = openDb(testDb.url, { work: "none", max: 1, applicationName: "other" });
  try {
    await testDb.pool.db.transaction(async (tx) => {
      await tx.execute(note([70_002]));
      // Would it wait, the statement would be ended before the transaction that it waits for.
      await other.db.execute(sql`set statement_timeout = 2000`);
      await other.db.execute(note([70_003]));
    });
  } finally {
    await other.close();
  }
  expect(await testDb.pool.db.select().from(amountBitmaps)).toHaveLength(1);
});
