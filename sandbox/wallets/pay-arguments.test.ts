import { expect, test } from "vitest";
import { readPayArguments } from "@/sandbox/wallets/pay-arguments";

test("an order alone is the exact payment", () => {
  expect(readPayArguments(["01abc"])).toEqual({ tradeId: "01abc", deviation: { times: undefined } });
});

test("every deviation is read", () => {
  const typed = ["01abc", "--amount", "1.23", "--network", "bsc", "--currency=USDC", "--times", "2"];
  const deviation = { amount: "1.23", network: "bsc", currency: "USDC", times: 2 };
  expect(readPayArguments(typed)).toEqual({ tradeId: "01abc", deviation });
});

test.each([
  [[], "trade_id of the order is missing"],
  [["a", "b"], 'also got "b"'],
  [["a", "--times", "0"], 'from 1 to 100; got "0"'],
  [["a", "--times", "1.5"], 'from 1 to 100; got "1.5"'],
  [["a", "--amont", "1"], "--amont"],
  [["a", "--amount"], "--amount"],
])("%j is refused with a message", (typed, text) => {
  expect(() => readPayArguments(typed)).toThrow(text);
});
