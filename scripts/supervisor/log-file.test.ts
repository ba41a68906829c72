import { expect, test } from "vitest";
import { screenWords } from "@/scripts/supervisor/log-file";

test("warnings and errors reach the screen, with the error's words", () => {
  expect(screenWords('{"level":40,"msg":"a node lags"}', "stdout")).toBe("a node lags");
  expect(screenWords('{"level":50,"msg":"failed","err":{"message":"no way"}}', "stdout")).toBe("failed: no way");
});

test("news and chatter stay in the file", () => {
  expect(screenWords('{"level":30,"msg":"the worker is running"}', "stdout")).toBeNull();
  expect(screenWords("✓ compiled", "stdout")).toBeNull();
});

test("a crash is seen", () => {
  expect(screenWords("TypeError: x is not a function", "stderr")).toBe("TypeError: x is not a function");
  expect(screenWords('{"half": ', "stderr")).toBe('{"half":');
});
