import { expect, test } from "vitest";
import { PLAIN_BRAND } from "@/lib/domain/checkout/brand";
import { type ChoiceFacts, choiceView } from "@/lib/domain/checkout/choice";
import { NETWORKS } from "@/lib/domain/networks";

const now = new Date("2026-03-01T12:00:00Z");
const facts: ChoiceFacts = {
  tradeId: "t",
  merchantName: "Shop",
  status: "pending",
  version: 1,
  subject: null,
  brand: PLAIN_BRAND,
  locale: null,
  checkout: { network: null, currency: null, amount: "10", price: null },
  createdAt: now,
  expiresAt: new Date(now.getTime() + 1_800_000),
  extensions: 0,
  methods: [
    { network: "ethereum", currency: "USDT", wait: null, amount: null },
    { network: "plasma", currency: "USDT", wait: null, amount: null },
  ],
  quoted: [],
};

test("an option has the merchant's waiting time, and the network's fee", () => {
  const [ethereum, plasma] = choiceView(facts, now).options;
  expect(ethereum).toMatchObject({ seconds: 180, fee: { from: "0.05", to: "4" }, quoted: null, isShown: false });
  expect(plasma).toMatchObject({ fee: null });
  const wait = { minConfirmations: 30, minSeconds: null };
  const patient = { ...facts, methods: [{ network: "ethereum", currency: "USDT" as const, wait, amount: null }] };
  expect(choiceView(patient, now).options[0]?.seconds).toBe(360);
});

test("the usual time is the same before and after a chain was read, and whatever its head lags behind", () => {
  const methods = [{ network: "bsc", currency: "USDT" as const, wait: null, amount: null }];
  expect(choiceView({ ...facts, methods }, now).options[0]?.seconds).toBe(60);
});

test("the amount is shown before the choice, with two decimals", () => {
  const amount = { decimal: "21.6", isEstimate: true };
  const methods = [{ network: "bsc", currency: "USDT" as const, wait: null, amount }];
  expect(choiceView({ ...facts, methods }, now).options[0]?.amount).toEqual({ decimal: "21.60", isEstimate: true });
});

test("earlier choices show their amounts; the first one is current", () => {
  const quoted = [
    { network: "plasma", currency: "USDT" as const, baseUnits: 10_000_000n },
    { network: "ethereum", currency: "USDT" as const, baseUnits: 10_000_100n },
  ];
  const view = choiceView({ ...facts, checkout: null, quoted }, now);
  expect(view.shown).toEqual({ amount: "10.00 USDT", network: expect.stringContaining("Plasma") });
  expect(view.options).toMatchObject([
    { quoted: "10.0001 USDT", isShown: false },
    { quoted: "10.00 USDT", isShown: true },
  ]);
});

test("every fee has a source and a date", () => {
  const fees = NETWORKS.flatMap(({ fee }) => fee ?? []);
  expect(fees.length).toBeGreaterThan(0);
  for (const { from, to, source, readAt } of fees) {
    expect(Number(to)).toBeGreaterThan(Number(from ?? 0));
    expect(readAt).toMatch(/^20\d\d-\d\d$/);
    expect(source).toContain(".");
  }
});
