import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "@/chaos/plan/random";
import { FIAT_CODES, findFiat, priceText } from "@/lib/domain/rates/currencies";
import { amountOfPrice, crossRates, formatRate, markUp, parseFiatAmount, parseRate } from "@/lib/domain/rates/price";

const rate = fc.bigInt({ min: 1n, max: 10n ** 20n });
const price = fc.record({
  fiatUnits: fc.bigInt({ min: 1n, max: 10n ** 15n }),
  fiatDecimals: fc.constantFrom(0, 2, 3),
  rate,
  decimals: fc.integer({ min: 0, max: 6 }),
});

test("19.99 EUR at 0.9215 EUR a token are 21.7 tokens at two decimals, for 21.69 would be worth less", () => {
  const asked = { fiatUnits: 1999n, fiatDecimals: 2, rate: parseRate("0.9215") ?? 0n, decimals: 2 };
  expect(amountOfPrice(asked)).toBe(21_700_000n);
  expect(amountOfPrice({ ...asked, decimals: 6 })).toBe(21_692_893n);
  expect(amountOfPrice({ ...asked, decimals: 0 })).toBe(22_000_000n);
});

test("the paid amount is never worth less than the price, and one last digit less would be", () => {
  fc.assert(
    fc.property(price, (asked) => {
      const digit = 10n ** BigInt(6 - asked.decimals);
      const worth = (steps: bigint) => steps * asked.rate * 10n ** BigInt(asked.fiatDecimals);
      const due = asked.fiatUnits * 10n ** 18n;
      const steps = amountOfPrice(asked);
      return steps % digit === 0n && worth(steps) >= due && worth(steps - digit) < due;
    }),
    { numRuns: 20_000 },
  );
});

test("a million random prices are exact: the quotient and its rest give back the price", () => {
  const random = createRandom(4217);
  let invalid = 0;
  for (let times = 0; times < 1_000_000; times++) {
    const fiatDecimals = [0, 2, 3][times % 3] ?? 2;
    const fiatUnits = BigInt(random.int(1, 2 ** 31));
    const aRate = BigInt(random.int(1, 2 ** 31)) * 10_007n;
    const steps = amountOfPrice({ fiatUnits, fiatDecimals, rate: aRate, decimals: 6 });
    const due = fiatUnits * 10n ** 18n;
    const unit = aRate * 10n ** BigInt(fiatDecimals);
    const rest = steps * unit - due;
    if (rest < 0n || rest >= unit) invalid += 1;
  }
  expect(invalid).toBe(0);
});

test("a mark-up makes the payer pay at least so much more", () => {
  expect(formatRate(markUp(parseRate("1.015") ?? 0n, 150))).toBe("1");
  fc.assert(
    fc.property(price, fc.integer({ min: 0, max: 10_000 }), (asked, basisPoints) => {
      const marked = markUp(asked.rate, basisPoints);
      if (marked === 0n) return true;
      const plain = amountOfPrice(asked);
      const more = amountOfPrice({ ...asked, rate: marked });
      return more >= plain && marked * BigInt(10_000 + basisPoints) <= asked.rate * 10_000n;
    }),
  );
});

test("a rate is read with all digits down to 10^-12, in any notation", () => {
  expect(parseRate("0.9215")).toBe(921_500_000_000n);
  expect(parseRate("1e-3")).toBe(1_000_000_000n);
  expect(parseRate("25345.5")).toBe(25_345_500_000_000_000n);
  expect(parseRate("0.9999999999999999")).toBe(999_999_999_999n);
  fc.assert(fc.property(rate, (value) => parseRate(formatRate(value)) === value));
});

test.each(["", "0", "0.0", "-1", "NaN", "1e400", "1,5", " 1", "0x1", "1e-99", "9".repeat(41)])(
  "%j is no rate",
  (text) => {
    expect(parseRate(text)).toBeNull();
  },
);

test("a price has at most the decimals of its currency", () => {
  expect(parseFiatAmount("19.99", 2)).toBe(1999n);
  expect(parseFiatAmount("19.990", 2)).toBe(1999n);
  expect(parseFiatAmount("19.999", 2)).toBeNull();
  expect(parseFiatAmount("1000", 0)).toBe(1000n);
  expect(parseFiatAmount("1000.5", 0)).toBeNull();
  expect(parseFiatAmount("0.001", 3)).toBe(1n);
  for (const text of ["0", "-1", "", "1e400"]) expect(parseFiatAmount(text, 2)).toBeNull();
});

test("currencies have the decimals that ISO 4217 gives them", () => {
  expect(findFiat("eur")).toEqual({ code: "EUR", decimals: 2 });
  expect(findFiat("JPY")).toEqual({ code: "JPY", decimals: 0 });
  expect(findFiat("KWD")).toEqual({ code: "KWD", decimals: 3 });
  for (const code of ["XAU", "XXX", "BTC", "USDT", "", "EURO"]) expect(findFiat(code)).toBeNull();
  expect(priceText({ amount: "19.9", fiat: "EUR" })).toBe("19.90 EUR");
  expect(priceText({ amount: "150", fiat: "JPY" })).toBe("150 JPY");
  expect(priceText({ amount: "1.5", fiat: "KWD" })).toBe("1.500 KWD");
  expect(new Set(FIAT_CODES).size).toBe(FIAT_CODES.length);
  const known = new Set(Intl.supportedValuesOf("currency"));
  expect(FIAT_CODES.filter((code) => !known.has(code) && !["VED", "XCG", "ZWG"].includes(code))).toEqual([]);
});

test("a currency that no source has is crossed through USD", () => {
  expect(formatRate(crossRates(parseRate("1.001") ?? 0n, parseRate("150") ?? 0n))).toBe("150.15");
});
