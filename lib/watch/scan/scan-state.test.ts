import { expect, test } from "vitest";
import { growSpan, newScanMemory, noteSingle, shrinkSpan } from "@/lib/watch/scan/scan-state";

test("ranges begin at 2,000 blocks, double while they succeed, and stop at 10,000", () => {
  const memory = newScanMemory();
  const spans = [2_000, 4_000, 8_000, 10_000, 10_000];
  for (const span of spans) {
    expect(memory.spanBlocks).toBe(span);
    growSpan(memory, span);
  }
});

test("a shorter range than was allowed reveals nothing about longer ones", () => {
  const memory = newScanMemory();
  growSpan(memory, 7);
  expect(memory.spanBlocks).toBe(2_000);
});

test("every refusal halves the range, down to one block, and a working one is remembered", () => {
  const memory = newScanMemory();
  for (let blocks = 2_000; blocks > 10; blocks = memory.spanBlocks) shrinkSpan(memory, blocks);
  expect(memory.spanBlocks).toBe(7);
  for (let round = 0; round < 5; round++) shrinkSpan(memory, memory.spanBlocks);
  expect(memory.spanBlocks).toBe(1);
});

test("the longest range that a node takes is found, kept to, and doubted again after 200 answers", () => {
  const memory = newScanMemory();
  const asked: number[] = [];
  for (let round = 0; round < 230; round++) {
    asked.push(memory.spanBlocks);
    if (memory.spanBlocks > 10) shrinkSpan(memory, memory.spanBlocks);
    else growSpan(memory, memory.spanBlocks);
  }
  const search = [2_000, 1_000, 500, 250, 125, 62, 31, 15, 7, 11, 7, 9, 10];
  expect(asked.slice(0, search.length)).toEqual(search);
  expect(asked.slice(search.length, search.length + 197)).toEqual(new Array(197).fill(10));
  expect(asked[search.length + 197]).toBe(20);
  expect(asked.at(-1)).toBe(10);
});

test("a node that suddenly takes less than before is asked for half of it", () => {
  const memory = newScanMemory();
  growSpan(memory, 2_000);
  growSpan(memory, 4_000);
  shrinkSpan(memory, 3_000);
  expect(memory.spanBlocks).toBe(1_500);
});

test("a scanner that was brought down to single blocks tries ranges again after fifty of them", () => {
  const memory = newScanMemory();
  noteSingle(memory);
  expect(memory.spanBlocks).toBe(2_000);
  shrinkSpan(memory, 2);
  for (let block = 0; block < 49; block++) noteSingle(memory);
  expect(memory.spanBlocks).toBe(1);
  noteSingle(memory);
  expect(memory.spanBlocks).toBe(2);
});
