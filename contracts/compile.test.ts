import { expect, test } from "vitest";
import { compileReceivers } from "@/contracts/compile";
import committed from "@/contracts/receivers.json" with { type: "json" };

test("the committed bytecode is the compiled committed source", () => {
  expect(compileReceivers()).toEqual(committed);
});
