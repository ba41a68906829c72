import fc from "fast-check";
import { expect, test } from "vitest";
import type { Network } from "@/lib/domain/networks";
import { nextSpan } from "@/lib/watch/blocks/next-span";

type Chain = Pick<Network, "finality" | "blockMs" | "pace">;

const slow: Chain = {
  finality: { by: "depth", depth: 12 },
  blockMs: 12_000,
  pace: { everyMs: 2_000, behindMs: 2_000 },
};
const fast: Chain = {
  finality: { by: "finalized", depth: 120 },
  blockMs: 450,
  pace: { everyMs: 2_000, behindMs: 900 },
};

test("at the head of a slow chain: one block", () => {
  expect(nextSpan(slow, { height: 100, finalizedHeight: 40 }, 99, 2_000)).toEqual({ from: 100, to: 100, isLast: true });
});

test("at the head of a fast chain: all new blocks, and the newest of the last reading again", () => {
  const head = { height: 100, finalizedHeight: 90 };
  expect(nextSpan(fast, head, 94, 2_000)).toEqual({ from: 95, to: 100, isLast: true, again: 2 });
  expect(nextSpan(fast, head, 100, 2_000)).toBeNull();
});

test("far behind a fast chain, or with a head that leaps: final blocks first, and nothing up to that head with them", () => {
  const head = { height: 10_000, finalizedHeight: 9_990 };
  expect(nextSpan(fast, head, 94, 2_000)).toEqual({ from: 95, to: 2_094, isLast: false });
  expect(nextSpan(fast, head, 9_000, 2_000)).toEqual({ from: 9_001, to: 9_990, isLast: false });
  expect(nextSpan(fast, head, 9_990, 2_000)).toEqual({ from: 9_991, to: 10_000, isLast: true, again: 2 });
});

test("at the head of a fast chain whose node takes few blocks at once: all new blocks but the last few", () => {
  const head = { height: 100, finalizedHeight: 90 };
  expect(nextSpan(fast, head, 94, 5)).toEqual({ from: 95, to: 98, isLast: true });
  expect(nextSpan(fast, head, 98, 5)).toBeNull();
});

test("without waiting payers: everything since the last reading in one range up to the head, and its newest blocks again", () => {
  const head = { height: 105, finalizedHeight: 99 };
  expect(nextSpan(slow, head, 95, 2_000, true)).toEqual({ from: 96, to: 105, isLast: true, again: 2 });
  expect(nextSpan(fast, head, 40, 2_000, true)).toEqual({ from: 41, to: 105, isLast: true, again: 2 });
  expect(nextSpan(slow, head, 20, 40, true)).toEqual({ from: 21, to: 58, isLast: false, again: 2 });
  expect(nextSpan(slow, head, 95, 3, true)).toEqual({ from: 96, to: 98, isLast: false });
  expect(nextSpan(slow, head, 103, 3, true)).toBeNull();
  expect(nextSpan(slow, head, 105, 2_000, true)).toBeNull();
});

test("after a pause: ranges up to the finalized block, then block by block", () => {
  const head = { height: 10_000, finalizedHeight: 9_936 };
  expect(nextSpan(slow, head, 5_000, 2_000)).toEqual({ from: 5_001, to: 7_000, isLast: false });
  expect(nextSpan(slow, head, 9_000, 2_000)).toEqual({ from: 9_001, to: 9_936, isLast: false });
  expect(nextSpan(slow, head, 9_936, 2_000)).toEqual({ from: 9_937, to: 9_937, isLast: false });
});

test("a node without a finalized tag: ranges up to the depth", () => {
  expect(nextSpan(slow, { height: 1_000, finalizedHeight: null }, 0, 5_000)?.to).toBe(988);
});

test("a lower head than was read leaves nothing to read", () => {
  expect(nextSpan(slow, { height: 90, finalizedHeight: 40 }, 100, 2_000)).toBeNull();
  expect(nextSpan(fast, { height: 90, finalizedHeight: 80 }, 100, 2_000)).toBeNull();
});

test("spans follow on the cursor without a gap, end at the head, and are never wider than allowed, on any chain", () => {
  const chain = fc.record({
    isFast: fc.boolean(),
    height: fc.integer({ min: 3, max: 5_000 }),
    lag: fc.option(fc.nat(200)),
    spanBlocks: fc.integer({ min: 1, max: 3_000 }),
    cursor: fc.nat(5_000),
  });
  fc.assert(
    fc.property(chain, ({ isFast, height, lag, spanBlocks, cursor }) => {
      const head = { height, finalizedHeight: lag === null ? null : Math.max(0, height - lag) };
      const network = isFast ? fast : slow;
      const end = isFast && spanBlocks <= 10 ? Math.max(0, height - 2) : height;
      let at = cursor;
      for (let span = nextSpan(network, head, at, spanBlocks); span; span = nextSpan(network, head, at, spanBlocks)) {
        expect(span.from).toBe(at + 1);
        expect(span.to).toBeGreaterThanOrEqual(span.from);
        expect(span.to - span.from + (span.again ?? 0)).toBeLessThan(spanBlocks);
        expect(span.isLast).toBe(span.to === end);
        at = span.to;
      }
      expect(at).toBe(Math.max(cursor, end));
    }),
  );
});
