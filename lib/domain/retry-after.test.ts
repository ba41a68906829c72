import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRetryAfter } from "@/lib/domain/retry-after";

describe("Retry-After", () => {
  const now = new Date("2026-11-20T16:00:00Z");
  test.each([
    ["120", 120_000],
    ["0", 0],
    [" 5 ", 5_000],
    ["Fri, 20 Nov 2026 16:01:00 GMT", 60_000],
    ["Friday, 20-Nov-26 16:01:00 GMT", 60_000],
    ["Fri, 20 Nov 2026 15:00:00 GMT", 0],
    ["soon", null],
    ["", null],
    ["-5", null],
    ["1.5", null],
    ["99999999999999", null],
    ["2026", 2_026_000],
    ["2026-11-20T16:01:00Z", null],
  ])("%j is %s", (text, expected) => {
    expect(parseRetryAfter(text, now)).toBe(expected);
  });

  test("no text at all makes it throw or go backwards", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseRetryAfter(text, now) ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
