import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Finality, getNetwork } from "@/lib/domain/networks";
import {
  depthOf,
  type FinalityRule,
  finalBefore,
  finalHeight,
  maxConfirmations,
  parseMerchantWait,
  requiredConfirmations,
} from "@/lib/domain/networks/finality";
import { confirmationsAt } from "@/lib/domain/transfers/transfer";
import { inSentences } from "@/testing/problem-sentences";

const byDepth: FinalityRule = { finality: { by: "depth", depth: 12 }, blockMs: 12_000 };
const byTag: FinalityRule = { finality: { by: "finalized", depth: 120 }, blockMs: 450 };

describe("by depth", () => {
  test("a transfer in the head block counts as one confirmation, the twelfth makes it final", () => {
    expect(finalHeight(byDepth, { height: 111, finalizedHeight: null })).toBe(100);
    expect(confirmationsAt(111, 100)).toBe(12);
    expect(requiredConfirmations(byDepth, { height: 111, finalizedHeight: null }, null)).toBe(12);
  });

  test("the node's finalized tag changes nothing where the rule is a depth", () => {
    expect(finalHeight(byDepth, { height: 111, finalizedHeight: 110 })).toBe(100);
    expect(finalHeight(byDepth, { height: 111, finalizedHeight: 20 })).toBe(100);
  });

  test("on a chain younger than the depth nothing is final", () => {
    expect(finalHeight(byDepth, { height: 5, finalizedHeight: 3 })).toBeLessThan(0);
  });
});

describe("by the finalized tag", () => {
  test("the node's finalized block is final, the next one is not", () => {
    expect(finalHeight(byTag, { height: 1_000, finalizedHeight: 996 })).toBe(996);
  });

  test("where a node has no such tag the depth serves", () => {
    expect(finalHeight(byTag, { height: 1_000, finalizedHeight: null })).toBe(881);
    expect(requiredConfirmations(byTag, { height: 1_000, finalizedHeight: null }, null)).toBe(120);
  });

  test("a tag ahead of the head that was seen makes nothing final that was not seen", () => {
    expect(finalHeight(byTag, { height: 1_000, finalizedHeight: 1_003 })).toBe(1_000);
    expect(requiredConfirmations(byTag, { height: 1_000, finalizedHeight: 1_003 }, null)).toBe(1);
  });
});

test("before a chain was read, the depth is shown", () => {
  expect(requiredConfirmations(byDepth, null, null)).toBe(12);
  expect(requiredConfirmations(byTag, null, null)).toBe(120);
});

const confirmations = (minConfirmations: number | null) => ({ minConfirmations, minSeconds: null });
const seconds = (minSeconds: number) => ({ minConfirmations: null, minSeconds });

describe("a depth that is a time", () => {
  const network: FinalityRule = { finality: { by: "depth", depth: 20, ms: 40_000 }, blockMs: 2_000 };
  const head = { height: 1_000, finalizedHeight: null };

  test("is as many blocks as the time takes at the chain's present pace", () => {
    expect(depthOf(network, null)).toBe(20);
    expect(finalHeight(network, { ...head, blockMs: 200 })).toBe(801);
    expect(requiredConfirmations(network, { ...head, blockMs: 200 }, null)).toBe(200);
  });

  test("is never fewer blocks than the table has, however slow the chain becomes", () => {
    expect(finalHeight(network, { ...head, blockMs: 12_000 })).toBe(981);
  });

  test("uses the blocks' own times too, regardless of the measured one", () => {
    const time = new Date("2026-11-05T12:00:40Z");
    expect(finalBefore(network, { ...head, time })).toEqual(new Date("2026-11-05T12:00:00Z"));
  });

  test("is a number of blocks without a time where the table has one, or where the chain has a finality tag", () => {
    const time = new Date("2026-11-05T12:00:40Z");
    expect(finalBefore(byDepth, { ...head, time })).toBeNull();
    const tagged: FinalityRule = { ...network, finality: { by: "finalized", depth: 20, ms: 40_000 } };
    expect(finalBefore(tagged, { ...head, finalizedHeight: 990, time })).toBeNull();
    expect(finalBefore(tagged, { ...head, time })).toEqual(new Date("2026-11-05T12:00:00Z"));
  });
});

