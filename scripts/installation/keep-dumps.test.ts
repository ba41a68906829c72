import { expect, test } from "vitest";
import { dumpName, isDumpDue, listOutdated } from "@/scripts/installation/keep-dumps";

const DAY_MS = 86_400_000;
const on = (text: string) => dumpName(new Date(text));

test("the last 7 days and the last 4 weeks are kept, the newest of each", () => {
  const last = Date.parse("2026-03-31T02:00:00Z");
  const all = Array.from({ length: 60 }, (_, day) => dumpName(new Date(last - day * DAY_MS)));
  const kept = all.filter((name) => !listOutdated(all).includes(name));
  const days = kept.map((name) => name.slice(11, 21));
  expect(days).toEqual([
    ...["2026-03-31", "2026-03-30", "2026-03-29", "2026-03-28", "2026-03-27", "2026-03-26", "2026-03-25"],
    ...["2026-03-22", "2026-03-15"],
  ]);
});

test("after every night of a year of dumps there is one of each of the last 7 days and one older than 14 days", () => {
  let names: string[] = [];
  for (let day = 0; day < 365; day++) {
    const now = new Date(Date.parse("2026-01-01T02:00:00Z") + day * DAY_MS);
    names.push(dumpName(now));
    const outdated = listOutdated(names);
    names = names.filter((name) => !outdated.includes(name));
    expect(names.length).toBeLessThanOrEqual(11);
    for (let back = 0; back < Math.min(7, day + 1); back++)
      expect(names).toContain(dumpName(new Date(now.getTime() - back * DAY_MS)));
    const oldest = Date.parse(names.toSorted()[0]?.slice(11, 21) ?? "");
    if (day >= 28) expect(now.getTime() - oldest).toBeGreaterThan(14 * DAY_MS);
  }
});

test("dumps of a machine that was off for months, and files of others, are left", () => {
  const old = [on("2025-01-01T02:00:00Z"), on("2025-01-02T02:00:00Z")];
  expect(listOutdated([...old, on("2026-03-31T02:00:00Z"), "notes.txt"])).toEqual([]);
  expect(listOutdated([on("2026-03-31T02:00:00Z"), on("2026-03-31T03:00:00Z")])).toEqual([on("2026-03-31T02:00:00Z")]);
});

test("a dump is due in the night, once, and at once where yesterday had none", () => {
  const now = new Date("2026-03-31T01:00:00Z");
  expect(isDumpDue([], now)).toBe(true);
  expect(isDumpDue([on("2026-03-29T02:00:00Z")], now)).toBe(true);
  expect(isDumpDue([on("2026-03-30T02:00:00Z")], now)).toBe(false);
  expect(isDumpDue([on("2026-03-30T02:00:00Z")], new Date("2026-03-31T02:00:00Z"))).toBe(true);
  expect(isDumpDue([on("2026-03-31T02:00:00Z")], new Date("2026-03-31T23:59:00Z"))).toBe(false);
});
