import { expect, test } from "vitest";
import { nearest } from "@/lib/domain/nearest";

test("a typo is distinguished from another word", () => {
  const known = ["blockMs", "finality", "pace"];
  expect(nearest("blokMs", known)).toBe("blockMs");
  expect(nearest("BLOCKMS", known)).toBe("blockMs");
  expect(nearest("finalty", known)).toBe("finality");
  expect(nearest("chainId", known)).toBeNull();
  expect(nearest("x", [])).toBeNull();
});
