import { expect, test } from "vitest";
import { consoleLine } from "@/scripts/supervisor/log-file";

test("warnings and errors reach the screen, with the error's words", () => {
  expect(consoleLine('{"level":40,"msg":"a node lags"}', "stdout")).toBe("a node lags");
  expect(consoleLine('{"level":50,"msg":"failed","err":{"message":"no way"}}', "stdout")).toBe("failed: no way");
});

test("news and chatter stay in the file", () => {
  expect(consoleLine('{"level":30,"msg":"the worker is running"}', "stdout")).toBeNull();
  expect(consoleLine("✓ compiled", "stdout")).toBeNull();
});

test("a crash is seen", () => {
  expect(consoleLine("TypeError: x is not a function", "stderr")).toBe("TypeError: x is not a function");
  expect(consoleLine('{"half": ', "stderr")).toBe('{"half":');
});
