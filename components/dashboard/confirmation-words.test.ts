import { expect, test } from "vitest";
import { confirmationText, fieldHint, ruleText, waitText } from "@/components/dashboard/confirmation-words";

const byDepth = {
  network: "ethereum",
  by: "depth",
  byRule: 12,
  minConfirmations: null,
  required: 12,
  most: 7_200,
} as const;
const byTag = { ...byDepth, network: "bsc", by: "finalized", byRule: 1, required: 1, most: 192_000 } as const;

test("what holds is said in words: the network's rule, or what the merchant asked for", () => {
  expect(confirmationText(byDepth)).toBe("12 confirmations");
  expect(confirmationText(byTag)).toBe("Finalized by the network, 1 confirmation at present");
  expect(confirmationText({ ...byDepth, minConfirmations: 1_200 })).toBe("At least 1,200 confirmations, as you asked");
});

test("beside the field stand the network's present rule, that it always holds, and the most that can be asked for", () => {
  expect(fieldHint(byDepth)).toBe(
    "12 by default; the network's own rule always holds. A lower number changes nothing. Leave it empty to go by the network alone; at most 7,200, about a day.",
  );
  expect(ruleText({ ...byTag, byRule: 15 })).toBe(
    "15 at present, until the block is finalized; the network's own rule always holds.",
  );
});

test.each([
  ["ethereum", 12, "about 2 minutes"],
  ["ethereum", 5, "about 1 minute"],
  ["ethereum", 4, "less than a minute"],
  ["ethereum", 599, "about 120 minutes"],
  ["ethereum", 600, "about 2 hours"],
  ["ethereum", 7_200, "about 24 hours"],
  ["bsc", 120, "less than a minute"],
])("on %s, %i confirmations take %s", (network, required, words) => {
  expect(waitText({ network, required })).toBe(words);
});