describe("a merchant's own wait", () => {
  const head = { height: 1_000, finalizedHeight: 986 };

  test("holds where it is more than the network's rule, and changes nothing where it is not", () => {
    expect(requiredConfirmations(byDepth, head, confirmations(13))).toBe(13);
    expect(requiredConfirmations(byDepth, head, confirmations(12))).toBe(12);
    expect(requiredConfirmations(byDepth, head, confirmations(1))).toBe(12);
    expect(requiredConfirmations(byTag, head, confirmations(16))).toBe(16);
    expect(requiredConfirmations(byTag, head, confirmations(15))).toBe(15);
    expect(requiredConfirmations(byTag, head, confirmations(2))).toBe(15);
    expect(requiredConfirmations(byDepth, null, confirmations(40))).toBe(40);
  });

  test("is as many confirmations as its time takes at the chain's present pace", () => {
    expect(requiredConfirmations(byDepth, head, seconds(600))).toBe(50);
    expect(requiredConfirmations(byDepth, { ...head, blockMs: 1_000 }, seconds(600))).toBe(600);
    expect(requiredConfirmations(byDepth, head, seconds(60))).toBe(12);
  });

  test.each([
    ["ethereum", 7_200],
    ["bsc", 192_000],
    ["tron", 28_800],
    ["solana", 432_000],
  ])("takes at most a day on %s", (id, maximum) => {
    const network = getNetwork(id);
    expect(maxConfirmations(network)).toBe(maximum);
    expect(parseMerchantWait(network, String(maximum))).toEqual(confirmations(maximum));
    expect(inSentences(parseMerchantWait(network, String(maximum + 1)))).toEqual({
      problem: `Enter at most ${maximum.toLocaleString("en")} confirmations, which take about a day on ${network.name}`,
    });
  });

  test("is a whole number, a time, or nothing", () => {
    const ethereum = getNetwork("ethereum");
    expect(parseMerchantWait(ethereum, " 30 ")).toEqual(confirmations(30));
    expect(parseMerchantWait(ethereum, "  ")).toEqual(confirmations(null));
    for (const text of ["600s", "600 s", "10 min", "10m", "10 Minutes", "600 seconds"])
      expect(parseMerchantWait(ethereum, text), text).toEqual(seconds(600));
    expect(parseMerchantWait(ethereum, "24h")).toEqual(seconds(86_400));
    expect(inSentences(parseMerchantWait(ethereum, "25 h"))).toEqual({ problem: "Enter at most 24 h" });
    for (const text of ["0", "000", "-1", "1.5", "1e3", "many", "0x10", "٣", "0 min", "5 days", "1.5 h"])
      expect(inSentences(parseMerchantWait(ethereum, text)), text).toEqual({
        problem: "Enter a whole number from 1 to 7,200, a time such as 90 s, 10 min or 2 h, or leave the field empty",
      });
  });
});

test("a transfer is confirmed exactly when it has the announced confirmations", () => {
  const finality = fc.record({ by: fc.constantFrom("depth", "finalized"), depth: fc.integer({ min: 1, max: 500 }) });
  const heights = fc.record({ height: fc.nat(1_000_000), lag: fc.option(fc.nat(300)), age: fc.nat(900) });
  const requirement = fc.option(fc.integer({ min: 1, max: 800 }));
  fc.assert(
    fc.property(finality, heights, requirement, (rule, { height, lag, age }, wished) => {
      const network = { finality: rule as Finality, blockMs: 1_000 };
      const head = { height, finalizedHeight: lag === null ? null : height - lag };
      const block = height - age;
      const has = confirmationsAt(height, block);
      const isFinal = block <= finalHeight(network, head) && has >= (wished ?? 0);
      expect(has >= requiredConfirmations(network, head, confirmations(wished))).toBe(isFinal);
    }),
  );
});
