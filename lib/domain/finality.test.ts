import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { finalHeight, requiredConfirmations } from "@/lib/domain/finality";
import type { Finality } from "@/lib/domain/networks";
import { confirmationsAt } from "@/lib/domain/transfer";

const byDepth: { finality: Finality } = { finality: { by: "depth", depth: 12 } };
const byTag: { finality: Finality } = { finality: { by: "finalized", depth: 120 } };

describe("by depth", () => {
  test("a transfer in the head block counts as one confirmation, the twelfth makes it final", () => {
    expect(finalHeight(byDepth, { height: 111, finalizedHeight: null })).toBe(100);
    expect(confirmationsAt(111, 100)).toBe(12);
    expect(requiredConfirmations(byDepth, { height: 111, finalizedHeight: null })).toBe(12);
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
    expect(requiredConfirmations(byTag, { height: 1_000, finalizedHeight: null })).toBe(120);
  });

  test("a tag ahead of the head that was seen makes nothing final that was not seen", () => {
    expect(finalHeight(byTag, { height: 1_000, finalizedHeight: 1_003 })).toBe(1_000);
    expect(requiredConfirmations(byTag, { height: 1_000, finalizedHeight: 1_003 })).toBe(1);
  });
});

test("before a chain was heard, people are told the depth", () => {
  expect(requiredConfirmations(byDepth, null)).toBe(12);
  expect(requiredConfirmations(byTag, null)).toBe(120);
});

test("a transfer is final exactly when it has the confirmations that people were told", () => {
  const finality = fc.record({ by: fc.constantFrom("depth", "finalized"), depth: fc.integer({ min: 1, max: 500 }) });
  const heights = fc.record({ height: fc.nat(1_000_000), lag: fc.option(fc.nat(300)), age: fc.nat(900) });
  fc.assert(
    fc.property(finality, heights, (rule, { height, lag, age }) => {
      const network = { finality: rule as Finality };
      const head = { height, finalizedHeight: lag === null ? null : height - lag };
      const block = height - age;
      const isFinal = block <= finalHeight(network, head);
      expect(confirmationsAt(height, block) >= requiredConfirmations(network, head)).toBe(isFinal);
    }),
  );
});
