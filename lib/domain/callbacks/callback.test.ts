import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  afterAttempt,
  CALLBACK_WAITS_MS,
  callbackOrigin,
  eventsOf,
  isOriginIll,
  originPauseMs,
} from "@/lib/domain/callbacks/callback";

const failure = { httpStatus: 500, retryAfterMs: null, isAcknowledged: false };
const outcome = fc.record({
  httpStatus: fc.option(fc.integer({ min: 100, max: 599 })),
  retryAfterMs: fc.option(fc.nat(1e9)),
  isAcknowledged: fc.boolean(),
});
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("after an attempt", () => {
  test("an acknowledging response counts at any attempt", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), outcome, random, (attempts, how, luck) => {
        const isDelivered = afterAttempt(attempts, how, luck).status === "delivered";
        expect(isDelivered).toBe(how.isAcknowledged);
      }),
    );
  });

  test("there are thirteen attempts over about three days, then the series has failed", () => {
    expect(CALLBACK_WAITS_MS).toHaveLength(13);
    const waits = CALLBACK_WAITS_MS.slice(1).map((waitMs) => ({ status: "pending", waitMs }));
    expect(waits.map((_, index) => afterAttempt(index + 1, failure, 0.5))).toEqual(waits);
    expect(afterAttempt(13, failure, 0.5)).toEqual({ status: "failed" });
    expect(afterAttempt(14, failure, 0.5)).toEqual({ status: "failed" });
  });

  test("410 ends the series at once", () => {
    expect(afterAttempt(1, { ...failure, httpStatus: 410, retryAfterMs: 1_000 }, 0.5)).toEqual({ status: "failed" });
  });

  test("waits are spread by a fifth to either side", () => {
    expect(afterAttempt(2, failure, 0)).toEqual({ status: "pending", waitMs: 24_000 });
    expect(afterAttempt(2, failure, 1)).toEqual({ status: "pending", waitMs: 36_000 });
  });

  test("Retry-After lengthens a wait, up to twice its step, and never shortens it", () => {
    const wait = (retryAfterMs: number) => afterAttempt(2, { ...failure, httpStatus: 503, retryAfterMs }, 0.5);
    expect(wait(1_000)).toEqual({ status: "pending", waitMs: 30_000 });
    expect(wait(45_000)).toEqual({ status: "pending", waitMs: 45_000 });
    expect(wait(86_400_000)).toEqual({ status: "pending", waitMs: 60_000 });
  });

  test("a wait is always between four fifths and twice its step", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), outcome, random, (attempts, how, luck) => {
        const after = afterAttempt(attempts, how, luck);
        if (after.status !== "pending") return;
        const step = CALLBACK_WAITS_MS[attempts] ?? 0;
        expect(after.waitMs).toBeGreaterThanOrEqual(step * 0.8);
        expect(after.waitMs).toBeLessThanOrEqual(step * 2);
      }),
    );
  });
});

describe("origins", () => {
  test("an origin that does not answer, is overloaded or broken is ill; one that refuses is well", () => {
    expect([null, 429, 500, 503, 599].map(isOriginIll)).toEqual([true, true, true, true, true]);
    expect([200, 204, 302, 400, 404, 410].map(isOriginIll)).toEqual([false, false, false, false, false, false]);
  });

  test("pauses begin with the third failure in a row and never grow beyond a minute", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 1_000_000].map(originPauseMs)).toEqual([
      0, 0, 0, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000,
    ]);
  });

  test("the pause of an origin with a single callback never outlasts the callback's own wait", () => {
    for (let failures = 1; failures < CALLBACK_WAITS_MS.length; failures++) {
      expect(originPauseMs(failures)).toBeLessThanOrEqual((CALLBACK_WAITS_MS[failures] ?? 0) * 0.8);
    }
  });

  test("the origin is scheme, host and port", () => {
    expect(callbackOrigin("HTTPS://Shop.example.com:443/a?b")).toBe("https://shop.example.com");
    expect(callbackOrigin("http://127.0.0.1:4000/a")).toBe("http://127.0.0.1:4000");
    expect(callbackOrigin("no URL")).toBe("null");
  });
});

test("cancelling a partly paid order is no reversal; unlinking an underpaid one is", () => {
  const nothing = { confirmedParts: 0, maxDustUnits: 0n };
  const before = { status: "pending", exception: "underpaid", paidUnits: 4n } as const;
  expect(eventsOf(before, ["cancelled"], { status: "cancelled", exception: null, paidUnits: 0n }, nothing)).toEqual([
    "order.cancelled",
  ]);
  expect(eventsOf(before, [], { status: "pending", exception: null, paidUnits: 0n }, nothing)).toEqual([
    "payment.reversed",
  ]);
});
