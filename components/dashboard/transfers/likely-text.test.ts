import { expect, test } from "vitest";
import { exchangeText, likelyText } from "@/components/dashboard/transfers/likely-text";
import type { LikelyOrder } from "@/lib/domain/orders/likely-orders";
import { translator } from "@/testing/in-english";

const t = translator("likely");

const likely = (
  changes: Partial<LikelyOrder> = {},
  status: LikelyOrder["order"]["status"] = "pending",
): LikelyOrder => ({
  order: {
    id: "1",
    mchOrderId: "A-1",
    status,
    network: "ethereum",
    currency: "USDT",
    address: "here",
    dueUnits: 10_000_000n,
    priceUnits: 10_000_000n,
    paidUnits: 0n,
    createdAt: new Date(0),
    expiresAt: new Date(0),
    heldUntil: new Date(0),
  },
  amount: "exact",
  clues: [],
  shortUnits: 0n,
  score: 0,
  ...changes,
});

test("the clues for an order are listed", () => {
  expect(likelyText(likely({ amount: "fee", shortUnits: 1_000_000n, clues: ["late", "otherNetwork"] }), t)).toBe(
    "1.00 USDT short, possibly an exchange fee, expired before the payment, on Ethereum",
  );
});

test("transfers of another token are pointed out, with what counts", () => {
  const { order } = likely();
  const asset = { network: "bsc", token: "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d", currency: "USDC" };
  expect(exchangeText(asset, order, t)).toBe(
    "You received USDC on BNB Smart Chain. The order expects USDT on Ethereum. One USDC counts as one USDT.",
  );
  expect(
    exchangeText(
      { network: "ethereum", token: "0xdac17f958d2ee523a2206206994597c13d831ec7", currency: "USDT" },
      order,
      t,
    ),
  ).toBeNull();
});
