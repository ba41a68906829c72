import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BEAT_MS, type FreezeWatch, watchForFreezes } from "@/scripts/supervisor/freeze-watch";

const LIMITS = { maxSilentBeats: 5, maxStartBeats: 20 };
let frozen: [string, number][];
let watch: FreezeWatch<string>;

beforeEach(() => {
  vi.useFakeTimers();
  frozen = [];
  watch = watchForFreezes<string>(LIMITS, (name, beats) => frozen.push([name, beats]));
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});

test("a process that stopped reporting is found once, after its limit", () => {
  watch.add("worker");
  watch.recordHeartbeat("worker");
  vi.advanceTimersByTime(5 * BEAT_MS);
  expect(frozen).toEqual([]);
  vi.advanceTimersByTime(20 * BEAT_MS);
  expect(frozen).toEqual([["worker", 5]]);
});

test("a process that reports is never found, and one that is starting has longer", () => {
  watch.add("worker");
  watch.add("starting");
  for (let beat = 0; beat < 20; beat++) {
    watch.recordHeartbeat("worker");
    vi.advanceTimersByTime(BEAT_MS);
  }
  expect(frozen).toEqual([]);
  vi.advanceTimersByTime(BEAT_MS);
  expect(frozen).toEqual([["starting", 20]]);
});

test("a clock that jumps, as after a suspend, finds nothing", () => {
  watch.add("worker");
  watch.recordHeartbeat("worker");
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(BEAT_MS);
  expect(frozen).toEqual([]);
});

test("a process that has ended is not watched any more", () => {
  watch.add("worker");
  watch.remove("worker");
  watch.recordHeartbeat("worker");
  vi.advanceTimersByTime(30 * BEAT_MS);
  expect(frozen).toEqual([]);
});
