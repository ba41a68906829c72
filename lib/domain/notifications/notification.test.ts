import { describe, expect, test } from "vitest";
import {
  calendarAt,
  dueReport,
  includedCount,
  isLoopbackHost,
  isTimeZone,
  MAX_SINGLE,
  retryAfterMs,
  STORM_MS,
  waitsUntil,
} from "@/lib/domain/notifications/notification";

const NOW = new Date("2026-03-10T12:00:00Z");
const ago = (ms: number) => new Date(NOW.getTime() - ms);

describe("storms", () => {
  test("a few messages go one by one; then a channel waits until the oldest of the last five is five minutes old", () => {
    const times = [1, 2, 3, 4, 5, 6].map((minutes) => ago(minutes * 50_000));
    expect(waitsUntil(times.slice(0, 4), NOW)).toBeNull();
    expect(waitsUntil(times, NOW)).toEqual(new Date(NOW.getTime() - 5 * 50_000 + STORM_MS));
    expect(
      waitsUntil(
        Array.from({ length: 9 }, () => ago(STORM_MS)),
        NOW,
      ),
    ).toBeNull();
  });

  test("events of a burst, or held back by one, are combined", () => {
    expect(includedCount(0, 1, false)).toBe(1);
    expect(includedCount(0, MAX_SINGLE, false)).toBe(1);
    expect(includedCount(0, MAX_SINGLE + 1, false)).toBe(MAX_SINGLE + 1);
    expect(includedCount(MAX_SINGLE - 1, 2, false)).toBe(2);
    expect(includedCount(0, 2, true)).toBe(2);
  });
});

test("a message is tried ten times in about a day, ever more rarely", () => {
  const waits = Array.from({ length: 10 }, (_, index) => retryAfterMs(index + 1, 0.5));
  expect(waits.at(-1)).toBeNull();
  const known = waits.slice(0, -1).map((wait) => wait ?? 0);
  expect(known).toEqual(known.toSorted((a, b) => a - b));
  expect(known.reduce((sum, wait) => sum + wait, 0) / 3_600_000).toBeCloseTo(24.4, 0);
  expect(retryAfterMs(1, 0)).toBe(8_000);
  expect(retryAfterMs(1, 1)).toBe(12_000);
});

describe("the daily report", () => {
  test("is due from its hour on, in the reader's time zone, for the day before", () => {
    expect(dueReport("Europe/Berlin", 14, NOW)).toBeNull();
    expect(dueReport("Europe/Berlin", 13, NOW)).toEqual({
      day: "2026-03-09",
      from: new Date("2026-03-08T23:00:00Z"),
      to: new Date("2026-03-09T23:00:00Z"),
    });
    expect(dueReport("Asia/Shanghai", 20, NOW)?.to).toEqual(new Date("2026-03-09T16:00:00Z"));
  });

  test("a day has 23 or 25 hours where clocks change", () => {
    const hours = (at: string) => {
      const { from, to } = dueReport("Europe/Berlin", 0, new Date(at)) ?? { from: NOW, to: NOW };
      return (to.getTime() - from.getTime()) / 3_600_000;
    };
    expect([hours("2026-03-30T10:00:00Z"), hours("2026-10-26T10:00:00Z")]).toEqual([23, 25]);
  });

  test("days follow one another without a gap, in zones of half hours too", () => {
    for (const zone of ["Asia/Kolkata", "Australia/Lord_Howe", "America/New_York", "Pacific/Kiritimati"]) {
      const first = dueReport(zone, 0, NOW);
      const next = dueReport(zone, 0, new Date(NOW.getTime() + 86_400_000));
      expect(next?.from, zone).toEqual(first?.to);
    }
  });
});

test("calendars and time zones are the machine's", () => {
  expect(calendarAt("America/New_York", NOW)).toEqual({ day: "2026-03-10", hour: 8 });
  expect(calendarAt("UTC", new Date("2026-01-01T00:00:00Z"))).toEqual({ day: "2026-01-01", hour: 0 });
  expect([isTimeZone("Europe/Berlin"), isTimeZone("Nowhere/Land"), isTimeZone("")]).toEqual([true, false, false]);
});

test("only this machine itself counts as loopback", () => {
  expect(["127.0.0.1", "localhost", "[::1]"].every(isLoopbackHost)).toBe(true);
  expect(["127.0.0.1.example.com", "mail.example.com", "10.0.0.1"].some(isLoopbackHost)).toBe(false);
});
