import { describe, expect, test } from "vitest";
import { TransferTable } from "@/components/dashboard/transfers/table";
import { UnmatchedList } from "@/components/dashboard/transfers/unmatched-list";
import { UNMATCHED_REASONS, type UnmatchedReason } from "@/lib/domain/transfers/transfer";
import { renderInEnglish } from "@/testing/in-english";

const now = new Date("2026-03-01T10:00:00Z");
const transfer = {
  id: "01kjmdeb80xte3m5xhstx4vdp4",
  network: "bsc",
  token: "0x55d398326f99059ff775485246999027b3197955",
  currency: "USDT",
  txId: `0x${"9f".repeat(32)}`,
  fromAddress: `0x${"11".repeat(20)}`,
  toAddress: `0x${"22".repeat(20)}`,
  baseUnits: 10n ** 19n,
  blockHeight: 100,
  status: "seen" as const,
  contradiction: null,
  seenAt: now,
  confirmations: null,
  blockMs: null,
  minConfirmations: null,
  minSeconds: null,
  headHeight: 106,
  finalizedHeight: 90,
  orderId: null,
  target: null,
  isAssigned: false,
  isSweep: false,
  lostAt: null,
  mchOrderId: null,
  refundedUnits: 0n,
};
const WORDS: Record<UnmatchedReason, string> = {
  no_such_amount: "No open order has this amount",
  late: "Its order expired too long ago",
  other_currency: "An order has this amount in another currency",
  other_network: "An order has this amount on another network",
  order_settled: "Its order was already settled",
  order_cancelled: "Its order was cancelled",
  look_alike: "A look-alike token, which pays no order",
  taken_back: "Temporarily removed by a reorg",
  unlinked: "Unlinked from its order by a user",
  refund: "A refund of another shop, which pays no order",
};

describe.each(UNMATCHED_REASONS)("a transfer that is unmatched as %s", (unmatchedReason) => {
  const transfers = [{ ...transfer, unmatchedReason }];

  test("is marked as such among all transfers", () => {
    const html = renderInEnglish(TransferTable, { transfers, now, isSandbox: false });
    expect(html).toContain(WORDS[unmatchedReason]);
  });

  test("is marked as such among those that await review", () => {
    const none = { suggestionsFor: () => [], actionFor: () => null };
    const html = renderInEnglish(UnmatchedList<(typeof transfers)[number]>, { transfers, now, ...none });
    expect(html).toContain(`${WORDS[unmatchedReason]} · `);
  });
});

describe("a transfer among others", () => {
  const tableOf = (changes: object, isSandbox = false) => {
    const transfers = [{ ...transfer, unmatchedReason: null, orderId: "o", isAssigned: true, ...changes }];
    return renderInEnglish(TransferTable, { transfers, now, isSandbox, isOfOneOrder: true });
  };

  test("shows when the endpoints of its network contradict each other about it, only while it is pending", () => {
    const contradiction = { since: now.toISOString(), said: [{ endpoint: "https://a.example", says: "shows it" }] };
    const texts = "contradictory endpoints";
    expect(tableOf({ contradiction })).toContain(texts);
    expect(tableOf({ contradiction, status: "confirmed" })).not.toContain(texts);
    expect(tableOf({})).not.toContain(texts);
  });

  test("requires the confirmations of its own network, regardless of the order's", () => {
    expect(tableOf({})).toContain("7 of 17 confirmations");
    expect(tableOf({ network: "ethereum", baseUnits: 10n ** 7n, finalizedHeight: null })).toContain(
      "7 of 12 confirmations",
    );
  });

  test("links to its explorer, but not in the sandbox, whose chains have none", () => {
    expect(tableOf({})).toContain(`href="https://bscscan.com/tx/${transfer.txId}"`);
    expect(tableOf({}, true)).not.toContain("bscscan.com");
    expect(tableOf({}, true)).toContain(`title="${transfer.txId}"`);
  });
});
