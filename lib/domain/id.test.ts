import fc from "fast-check";
import { expect, test } from "vitest";
import { firstIdAt, isId, newId } from "@/lib/domain/id";

const instant = fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true });

test("an id made later sorts after one made earlier, by plain comparison of text", () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: 1, max: 10 ** 9 }), (early, laterByMs) => {
      return newId(early) < newId(new Date(early.getTime() + laterByMs));
    }),
  );
});

test("no id made at a time or later sorts before the first id of that time, and earlier ones do", () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: 1, max: 10 ** 9 }), (at, laterByMs) => {
      const first = firstIdAt(new Date(at.getTime() + laterByMs));
      return newId(at) < first && newId(new Date(at.getTime() + laterByMs)) >= first;
    }),
  );
});

test("every id has the form of an id and needs no escaping in a URL", () => {
  fc.assert(fc.property(instant, (now) => isId(newId(now)) && encodeURIComponent(newId(now)).length === 28));
});

test("100,000 ids of one millisecond are all different", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  expect(new Set(Array.from({ length: 100_000 }, () => newId(now))).size).toBe(100_000);
});

test("ids of one millisecond share their time, the two characters after it and nothing else that could be guessed", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const ids = Array.from({ length: 2_000 }, () => newId(now));
  expect(new Set(ids.map((id) => id.slice(0, 12))).size).toBe(1);
  for (let index = 12; index < 28; index++) expect(new Set(ids.map((id) => id[index])).size).toBe(32);
});

test.each(["", "0".repeat(27), "0".repeat(29), `8${"0".repeat(27)}`, `0${"u".repeat(27)}`, `0${"A".repeat(27)}`])(
  "%j is no id",
  (text) => {
    expect(isId(text)).toBe(false);
  },
);
