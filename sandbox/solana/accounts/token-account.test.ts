import { expect, test } from "vitest";
import { toUiAmount } from "@/sandbox/solana/accounts/token-account";

test.each([
  [0n, "0", null],
  [1n, "0.000001", 0.000001],
  [12_500_000n, "12.5", 12.5],
  [3_000_000n, "3", 3],
  [18_446_744_073_709_551_615n, "18446744073709.551615", 18_446_744_073_709.55],
])("%s base units of six decimals are %s", (amount, uiAmountString, uiAmount) => {
  expect(toUiAmount(amount, 6)).toEqual({ amount: String(amount), decimals: 6, uiAmount, uiAmountString });
});

test("a token without decimals has no point", () => {
  expect(toUiAmount(70n, 0).uiAmountString).toBe("70");
});
