import fc from "fast-check";
import { expect, test } from "vitest";
import { formatUnits, parseUnits } from "@/lib/domain/money";
import { AMOUNTS_PER_PRICE, amountAtRank, rankOfSteps, stepsAtRank } from "@/lib/domain/orders/quote";

const ranks = Array.from({ length: AMOUNTS_PER_PRICE }, (_, rank) => rank);
const rank = fc.integer({ min: 0, max: AMOUNTS_PER_PRICE - 1 });

test("10,000 ranks give each of the steps 0 to 9,999 exactly once", () => {
  const steps = ranks.map(stepsAtRank).sort((left, right) => left - right);
  expect(steps).toEqual(ranks);
});

test("the rank of a rank's steps is that rank", () => {
  expect(ranks.map(stepsAtRank).map(rankOfSteps)).toEqual(ranks);
});

test("the first hundred amounts have at most four decimals and rise by 0.0001", () => {
  expect(ranks.slice(0, 100).map(stepsAtRank)).toEqual(ranks.slice(0, 100).map((value) => value * 100));
});

test("after the short amounts the others come in ascending order", () => {
  const rest = ranks.slice(100).map(stepsAtRank);
  expect(rest[0]).toBe(1);
  expect(rest.at(-1)).toBe(9_999);
  expect(rest).toEqual([...rest].sort((left, right) => left - right));
});

test("the first payer of a price pays the price itself", () => {
  expect(amountAtRank(10_000_000n, 0, 6)).toBe(10_000_000n);
});

test("ranks are ordered as expected, with any decimals", () => {
  for (const decimals of [6, 18]) {
    const price = parseUnits("10", decimals) ?? 0n;
    const texts = [0, 1, 99, 100, 9_999].map((at) => formatUnits(amountAtRank(price, at, decimals), decimals));
    expect(texts).toEqual(["10", "10.0001", "10.0099", "10.000001", "10.009999"]);
  }
});

test("two ranks of one price never ask for the same amount, nor for less than the price or 0.01 more", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      rank,
      rank,
      fc.constantFrom(6, 18),
      (steps, a, b, decimals) => {
        const price = steps * 10n ** BigInt(decimals - 6);
        const left = amountAtRank(price, a, decimals);
        const right = amountAtRank(price, b, decimals);
        const limit = price + 10n ** BigInt(decimals - 2);
        return (left === right) === (a === b) && left >= price && left < limit;
      },
    ),
  );
});

test("no amount has more than six decimals", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n }), rank, (steps, at) => {
      const amount = amountAtRank(steps * 10n ** 12n, at, 18);
      return (formatUnits(amount, 18).split(".")[1] ?? "").length <= 6;
    }),
  );
});
