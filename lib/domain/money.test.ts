import fc from "fast-check";
import { expect, test } from "vitest";
import { displayAmount, formatUnits, parseUnits, unitsPerStep } from "@/lib/domain/money";

const units = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const decimals = fc.integer({ min: 0, max: 18 });

test("writing base units and reading them back changes nothing", () => {
  fc.assert(
    fc.property(units, decimals, (value, positions) => parseUnits(formatUnits(value, positions), positions) === value),
  );
});

test("an amount is written without trailing zeros, exponents or a dot at the end", () => {
  fc.assert(
    fc.property(units, decimals, (value, positions) =>
      /^(0|[1-9]\d*)(\.\d*[1-9])?$/.test(formatUnits(value, positions)),
    ),
  );
});

test("a smaller amount of base units is never written as a larger number", () => {
  fc.assert(
    fc.property(units, units, (left, right) => {
      const [low, high] = left <= right ? [left, right] : [right, left];
      return Number(formatUnits(low, 6)) <= Number(formatUnits(high, 6));
    }),
  );
});

test.each([
  ["10", 6, 10_000_000n],
  ["10.50", 6, 10_500_000n],
  ["0.000001", 6, 1n],
  ["0.000001", 18, 1_000_000_000_000n],
  ["0.1", 18, 100_000_000_000_000_000n],
  ["1e2", 6, 100_000_000n],
  ["1E+2", 6, 100_000_000n],
  ["25e-1", 6, 2_500_000n],
  ["1000000000", 18, 10n ** 27n],
  ["10.5000000000", 6, 10_500_000n],
  ["0", 6, 0n],
])("%s with %i decimals is %s base units", (text, positions, expected) => {
  expect(parseUnits(text, positions)).toBe(expected);
});

test("a digit below the smallest unit makes a text unreadable instead of being rounded", () => {
  expect(parseUnits("0.0000001", 6)).toBeNull();
  expect(parseUnits("1e-7", 6)).toBeNull();
  expect(parseUnits("10.1234567", 6)).toBeNull();
});

test.each([
  "",
  " ",
  "-1",
  "+1",
  "1,5",
  "1.",
  ".5",
  "0x10",
  "1e",
  "1e100",
  "NaN",
  "Infinity",
  "1 000",
  "１",
  "1\n",
  "1_000",
])("%j is no amount", (text) => {
  expect(parseUnits(text, 6)).toBeNull();
});

test("a text of any content is either refused or read exactly", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const value = parseUnits(text, 6);
      return value === null || value >= 0n;
    }),
  );
});

test("a negative difference keeps its sign", () => {
  expect(formatUnits(-1n, 6)).toBe("-0.000001");
  expect(formatUnits(-10_500_000n, 6)).toBe("-10.5");
});

test("one public step is 0.000001 of any token", () => {
  for (const positions of [6, 8, 18]) expect(formatUnits(unitsPerStep(positions), positions)).toBe("0.000001");
});

test("an amount is shown with two decimals, or all significant ones", () => {
  expect(["5", "49.9", "50.25", "49.9901", "0.000001"].map(displayAmount)).toEqual([
    "5.00",
    "49.90",
    "50.25",
    "49.9901",
    "0.000001",
  ]);
});
