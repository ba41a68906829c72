import { expect, test } from "vitest";
import { nearest } from "@/lib/domain/nearest";

test("a mistyped word is told from one that means something else", () => {
  const known = ["blockMs", "finality", "pace"];
  expect(nearest("blokMs", known)).toBe("blockMs");
  expect(nearest("BLOCKMS", known)).toBe("blockMs");
  expect(nearest("finalty", known)).toBe("finality");
  expect(nearest("chainId", known)).toBeNull();
  expect(nearest("x", [])).toBeNull();
});
