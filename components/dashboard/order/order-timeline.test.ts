import { expect, test } from "vitest";
import { orderTimeline } from "@/components/dashboard/order/order-timeline";
import { translator } from "@/testing/in-english";

const t = translator("history");

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, seconds));
const transfer = {
  id: "t1",
  network: "ethereum",
  token: "0xdac17f958d2ee523a2206206994597c13d831ec7",
  currency: "USDT",
  baseUnits: 10_000_100n,
  status: "confirmed" as const,
  seenAt: at(5),
  confirmedAt: at(20),
};

test("the history of an order is newest first, from all sources", () => {
  const events = [
    { id: "e2", action: "callback.resent", detail: {}, at: at(40), by: "owner@example.com" },
    { id: "e1", action: "order.paid", detail: { from: "confirming" }, at: at(20), by: null },
  ];
  const entries = orderTimeline({ createdAt: at(0), events, transfers: [transfer], deliveredAt: at(21) }, t);
  expect(entries.map(({ text }) => text)).toEqual([
    "Callback resent",
    "Callback delivered",
    "Paid",
    "Transfer confirmed",
    "Transfer seen",
    "Created",
  ]);
  expect(entries[0]?.note).toBe("by owner@example.com");
  expect(entries[4]?.note).toBe("10.0001 USDT");
});

test("an action without its own text is still shown", () => {
  const events = [{ id: "e1", action: "order.blessed", detail: { reason: "why not" }, at: at(1), by: null }];
  const entries = orderTimeline({ createdAt: at(0), events, transfers: [], deliveredAt: null }, t);
  expect(entries[0]).toMatchObject({ text: "order.blessed", note: "why not" });
});
