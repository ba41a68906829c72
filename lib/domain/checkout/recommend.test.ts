import { expect, test } from "vitest";
import { choiceView } from "@/lib/domain/checkout/choice";
import { readSource } from "@/lib/domain/checkout/exchanges";
import { groupOptions } from "@/lib/domain/checkout/recommend";
import { CHOICE, NOW } from "@/testing/checkout/facts";

const groupsFor = (from: string | null, amount = "128") => {
  const methods = CHOICE.methods.map((method) => ({ ...method, amount: { decimal: amount, isEstimate: false } }));
  return groupOptions(choiceView({ ...CHOICE, methods }, NOW).options, readSource(from));
};
const flat = (from: string | null, amount?: string) => groupsFor(from, amount).flatMap(({ options }) => options);
const namesOf = (from: string | null, amount?: string) => flat(from, amount).map(({ value }) => value);

test("for a wallet, the lowest network fee is recommended and first; an unknown fee is not", () => {
  expect(namesOf("wallet").slice(0, 2)).toEqual(["solana:USDT", "bsc:USDT"]);
  expect(
    flat("wallet")
      .filter(({ isRecommended }) => isRecommended)
      .map(({ value }) => value),
  ).toEqual(["solana:USDT"]);
  expect(groupsFor(null).map(({ currency }) => currency)).toEqual(["USDT", "USDC"]);
});

test("for an exchange, its lowest fee is recommended, and its group is first", () => {
  const [best] = flat("binance");
  expect(best).toMatchObject({ value: "bsc:USDC", isRecommended: true, withdrawal: { fee: "0" } });
  expect(groupsFor("binance").map(({ currency }) => currency)).toEqual(["USDC", "USDT"]);
});

test("methods below the exchange's minimum are last, marked, and never recommended", () => {
  const usdt = groupsFor("binance", "5").find(({ currency }) => currency === "USDT")?.options ?? [];
  expect(
    usdt
      .filter(({ isTooSmall }) => isTooSmall)
      .map(({ value }) => value)
      .toSorted(),
  ).toEqual(["bsc:USDT", "tron:USDT"]);
  expect(usdt.slice(-2).every(({ isTooSmall }) => isTooSmall)).toBe(true);
  expect(usdt.some((one) => one.isTooSmall && one.isRecommended)).toBe(false);
});

test("methods that the exchange does not list stay selectable, after those that it lists", () => {
  const usdt = groupsFor("kraken").find(({ currency }) => currency === "USDT")?.options ?? [];
  expect(usdt.map(({ isUnlisted }) => isUnlisted)).toEqual([false, false, false, true, true]);
});
