import { expect, test } from "vitest";
import { EXCHANGES, isBelowMinimum, readSource, sourceName, withdrawalFor } from "@/lib/domain/checkout/exchanges";
import { findToken, getNetwork } from "@/lib/domain/networks";

test("every withdrawal is of a token in the networks table, once, with decimal amounts", () => {
  for (const { name, withdrawals } of EXCHANGES) {
    const keys = withdrawals.map(({ network, currency }) => `${network} ${currency}`);
    expect([name, new Set(keys).size]).toEqual([name, keys.length]);
    for (const { network, currency, name: words, fee, minimum } of withdrawals) {
      expect([network, findToken(getNetwork(network), currency)?.currency]).toEqual([network, currency]);
      expect(words.trim()).not.toBe("");
      for (const amount of [fee, minimum]) expect(amount ?? "0").toMatch(/^\d+(\.\d+)?$/);
    }
  }
});

test("every exchange has sources with the month in which they were read; minimums have their own", () => {
  for (const { name, sources, withdrawals } of EXCHANGES) {
    for (const one of [sources.names, sources.fees, ...(sources.minimums ? [sources.minimums] : [])]) {
      expect(one.readAt).toMatch(/^20\d\d-\d\d$/);
      expect(one.source).toContain(".");
    }
    const hasMinimums = withdrawals.some(({ minimum }) => minimum !== null);
    expect([name, hasMinimums && sources.minimums === null]).toEqual([name, false]);
  }
});

test("a source is read from the URL and written to it; other texts are none", () => {
  for (const name of ["wallet", "exchange", ...EXCHANGES.map(({ id }) => id)])
    expect(sourceName(readSource(name))).toBe(name);
  for (const text of [null, "", "Binance", "toString", "exchange "]) expect(sourceName(readSource(text))).toBeNull();
});

test("an amount is compared with the minimum exactly", () => {
  const [binance] = EXCHANGES;
  const tron = binance && withdrawalFor(binance, { network: "tron", currency: "USDT" });
  if (!tron) return expect.fail("Binance has no USDT on TRON");
  expect(["9.999999", "10.00", "10.0001", "100"].map((amount) => isBelowMinimum(tron, amount))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(isBelowMinimum({ minimum: null }, "0.01")).toBe(false);
});
