import fc from "fast-check";
import { expect, test } from "vitest";
import {
  finalMayBeMs,
  isMoreActive,
  noteArrival,
  untilNextBlock,
  type Waiting,
  watchState,
} from "@/lib/domain/networks/watch-state";

const now = new Date("2026-03-01T10:00:00Z");
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
  const arrival = noteArrival(null, head, inSeconds(-1));
  expect(arrival).toEqual({ height: 7, delayMs: 1_000 });
  expect(untilNextBlock(head, arrival, now)).toBe(11_000);
  expect(untilNextBlock(head, arrival, inSeconds(11))).toBeNull();
  expect(untilNextBlock({ ...head, blockMs: 1_000 }, arrival, now)).toBeNull();
  expect(untilNextBlock({ ...head, blockMs: null }, arrival, now)).toBeNull();
});

test("a block that was seen early is used at once, a late one gradually", () => {
  const first = { height: 7, delayMs: 1_000 };
  expect(noteArrival(first, { height: 8, time: inSeconds(-0.5) }, now)).toEqual({ height: 8, delayMs: 500 });
  expect(noteArrival(first, { height: 8, time: inSeconds(-11) }, now)).toEqual({ height: 8, delayMs: 2_000 });
  expect(noteArrival(first, { height: 7, time: inSeconds(-90) }, now)).toEqual(first);
  expect(noteArrival(first, { height: 6, time: inSeconds(-3) }, now)).toEqual({ height: 6, delayMs: 3_000 });
});

test("finality is read at every head while a transfer needs it or the waiting state is unknown, else now and then", () => {
  const pending = { ...unanswered, hasPending: true };
  expect(finalMayBeMs("awake", null)).toBe(0);
  expect(finalMayBeMs("awake", { ...pending, isConfirming: true })).toBe(0);
  expect(finalMayBeMs("drowsy", { ...unanswered, hasUnconfirmed: true })).toBe(0);
  expect(finalMayBeMs("awake", pending)).toBe(60_000);
  expect(finalMayBeMs("asleep", unanswered)).toBe(600_000);
});
