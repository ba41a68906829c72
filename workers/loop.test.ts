import pino from "pino";
import { expect, test, vi } from "vitest";
import { startLoop } from "@/workers/loop";

const log = pino({ level: "silent" });
const start = (run: () => Promise<number>) => startLoop({ name: "test", log, maxWaitMs: 4_000, run });

/** Runs a loop with a fake clock. Returns the start times of its rounds, in milliseconds from the start. */
async function timesOf(run: (round: number) => Promise<number>, forMs: number): Promise<number[]> {
  vi.useFakeTimers({ now: 0 });
  try {
    const times: number[] = [];
    const loop = start(() => {
      times.push(Date.now());
      return run(times.length);
    });
    await vi.advanceTimersByTimeAsync(forMs);
    await loop.stop();
    return times;
  } finally {
    vi.useRealTimers();
  }
}

test("the next round starts after the delay that the last one returned", async () => {
  expect(await timesOf(async (round) => round * 100, 1_000)).toEqual([0, 100, 300, 600, 1_000]);
});

test("no error ends it: it waits longer and longer up to a limit, and normally again once a round succeeds", async () => {
  const times = await timesOf(async (round) => {
    if (round <= 5) throw new Error("the database is unavailable");
    return 100;
  }, 11_700);
  expect(times).toEqual([0, 500, 1_500, 3_500, 7_500, 11_500, 11_600, 11_700]);
});

test("waking it begins the next round at once", async () => {
  let rounds = 0;
  const loop = start(async () => {
    rounds += 1;
    return 60_000;
  });
  await vi.waitUntil(() => rounds === 1);
  loop.wake();
  await vi.waitUntil(() => rounds === 2);
  await loop.stop();
});

test("being woken during a round means one more round after it", async () => {
  let rounds = 0;
  let finish = () => {};
  const loop = start(async () => {
    rounds += 1;
    if (rounds === 1)
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    return 60_000;
  });
  await vi.waitUntil(() => rounds === 1);
  loop.wake();
  finish();
  await vi.waitUntil(() => rounds === 2);
  await loop.stop();
});

test("stopping waits for the round under way and begins no other", async () => {
  let started = 0;
  let ended = 0;
  let finish = () => {};
  const loop = start(async () => {
    started += 1;
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    ended += 1;
    return 0;
  });
  await vi.waitUntil(() => started === 1);
  const stopped = loop.stop();
  finish();
  await stopped;
  expect([started, ended]).toEqual([1, 1]);
});
