import { beforeEach, expect, test } from "vitest";
import { listCalls } from "@/db/queries/networks/calls";
import { endpointCalls } from "@/db/schema";
import { createCallMeter } from "@/lib/watch/call-meter";
import { recordCalls } from "@/lib/watch/record-calls";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();
let clock = new Date("2026-03-31T23:59:00Z");
const meterOf = (network: string) =>
  createCallMeter({ network, endpoints: ["one"], budgets: [{ perDay: 5, perMonth: 8 }], now: () => clock });
const take = async (meter: ReturnType<typeof meterOf>, times: number) => {
  for (let time = 0; time < times; time++) await meter.take("one");
};

beforeEach(async () => {
  clock = new Date("2026-03-31T23:59:00Z");
  await testDb.pool.db.delete(endpointCalls);
});

test("calls of several processes add up, by network, endpoint and day, and use up one budget", async () => {
  const { db } = testDb.pool;
  const bsc = meterOf("bsc");
  const tron = meterOf("tron");
  const other = meterOf("bsc");
  await take(bsc, 3);
  bsc.noteError("one");
  await take(tron, 1);
  await take(other, 2);
  await recordCalls(db, [bsc, tron], clock);
  expect(bsc.isSpent()).toBe(false);
  await recordCalls(db, [other], clock);
  expect(other.isSpent()).toBe(true);
  await recordCalls(db, [bsc, tron], clock);
  expect([bsc.isSpent(), tron.isSpent()]).toEqual([true, false]);
  clock = new Date("2026-04-01T00:00:30Z");
  await take(bsc, 1);
  await recordCalls(db, [bsc], clock);
  expect(await listCalls(db, "2026-03-31")).toEqual([
    { network: "bsc", endpoint: "one", today: 5, thisMonth: 5, errorsToday: 1 },
    { network: "tron", endpoint: "one", today: 1, thisMonth: 1, errorsToday: 0 },
  ]);
  expect(await listCalls(db, "2026-04-01")).toEqual([
    { network: "bsc", endpoint: "one", today: 1, thisMonth: 1, errorsToday: 0 },
  ]);
});

test("calls that could not be stored are stored the next time", async () => {
  const meter = meterOf("bsc");
  await take(meter, 2);
  const broken = { execute: () => Promise.reject(new Error("away")) } as unknown as typeof testDb.pool.db;
  await expect(recordCalls(broken, [meter], clock)).rejects.toThrow("away");
  await recordCalls(testDb.pool.db, [meter], clock);
  expect(await listCalls(testDb.pool.db, "2026-03-31")).toMatchObject([{ today: 2 }]);
});
