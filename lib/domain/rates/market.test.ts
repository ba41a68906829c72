import fc from "fast-check";
import { expect, test } from "vitest";
import { decideMarket, type SourceRate } from "@/lib/domain/rates/market";
import { parseRate } from "@/lib/domain/rates/price";

const now = new Date("2026-11-22T12:00:00Z");
const MINUTE = 60_000;

function reading(source: string, rate: string, ageMinutes = 0): SourceRate {
  const at = new Date(now.getTime() - ageMinutes * MINUTE);
  return { source, rate: parseRate(rate) ?? 0n, at, maxAgeMs: 10 * MINUTE };
}

test("the median of three decides, and the oldest of them determines its age", () => {
  const market = decideMarket([reading("a", "0.92", 3), reading("b", "0.93"), reading("c", "0.922", 1)], now);
  expect(market).toEqual({
    rate: parseRate("0.922"),
    sources: ["a", "b", "c"],
    leftOut: [],
    at: new Date(now.getTime() - 3 * MINUTE),
  });
});

test("a source that jumps is excluded and reported, and the others continue", () => {
  for (const jump of ["1.03", "0.5", "920", "0.000001"]) {
    const market = decideMarket([reading("a", "0.92"), reading("mad", jump), reading("b", "0.93")], now);
    expect(market).toMatchObject({ rate: parseRate("0.925"), sources: ["a", "b"], leftOut: ["mad"] });
  }
});

test("a tenth is not too far yet", () => {
  expect(decideMarket([reading("a", "1"), reading("b", "1"), reading("c", "1.1")], now)).toMatchObject({ leftOut: [] });
  expect(decideMarket([reading("a", "1"), reading("b", "1"), reading("c", "1.100000000001")], now)).toMatchObject({
    leftOut: ["c"],
  });
});

test("each source is compared with the median of the others", () => {
  const market = decideMarket([reading("a", "1"), reading("b", "1.05"), reading("c", "1.14")], now);
  expect(market).toMatchObject({ rate: parseRate("1.025"), leftOut: ["c"] });
});

test("with two contradicting sources there is no rate", () => {
  expect(decideMarket([reading("a", "1"), reading("b", "2")], now)).toMatchObject({ rate: null, why: "contradiction" });
  expect(decideMarket([reading("a", "1"), reading("b", "1.05")], now)).toMatchObject({ rate: parseRate("1.025") });
});

test("outdated readings do not count, and without current ones there is no rate", () => {
  expect(decideMarket([reading("a", "1", 11), reading("b", "2", 10)], now)).toMatchObject({
    rate: parseRate("2"),
    sources: ["b"],
  });
  expect(decideMarket([reading("a", "1", 11)], now)).toMatchObject({ rate: null, why: "stale" });
  expect(decideMarket([], now)).toMatchObject({ rate: null, why: "stale" });
});

test("less than half of the sources can never move the rate out of the range of the others", () => {
  const honest = fc.array(fc.integer({ min: 1_000, max: 1_040 }), { minLength: 3, maxLength: 7 });
  fc.assert(
    fc.property(
      honest,
      fc.array(fc.integer({ min: 1, max: 10_000_000 }), { maxLength: 2 }),
      (truths, falsifications) => {
        const all = [...truths, ...falsifications].map((rate, index) => reading(`${index}`, String(rate)));
        const { rate } = decideMarket(all, now);
        const [low, high] = [Math.min(...truths), Math.max(...truths)].map((one) => parseRate(String(one)) ?? 0n);
        return rate !== null && rate >= (low ?? 0n) && rate <= (high ?? 0n);
      },
    ),
  );
});
