import { expect, test } from "vitest";
import {
  confirmationText,
  fieldHint,
  ruleText,
  typedWait,
  waitText,
} from "@/components/dashboard/addresses/confirmation-text";
import { translator } from "@/testing/in-english";

const t = translator("confirmations");

const byDepth = {
  network: "ethereum",
  by: "depth",
  byRule: 12,
  minConfirmations: null,
  minSeconds: null,
  required: 12,
  max: 7_200,
  blockMs: 12_000,
} as const;
const byTag = {
  ...byDepth,
  network: "bsc",
  by: "finalized",
  byRule: 1,
  required: 1,
  max: 192_000,
  blockMs: 450,
} as const;

test("the rule in force is described: the network's rule, or the merchant's setting", () => {
  expect(confirmationText(byDepth, t)).toBe("12 confirmations");
  expect(confirmationText(byTag, t)).toBe("Finalized by the network, currently 1 confirmation");
  expect(confirmationText({ ...byDepth, minConfirmations: 1_200 }, t)).toBe(
    "At least 1,200 confirmations (your setting)",
  );
  expect(confirmationText({ ...byDepth, minSeconds: 600 }, t)).toBe("At least 10 min (your setting)");
});

test("the hint of the field has the network's current rule and the maximum", () => {
  expect(fieldHint(byDepth, t)).toBe(
    "12 by default. The network rule always applies. You can also enter a time, such as 90 s, 10 min or 2 h. Values below the rule have no effect. Leave it empty for the network rule. Maximum 7,200, about a day.",
  );
  expect(ruleText({ ...byTag, byRule: 15 }, t)).toBe(
    "Currently 15 until the block is finalized. The network rule always applies.",
  );
});

test.each([
  [12_000, 12, "about 2 minutes"],
  [12_000, 5, "about 1 minute"],
  [12_000, 4, "less than a minute"],
  [12_000, 599, "about 120 minutes"],
  [12_000, 600, "about 2 hours"],
  [12_000, 7_200, "about 24 hours"],
  [450, 120, "less than a minute"],
])("with a block every %i ms, %i confirmations take %s", (blockMs, required, message) => {
  expect(waitText({ blockMs, required }, t)).toBe(message);
});

test("the configured rule is in the field as a user would type it", () => {
  expect(typedWait({ minConfirmations: null, minSeconds: null })).toBe("");
  expect(typedWait({ minConfirmations: 30, minSeconds: null })).toBe("30");
  for (const [minSeconds, text] of [
    [90, "90 s"],
    [600, "10 min"],
    [7_200, "2 h"],
    [86_400, "24 h"],
  ] as const)
    expect(typedWait({ minConfirmations: null, minSeconds })).toBe(text);
});
