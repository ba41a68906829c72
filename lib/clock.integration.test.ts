import { expect, test } from "vitest";
import { createDbClock } from "@/lib/clock";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();
const HOUR_MS = 3_600_000;

test("a machine whose clock is an hour wrong tells the database's time once it has asked", async () => {
  const clock = createDbClock(testDb.pool.db, () => Date.now() - HOUR_MS);
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeGreaterThan(HOUR_MS / 2);
  await clock.sync();
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(HOUR_MS / 2);
});
