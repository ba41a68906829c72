import { expect, test } from "vitest";
import { createDbClock } from "@/lib/clock";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

test("a machine whose clock is an hour wrong uses the database's time once it has read it", async () => {
  const clock = createDbClock(testDb.pool.db, () => Date.now() - HOUR_MS);
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeGreaterThan(HOUR_MS / 2);
  await clock.sync();
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(HOUR_MS / 2);
});

test("a process that stood still for a minute while it asked does not go wrong by half of that", async () => {
  let calls = 0;
  const clock = createDbClock(testDb.pool.db, () => Date.now() - (calls++ === 0 ? MINUTE_MS : 0));
  await clock.sync();
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(MINUTE_MS / 4);
});
