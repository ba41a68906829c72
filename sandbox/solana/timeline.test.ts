import { expect, test } from "vitest";
import { Timeline } from "@/sandbox/solana/timeline";

test("slots are spaced by the preceding anchor, and never later than the next one", () => {
  const timeline = new Timeline();
  timeline.add({ slot: 1, timeMs: 10_000, stepMs: 400 });
  timeline.add({ slot: 11, timeMs: 12_000, stepMs: 1_000 });
  expect([1, 3, 10, 11, 13].map((slot) => timeline.timeMs(slot))).toEqual([10_000, 10_800, 12_000, 12_000, 14_000]);
  expect(timeline.slotAt(13_999)).toBe(12);
});

test("a slot before the first anchor is as old as it, and without a pace no slot passes", () => {
  const timeline = new Timeline();
  timeline.add({ slot: 5, timeMs: 1_000, stepMs: 0 });
  expect(timeline.timeMs(0)).toBe(1_000);
  expect(timeline.slotAt(9_999_999)).toBe(5);
});
