import { expect, test } from "vitest";
import { unreadableWarning } from "@/components/dashboard/home/network-panel";
import { UnreadableList } from "@/components/dashboard/transfers/unreadable-list";
import { renderInEnglish, translator } from "@/testing/in-english";

const now = new Date("2026-03-01T10:00:00Z");
const transaction = {
  network: "solana",
  txId: "5".repeat(88),
  account: "A".repeat(44),
  address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  reason: "rpc.example: Transaction version (2) is not supported",
  firstSeenAt: now,
  triedAt: now,
};
const listOf = (isSandbox: boolean) => renderInEnglish(UnreadableList, { transactions: [transaction], now, isSandbox });

test("an unreadable transaction shows its hash, address and endpoint messages, and links to an explorer", () => {
  const html = listOf(false);
  for (const text of [transaction.txId, transaction.address, transaction.reason, "Solana"])
    expect(html).toContain(text);
  expect(html).toMatch(/<a href="https:\/\/[^"]*5{88}/);
  expect(listOf(true)).not.toContain("<a href");
});

test("a network shows the number of unreadable transactions, and nothing without any", () => {
  expect(unreadableWarning(0, translator("networks"))).toBeNull();
  expect(unreadableWarning(1, translator("networks"))).toMatch(
    /^No endpoint can read 1 transaction\..* may return it\.$/,
  );
  expect(unreadableWarning(2, translator("networks"))).toMatch(
    /^No endpoint can read 2 transactions\..* may return them\.$/,
  );
});
