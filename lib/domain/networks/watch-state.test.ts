import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Arrival,
  finalMayBeMs,
  isMoreActive,
  noteArrival,
  untilNextRead,
  type Waiting,
  watchState,
} from "@/lib/domain/networks/watch-state";

const now = new Date("2026-03-01T10:00:00Z");
const POLL_MS = 1_000;
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const unanswered: Waiting = { hasPending: false, isConfirming: false, hasUnconfirmed: false, heldUntil: null };
const stateOf = (changes: Partial<Waiting>, isSpent = false) => watchState({ ...unanswered, ...changes }, now, isSpent);

test("a network is active while someone waits for a payment, idle while only late payments are possible, dormant otherwise", () => {
  expect(stateOf({ hasPending: true })).toBe("awake");
  expect(stateOf({ isConfirming: true, hasUnconfirmed: true })).toBe("awake");
  expect(stateOf({ hasUnconfirmed: true })).toBe("drowsy");
  expect(stateOf({ heldUntil: inSeconds(1) })).toBe("drowsy");
  expect(stateOf({ heldUntil: inSeconds(0) })).toBe("asleep");
  expect(stateOf({})).toBe("asleep");
});

test("a network whose budget is used up is read more slowly, and even more so when no payer waits", () => {
  expect(stateOf({ hasPending: true }, true)).toBe("drowsy");
  expect(stateOf({ heldUntil: inSeconds(1) }, true)).toBe("asleep");
});

test("more waiting payers never slow a network down", () => {
  const waiting = fc.record({
    hasPending: fc.boolean(),
    isConfirming: fc.boolean(),
    hasUnconfirmed: fc.boolean(),
    heldUntil: fc.option(fc.integer({ min: -100, max: 100 }).map(inSeconds)),
  });
  const keys = ["hasPending", "isConfirming", "hasUnconfirmed"] as const;
  fc.assert(
    fc.property(waiting, fc.constantFrom(...keys), fc.boolean(), (before, key, isSpent) => {
      const after = watchState({ ...before, [key]: true }, now, isSpent);
      return !isMoreActive(watchState(before, now, isSpent), after);
    }),
  );
});

test("the next slow block is waited for until it is due by the time of the last, and asked for once it is late", () => {
  const head = { height: 7, time: inSeconds(-2), blockMs: 12_000 };
  const arrival = { height: 7, delayMs: 1_000, earlyMs: 5 };
  const wait = (at: Date, blockMs: number | null = 12_000) => untilNextRead({ ...head, blockMs }, arrival, POLL_MS, at);
  expect(wait(now)).toBe(10_995);
  expect(wait(now, 1_000)).toBe(POLL_MS);
  expect(wait(now, null)).toBe(POLL_MS);
  // The first request for a late block follows soon, the next ones at longer and longer intervals.
  expect([11, 11.25, 11.5, 12, 13].map((at) => wait(inSeconds(at)))).toEqual([250, 255, 505, POLL_MS, POLL_MS]);
});

test("the time at which blocks are requested follows their arrival closely, however long a round takes", () => {
  const blockMs = 2_000;
  const arrivalMs = 180;
  let arrival: Arrival | null = null;
  let early = 0;
  let latestMs = 0;
  for (let height = 1, at = now.getTime(); height < 400; ) {
    const newest = Math.floor((at - arrivalMs - now.getTime()) / blockMs);
    const time = new Date(now.getTime() + newest * blockMs);
    if (newest < height) early += 1;
    else if (height > 200) latestMs = Math.max(latestMs, at - time.getTime() - arrivalMs);
    height = newest + 1;
    arrival = noteArrival(arrival, { height: newest, time }, new Date(at));
    const endOfRound = new Date(at + 40);
    at = endOfRound.getTime() + untilNextRead({ time, blockMs }, arrival, POLL_MS / 2, endOfRound);
  }
  expect(early).toBeLessThan(200);
  expect(latestMs).toBeLessThan(200);
});

test("a block that was seen early is used at once, a late one gradually", () => {
  const first = { height: 7, delayMs: 1_000, earlyMs: 10 };
  expect(noteArrival(first, { height: 8, time: inSeconds(-0.5) }, now)).toEqual({
    height: 8,
    delayMs: 500,
    earlyMs: 20,
  });
  expect(noteArrival(first, { height: 8, time: inSeconds(-11) }, now)).toEqual({
    height: 8,
    delayMs: 2_000,
    earlyMs: 5,
  });
  expect(noteArrival(first, { height: 7, time: inSeconds(-90) }, now)).toEqual(first);
  expect(noteArrival(first, { height: 6, time: inSeconds(-3) }, now)).toEqual({
    height: 6,
    delayMs: 3_000,
    earlyMs: 3_000,
  });
});

test("after a first head of unknown delay, the next one is requested as soon as it can exist", () => {
  const head = { height: 7, time: inSeconds(-11) };
  const first = noteArrival(null, head, now);
  expect(first).toEqual({ height: 7, delayMs: 11_000, earlyMs: 11_000 });
  expect(untilNextRead({ ...head, blockMs: 12_000 }, first, POLL_MS, now)).toBe(1_000);
  const seenSoon = noteArrival(first, { height: 8, time: inSeconds(1) }, inSeconds(1.5));
  expect(seenSoon).toEqual({ height: 8, delayMs: 500, earlyMs: 200 });
  // A node whose clock is ahead.
  expect(noteArrival(null, { height: 7, time: inSeconds(1) }, now).earlyMs).toBe(5);
});

test("finality is read at every head while a transfer needs it or the waiting state is unknown, else now and then", () => {
  const pending = { ...unanswered, hasPending: true };
  expect(finalMayBeMs("awake", null)).toBe(0);
  expect(finalMayBeMs("awake", { ...pending, isConfirming: true })).toBe(0);
  expect(finalMayBeMs("drowsy", { ...unanswered, hasUnconfirmed: true })).toBe(0);
  expect(finalMayBeMs("awake", pending)).toBe(60_000);
  expect(finalMayBeMs("asleep", unanswered)).toBe(600_000);
});
