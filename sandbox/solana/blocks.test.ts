import { expect, test } from "vitest";
import { Blocks } from "@/sandbox/solana/blocks";
import type { StoredTransaction } from "@/sandbox/solana/transactions/stored-transaction";

const transaction = (signature: string): StoredTransaction => ({
  signature,
  raw: "",
  meta: {
    err: null,
    fee: 0,
    preBalances: [],
    postBalances: [],
    preTokenBalances: [],
    postTokenBalances: [],
    innerInstructions: [],
    logMessages: [],
    loadedAddresses: { writable: [], readonly: [] },
    computeUnitsConsumed: 0,
  },
});

function someBlocks(): Blocks {
  const blocks = new Blocks();
  blocks.add({ slot: 2, transactions: [transaction("a")], keys: [["alice", "bob"]] });
  blocks.skip(3);
  blocks.skip(4);
  blocks.add({ slot: 6, transactions: [transaction("b"), transaction("c")], keys: [["bob"], ["alice", "alice"]] });
  return blocks;
}

test("heights count blocks, not slots, and a block's parent is the last one that there is", () => {
  const blocks = someBlocks();
  expect([2, 5, 6].map((slot) => blocks.height(slot))).toEqual([2, 3, 4]);
  expect([1, 3, 5].map((slot) => blocks.parent(slot))).toEqual([0, 2, 2]);
  expect(blocks.previousHash(5)).toBe(blocks.hash(2));
  expect(blocks.recent(7, 3).map((block) => block.slot)).toEqual([6, 5, 2]);
});

test("a fork changes hashes above it and none below, and forgets the transactions above it", () => {
  const blocks = someBlocks();
  const before = blocks.hash(6);
  const kept = blocks.hash(2);
  expect(blocks.fork(3, "other").map((block) => block.slot)).toEqual([6]);
  expect(blocks.hash(6)).not.toBe(before);
  expect(blocks.hash(2)).toBe(kept);
  expect([3, 4].map((slot) => blocks.isSkipped(slot))).toEqual([true, false]);
  expect(blocks.positionOf("b")).toBeUndefined();
  expect(blocks.positionsOf("alice").map((positionOf) => positionOf.transaction.signature)).toEqual(["a"]);
  expect(blocks.fullAfter(0).map((block) => block.slot)).toEqual([2]);
});
