import { expect, test } from "vitest";
import { compileTestToken } from "@/sandbox/token/compile";
import compiled from "@/sandbox/token/test-token.json" with { type: "json" };

test("the committed bytecode is what the committed source compiles to", () => {
  expect(compileTestToken()).toBe(compiled.runtimeCode);
});
