import { expect, test } from "vitest";
import {
  type CreditedTransfer,
  orderProgress,
  type ReportedCallback,
} from "@/components/dashboard/progress/order-progress";
import { transferProgress } from "@/components/dashboard/progress/transfer-progress";
import { translator } from "@/testing/in-english";

const texts = { t: translator("progress"), list: translator("transfers") };
const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, seconds));

const ORDER = {
  status: "pending" as const,
  exception: null,
  createdAt: at(0),
  expiresAt: at(1_800),
  paidAt: null,
  paidUnits: 0n,
  notifyUrl: "https://shop.example/hook",
};
const QUOTE = { network: "ethereum", currency: "USDT", baseUnits: 10_000_000n };
const SEEN: CreditedTransfer = {
  network: "ethereum",
  token: "0xdac17f958d2ee523a2206206994597c13d831ec7",
  currency: "USDT",
  baseUnits: 10_000_000n,
  status: "seen",
  blockHeight: 100,
  headHeight: 104,
  finalizedHeight: null,
  blockMs: 12_000,
  minConfirmations: 12,
  minSeconds: null,
  seenAt: at(30),
  confirmedAt: null,
};
const CONFIRMED: CreditedTransfer = { ...SEEN, status: "confirmed", confirmedAt: at(90) };
const DELIVERED: ReportedCallback = { status: "delivered", seriesAttempts: 1, deliveredAt: at(95) };

type Facts = Parameters<typeof orderProgress>[0];

/** Returns "text: state" for each step. */
function stepsOf(facts: Partial<Facts>): string[] {
  const all = { order: ORDER, quote: QUOTE, transfers: [], callback: null, ...facts };
  return orderProgress(all, texts).map(({ text, state }) => `${text}: ${state}`);
}

test("a new order waits for its payment", () => {
  expect(stepsOf({})).toEqual([
    "Created: done",
    "Waiting for payment: current",
    "Confirmed: waiting",
    "Callback delivered: waiting",
  ]);
});

test("a transfer that is not final shows its block and its confirmations", () => {
  const order = { ...ORDER, status: "confirming" as const };
  const steps = orderProgress({ order, quote: QUOTE, transfers: [SEEN], callback: null }, texts);
  expect(steps.map(({ state }) => state)).toEqual(["done", "done", "current", "waiting"]);
  expect(steps[1]).toMatchObject({ text: "Seen in a block", note: "10.00 USDT, block 100", at: at(30) });
  expect(steps[2]?.note).toMatch(/^\d+ of \d+ confirmations$/);
});

test("a paid order whose callback was delivered is complete", () => {
  const order = { ...ORDER, status: "paid" as const, paidAt: at(90), paidUnits: 10_000_000n };
  const steps = orderProgress({ order, quote: QUOTE, transfers: [CONFIRMED], callback: DELIVERED }, texts);
  expect(steps.map(({ text, at }) => [text, at])).toEqual([
    ["Created", at(0)],
    ["Seen in a block", at(30)],
    ["Confirmed", at(90)],
    ["Callback delivered", at(95)],
  ]);
  expect(steps.every(({ state }) => state === "done")).toBe(true);
});

test("an underpaid order stops at the missing amount", () => {
  const order = { ...ORDER, exception: "underpaid" as const, paidUnits: 9_000_000n };
  const transfers = [{ ...CONFIRMED, baseUnits: 9_000_000n }];
  const steps = orderProgress({ order, quote: QUOTE, transfers, callback: null }, texts);
  expect(steps[2]).toMatchObject({ text: "Underpaid", state: "stopped", note: "1.00 USDT is missing." });
});

test.each<[string, Partial<Facts["order"]>, string]>([
  ["expired", { status: "expired" }, "Not paid in time: stopped"],
  ["cancelled", { status: "cancelled" }, "Cancelled: stopped"],
  ["paid outside the chain", { status: "paid", exception: "manual", paidAt: at(9) }, "No transfer: skipped"],
])("an order without a transfer that is %s", (_, facts, expected) => {
  expect(stepsOf({ order: { ...ORDER, ...facts } })[1]).toBe(expected);
});

test("the callback of an order: failed, retried, or not asked for", () => {
  const paid = { ...ORDER, status: "paid" as const, paidAt: at(90) };
  const facts = { order: paid, transfers: [CONFIRMED] };
  const failed: ReportedCallback = { status: "failed", seriesAttempts: 9, deliveredAt: null };
  expect(stepsOf({ ...facts, callback: failed })[3]).toBe("Callback failed: stopped");
  const retried: ReportedCallback = { status: "pending", seriesAttempts: 2, deliveredAt: null };
  const steps = orderProgress({ order: paid, quote: QUOTE, transfers: [CONFIRMED], callback: retried }, texts);
  expect(steps[3]).toMatchObject({ text: "Delivering callback", state: "current", note: "2 attempts failed" });
  expect(stepsOf({ ...facts, order: { ...paid, notifyUrl: null } })[3]).toBe("No callback: skipped");
});

const TRANSFER = {
  ...CONFIRMED,
  blockTime: at(20),
  lostAt: null,
  orderStatus: null,
  mchOrderId: null,
  target: null,
  unmatchedReason: null,
  isSweep: false,
};
const transferSteps = (facts: Partial<Parameters<typeof transferProgress>[0]["transfer"]>) =>
  transferProgress({ transfer: { ...TRANSFER, ...facts }, callback: null, hasUrl: true }, texts).map(
    ({ text, state }) => `${text}: ${state}`,
  );

test("a transfer's steps end with its order and the callback", () => {
  expect(transferSteps({ orderStatus: "paid", mchOrderId: "A-1" })).toEqual([
    "Sent: done",
    "Detected: done",
    "Confirmed: done",
    "Credited: done",
    "Callback delivered: current",
  ]);
});

test("a transfer that credits nothing, or that a reorg removed, stops there", () => {
  expect(transferSteps({ unmatchedReason: "no_such_amount" }).at(-1)).toBe("Not credited: stopped");
  expect(transferSteps({ status: "dropped" }).at(-1)).toBe("Removed by a reorg: stopped");
  expect(transferSteps({ isSweep: true }).at(-1)).toBe("Swept: skipped");
});
