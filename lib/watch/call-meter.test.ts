import { expect, test } from "vitest";
import { type CallBatch, createCallMeter } from "@/lib/watch/call-meter";

let clock = new Date("2026-03-31T23:59:00Z");
const waited: number[] = [];
const meterOf = (...budgets: Parameters<typeof createCallMeter>[0]["budgets"]) => {
  clock = new Date("2026-03-31T23:59:00Z");
  waited.length = 0;
  const wait = async (ms: number) => void waited.push(ms);
  return createCallMeter({ network: "bsc", endpoints: ["one", "two"], budgets, now: () => clock, wait });
};
const take = async (meter: ReturnType<typeof meterOf>, endpoint: string, times: number) => {
  for (let time = 0; time < times; time++) await meter.take(endpoint);
};
const calls = (batch: readonly CallBatch[]) => batch.map(({ endpoint, day, calls: count }) => [endpoint, day, count]);

test("calls are counted by endpoint and day until they are stored; unstored ones are kept", async () => {
  const meter = meterOf();
  await take(meter, "one", 2);
  meter.noteError("one");
  clock = new Date("2026-04-01T00:00:01Z");
  await take(meter, "one", 1);
  await take(meter, "two", 1);
  const batch = meter.drain();
  expect(calls(batch)).toEqual([
    ["one", "2026-03-31", 2],
    ["one", "2026-04-01", 1],
    ["two", "2026-04-01", 1],
  ]);
  expect(batch[0]?.errors).toBe(1);
  expect(meter.drain()).toEqual([]);
  meter.returnBatch(batch);
  await take(meter, "two", 1);
  expect(calls(meter.drain()).at(-1)).toEqual(["two", "2026-04-01", 2]);
});

test("an endpoint whose budget is used up is used last, and normally again from the next day on", async () => {
  const meter = meterOf({ perDay: 3 });
  await take(meter, "one", 3);
  expect(meter.rank("one")).toBeGreaterThan(meter.rank("two") + 500_000);
  expect(meter.isSpent()).toBe(false);
  clock = new Date("2026-04-01T00:00:00Z");
  expect(meter.rank("one")).toBe(0);
});

test("calls of other processes count too, and a month lasts until its end", async () => {
  const meter = meterOf({ perMonth: 1_000 }, { perMonth: 1_000 });
  const used = { network: "bsc", today: 0, thisMonth: 999, errorsToday: 0 };
  meter.know([
    { ...used, endpoint: "one" },
    { ...used, endpoint: "two" },
  ]);
  await take(meter, "one", 1);
  expect(meter.isSpent()).toBe(false);
  await take(meter, "two", 1);
  expect(meter.isSpent()).toBe(true);
  clock = new Date("2026-04-01T00:00:00Z");
  expect(meter.isSpent()).toBe(false);
});

test("calls leave no faster than an endpoint takes them, and another is asked meanwhile", async () => {
  const meter = meterOf({ perSecond: 4 });
  await take(meter, "one", 3);
  expect(waited).toEqual([250, 500]);
  expect(meter.rank("one")).toBeGreaterThan(9_000);
  expect(meter.rank("two")).toBe(0);
  clock = new Date(clock.getTime() + 1_000);
  expect(meter.rank("one")).toBe(0);
});
