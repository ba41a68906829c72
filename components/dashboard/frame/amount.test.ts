import { expect, test } from "vitest";
import { amountText } from "@/components/dashboard/frame/amount";

test("an amount is exact, grouped by thousands and has at least cents", () => {
  expect(amountText(10_000_000n, "ethereum", "USDT")).toBe("10.00");
  expect(amountText(1_234_567_000_100n, "ethereum", "USDT")).toBe("1,234,567.0001");
  expect(amountText(1n, "bsc", "USDT")).toBe("0.000000000000000001");
  expect(amountText(0n, "bsc", "USDC")).toBe("0.00");
});
