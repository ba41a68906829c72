import { describe, expect, test } from "vitest";
import { PLAIN_BRAND } from "@/lib/domain/checkout/brand";
import {
  boundsProblem,
  checkoutOf,
  type LinkTerms,
  linkAmountText,
  linkMetadata,
  linkStatus,
  readPayerAmount,
} from "@/lib/domain/links/link";
import { linkView } from "@/lib/domain/links/link-view";

const now = new Date("2026-11-21T12:00:00Z");
const later = new Date("2026-11-28T12:00:00Z");
const TERMS: LinkTerms = {
  network: null,
  currency: "USDT",
  fiat: null,
  amount: null,
  minAmount: "5",
  maxAmount: "50.5",
  subject: null,
  noteLabel: null,
  notifyUrl: null,
  redirectUrl: null,
  maxUses: 2,
};
const LINK = { ...TERMS, id: "id", merchantId: "m", mchLinkId: null, expiresAt: later, createdAt: now, closedAt: null };

test.each([
  [{}, 0, now, "open"],
  [{}, 1, now, "open"],
  [{}, 2, now, "used_up"],
  [{ maxUses: null }, 1_000, now, "open"],
  [{}, 0, later, "expired"],
  [{}, 2, later, "expired"],
  [{ expiresAt: null }, 0, new Date("2099-01-01"), "open"],
  [{ closedAt: now }, 2, later, "closed"],
] as const)("a link with %j and %i uses is %s %s", (change, uses, at, status) => {
  expect(linkStatus({ ...LINK, ...change }, uses, at)).toBe(status);
});

describe("an amount that a payer enters", () => {
  test.each([
    ["5", { amount: "5" }],
    ["5.00", { amount: "5" }],
    [" 7,5 ", { amount: "7.5" }],
    ["50.5", { amount: "50.5" }],
    ["4.999999", { refused: "tooLittle" }],
    ["50.51", { refused: "tooMuch" }],
    ["0", { refused: "malformed" }],
    ["-6", { refused: "malformed" }],
    ["1,000.5", { refused: "malformed" }],
    ["6.0000001", { refused: "malformed" }],
    ["ten", { refused: "malformed" }],
    ["", { refused: "malformed" }],
    ["9".repeat(41), { refused: "malformed" }],
  ])("%j in tokens is read as %j", (typed, result) => {
    expect(readPayerAmount(TERMS, typed)).toEqual(result);
  });

  test("has at most the decimals of its fiat currency, and at most the maximum of an order", () => {
    const free = { ...TERMS, currency: null, minAmount: null, maxAmount: null };
    expect(readPayerAmount({ ...free, fiat: "EUR" }, "10.50")).toEqual({ amount: "10.5" });
    expect(readPayerAmount({ ...free, fiat: "EUR" }, "10.505")).toEqual({ refused: "malformed" });
    expect(readPayerAmount({ ...free, fiat: "JPY" }, "10.5")).toEqual({ refused: "malformed" });
    expect(readPayerAmount(free, "1000000000")).toEqual({ amount: "1000000000" });
    expect(readPayerAmount(free, "1000000001")).toEqual({ refused: "malformed" });
  });
});

test("an order has the terms of its link, with a fiat price only for a fiat amount", () => {
  expect(checkoutOf(TERMS, "7")).toEqual({ network: null, currency: "USDT", amount: "7", price: null });
  const fiat = { network: "tron", currency: null, fiat: "EUR" };
  const price = { fiat: "EUR", amount: "7.5" };
  expect(checkoutOf(fiat, "7.5")).toEqual({ network: "tron", currency: null, amount: null, price });
  expect(JSON.parse(linkMetadata("abc", 'a "note"'))).toEqual({ payment_link: "abc", note: 'a "note"' });
  expect(linkMetadata("abc", null)).toBe('{"payment_link":"abc"}');
});

test("amounts are shown with their unit, and swapped bounds are refused", () => {
  expect(linkAmountText(TERMS, "12.5")).toBe("12.50 USDT");
  expect(linkAmountText({ currency: null, fiat: null }, "12.5")).toMatch(/^12\.50 USDT or USDC/);
  expect(linkAmountText({ currency: null, fiat: "EUR" }, "19.9")).toBe("19.90 EUR");
  expect(boundsProblem(TERMS)).toBeNull();
  expect(boundsProblem({ ...TERMS, minAmount: "51" })?.code).toBe("link_bounds_swapped");
});

test("the page of a link shows the form only while the link is open and its merchant can be paid", () => {
  const facts = { link: LINK, merchantName: "Tea", brand: PLAIN_BRAND, uses: 0, isPayable: true, openOrderId: null };
  expect(linkView(facts, now)).toMatchObject({ state: "open", amount: null, min: "5.00 USDT", max: "50.50 USDT" });
  expect(linkView({ ...facts, isPayable: false }, now).state).toBe("away");
  expect(linkView({ ...facts, uses: 2 }, now).state).toBe("usedUp");
  expect(linkView({ ...facts, isPayable: false }, later).state).toBe("ended");
});
