import { expect, test } from "vitest";
import { describeError, isIncluded } from "@/sandbox/solana/transactions/transaction-error";

test.each([
  [{ InstructionError: [2, { Custom: 6001 }] }, "Error processing Instruction 2: custom program error: 0x1771"],
  [{ InstructionError: [0, "InvalidAccountData"] }, "Error processing Instruction 0: Invalid account data"],
  ["BlockhashNotFound", "Blockhash not found"],
  ["TooManyAccountLocks", "Too many account locks"],
])("%j has a readable message", (error, text) => {
  expect(describeError(error)).toBe(text);
});

test("only what failed while it ran takes a place in a block", () => {
  expect(isIncluded({ InstructionError: [0, "Immutable"] })).toBe(true);
  expect(isIncluded("SignatureFailure")).toBe(false);
});
