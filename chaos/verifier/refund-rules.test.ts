import { describe, expect, test } from "vitest";
import {
  type FoundTransfer,
  findCreditedRefunds,
  findForgedRefunds,
  findMissedRefunds,
  findPairProblems,
  findSumProblems,
  type RefundFacts,
} from "@/chaos/verifier/refund-rules";

const refund: RefundFacts = {
  id: "refund-000001",
  subject: "order-000001",
  status: "completed",
  microUnits: 5n,
  network: "ethereum",
  address: "0xc1",
  token: "USDT",
  baseUnits: 5n,
  approvedMs: 1_500,
};
const transfer: FoundTransfer = {
  key: "ethereum 0x1 0",
  network: "ethereum",
  token: "USDT",
  to: "0xc1",
  baseUnits: 5n,
  status: "confirmed",
  refundId: refund.id,
  isMatched: true,
  isRepeatedIncome: false,
};
const sent = { ...transfer, timeMs: 1_000 };

describe("the transfers of a refund", () => {
  test("a completed refund has one equal transfer that is confirmed", () => {
    expect(findPairProblems([refund], [transfer])).toEqual([]);
    expect(findPairProblems([refund], [])).toEqual(["Refund …000001 (completed) has 0 transfers"]);
    expect(findPairProblems([refund], [transfer, { ...transfer, key: "other" }])).toHaveLength(1);
  });

  test.each([
    ["less", { baseUnits: 4n }],
    ["another token", { token: "USDC" }],
    ["another network", { network: "bsc" }],
    ["another address", { to: "0xc2" }],
    ["a transfer that is not final", { status: "seen" }],
  ])("%s completes no refund", (_name, change) => {
    expect(findPairProblems([refund], [{ ...transfer, ...change }])).toHaveLength(1);
  });

  test("a transfer that must be matched again is not judged yet", () => {
    expect(findPairProblems([refund], [{ ...transfer, status: "dropped", isMatched: false }])).toEqual([]);
  });

  test("a transfer that completes a refund counts for no order, and is on its chain", () => {
    expect(findCreditedRefunds([transfer], [{ key: transfer.key, orderId: "order-2" }])).toHaveLength(1);
    expect(findCreditedRefunds([{ ...transfer, refundId: null }], [{ key: transfer.key, orderId: "order-2" }])).toEqual(
      [],
    );
    expect(findForgedRefunds([transfer], () => false)).toHaveLength(1);
    expect(findForgedRefunds([transfer], () => true)).toEqual([]);
  });
});

test("the refunds of an order never exceed what it received; cancelled ones do not count", () => {
  const more = { ...refund, id: "refund-000002", status: "requested" };
  expect(findSumProblems([refund, more], () => 9n)).toEqual(["The refunds of …000001 are 10, but it received 9"]);
  expect(findSumProblems([refund, more], () => 10n)).toEqual([]);
  expect(findSumProblems([refund, { ...more, status: "cancelled" }], () => 5n)).toEqual([]);
});

test("an approved refund whose equal transfer is final is a missed one, unless the transfer is older or completes another", () => {
  const approved = { ...refund, status: "approved" };
  expect(findMissedRefunds([approved], [], [sent])).toHaveLength(1);
  expect(findMissedRefunds([approved], [transfer], [sent])).toEqual([]);
  expect(findMissedRefunds([approved], [], [{ ...sent, timeMs: 999 }])).toEqual([]);
  expect(findMissedRefunds([approved], [], [sent], () => true)).toEqual([]);
  const repeated = { ...transfer, refundId: null };
  expect(findMissedRefunds([approved], [repeated], [sent])).toHaveLength(1);
  expect(findMissedRefunds([approved], [{ ...repeated, isRepeatedIncome: true }], [sent])).toEqual([]);
  expect(findMissedRefunds([{ ...refund, status: "sent" }], [transfer], [sent])).toHaveLength(1);
});
