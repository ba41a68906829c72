import fc from "fast-check";
import { expect, test } from "vitest";
import { digitsBetween } from "@/lib/domain/fields/values";

test("a pattern of a range lets its numbers through, and no other text of digits", () => {
  const range = fc.tuple(fc.nat(200_000), fc.nat(200_000)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  fc.assert(
    fc.property(range, fc.nat(250_000), ([min, max], any) => {
      const pattern = new RegExp(digitsBetween(min, max));
      for (const number of [any, min, max, min - 1, max + 1])
        expect(pattern.test(String(number)), `${number} in ${pattern}`).toBe(number >= min && number <= max);
      expect(pattern.test(`0${max}`)).toBe(false);
    }),
  );
});
