import { decodeFunctionData, parseAbi } from "viem";
import { expect, test } from "vitest";
import { MAX_IN_BATCH, sweepBatches } from "@/lib/domain/addresses/sweep";

const TREASURY = `0x${"7e".repeat(20)}`;
const TOKENS = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`] as const;
const ABI = parseAbi(["function deployAndSweep(address treasury, bytes32[] salts, address[] tokens)"]);

test("each receiver is in one transaction, with at most fifty each, and only with the tokens it holds", () => {
  const held = Array.from({ length: 120 }, (_, step) => ({ index: 120 - step, token: TOKENS[0] }));
  const batches = sweepBatches(TREASURY, [...held, { index: 3, token: TOKENS[1] }]);
  expect(batches.map(({ indexes }) => indexes.length)).toEqual([MAX_IN_BATCH, MAX_IN_BATCH, 20]);
  expect(batches.flatMap(({ indexes }) => indexes)).toEqual(Array.from({ length: 120 }, (_, step) => step + 1));
  expect(batches.map(({ tokens }) => tokens)).toEqual([[...TOKENS], [TOKENS[0]], [TOKENS[0]]]);
  for (const { data, indexes, tokens } of batches) {
    const { args } = decodeFunctionData({ abi: ABI, data: data as `0x${string}` });
    const [treasury, salts, sent] = args;
    expect(treasury.toLowerCase()).toBe(TREASURY);
    expect(salts.map(Number)).toEqual(indexes);
    expect(sent.map((token) => token.toLowerCase())).toEqual(tokens);
  }
  expect(sweepBatches(TREASURY, [])).toEqual([]);
});
