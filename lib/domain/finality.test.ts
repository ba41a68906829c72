import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type FinalityRule,
  finalHeight,
  judgeMinConfirmations,
  mostConfirmations,
  requiredConfirmations,
} from "@/lib/domain/finality";
import { type Finality, getNetwork } from "@/lib/domain/networks";
import { confirmationsAt } from "@/lib/domain/transfer";

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
  test("what the node calls finalized is final, the block after it is not", () => {
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

test("before a chain was heard, people are told the depth", () => {
  expect(requiredConfirmations(byDepth, null, null)).toBe(12);
  expect(requiredConfirmations(byTag, null, null)).toBe(120);
});

describe("a merchant's own number", () => {
  const head = { height: 1_000, finalizedHeight: 986 };

  test("holds where it is more than the network's rule, and changes nothing where it is not", () => {
    expect(requiredConfirmations(byDepth, head, 13)).toBe(13);
    expect(requiredConfirmations(byDepth, head, 12)).toBe(12);
    expect(requiredConfirmations(byDepth, head, 1)).toBe(12);
    expect(requiredConfirmations(byTag, head, 16)).toBe(16);
    expect(requiredConfirmations(byTag, head, 15)).toBe(15);
    expect(requiredConfirmations(byTag, head, 2)).toBe(15);
    expect(requiredConfirmations(byDepth, null, 40)).toBe(40);
  });

  test.each([
    ["ethereum", 7_200],
    ["bsc", 192_000],
    ["tron", 28_800],
    ["solana", 432_000],
  ])("takes at most a day on %s", (id, most) => {
    const network = getNetwork(id);
    expect(mostConfirmations(network)).toBe(most);
    expect(judgeMinConfirmations(network, String(most))).toEqual({ minConfirmations: most });
    expect(judgeMinConfirmations(network, String(most + 1))).toEqual({
      problem: `Use at most ${most.toLocaleString("en")}: on ${network.name} they take about a day`,
    });
  });

  test("is a whole number, or nothing", () => {
    const ethereum = getNetwork("ethereum");
    expect(judgeMinConfirmations(ethereum, " 30 ")).toEqual({ minConfirmations: 30 });
    expect(judgeMinConfirmations(ethereum, "  ")).toEqual({ minConfirmations: null });
    for (const text of ["0", "000", "-1", "1.5", "1e3", "many", "0x10", "٣"])
      expect(judgeMinConfirmations(ethereum, text), text).toEqual({
        problem: "Use a whole number from 1 to 7,200, or leave it empty",
      });
  });
});

test("a transfer is confirmed exactly when it has the confirmations that people were told", () => {
  const finality = fc.record({ by: fc.constantFrom("depth", "finalized"), depth: fc.integer({ min: 1, max: 500 }) });
  const heights = fc.record({ height: fc.nat(1_000_000), lag: fc.option(fc.nat(300)), age: fc.nat(900) });
  const wish = fc.option(fc.integer({ min: 1, max: 800 }));
  fc.assert(
    fc.property(finality, heights, wish, (rule, { height, lag, age }, minConfirmations) => {
      const network = { finality: rule as Finality, blockMs: 1_000 };
      const head = { height, finalizedHeight: lag === null ? null : height - lag };
      const block = height - age;
      const confirmations = confirmationsAt(height, block);
      const isFinal = block <= finalHeight(network, head) && confirmations >= (minConfirmations ?? 0);
      expect(confirmations >= requiredConfirmations(network, head, minConfirmations)).toBe(isFinal);
    }),
  );
});
