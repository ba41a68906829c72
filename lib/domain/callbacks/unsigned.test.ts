import { expect, test } from "vitest";
import { unsignedWaitMs } from "@/lib/domain/callbacks/unsigned";

test("a callback that cannot be signed is tried again after 10 s, then after as long as it has waited, at most every 30 min", () => {
  expect([0, 5_000, 40_000, 86_400_000].map((waitedMs) => unsignedWaitMs(waitedMs, 0.5))).toEqual([
    10_000, 10_000, 40_000, 1_800_000,
  ]);
  expect([0, 1].map((random) => unsignedWaitMs(100_000, random))).toEqual([80_000, 120_000]);
});
