import { expect, test } from "vitest";
import { falsifyTimes } from "@/chaos/faults/false-times";
import type { Exchange } from "@/chaos/faults/fault-proxy";
import { createRandom } from "@/chaos/plan/random";

/** Returns the false response that the endpoint sends instead of `result`. */
async function answerTo(seed: number, method: string, params: unknown[], result: unknown): Promise<unknown> {
  let answer: unknown;
  const pass = async () => ({ result });
  const exchange = { call: { method, params }, pass, answer: (given: unknown) => (answer = given) };
  await falsifyTimes(createRandom(seed))(exchange as unknown as Exchange);
  return answer;
}

const SECONDS = 1_800_000_000;
const evm = (height: number) => ({
  number: `0x${height.toString(16)}`,
  hash: "0xab",
  timestamp: `0x${SECONDS.toString(16)}`,
});
const tron = (number: number) => ({
  blockID: "ab",
  block_header: { raw_data: { number, timestamp: SECONDS * 1_000 } },
});
const timeOfEvm = (block: unknown) => Number((block as { timestamp: string }).timestamp);

test("the same block has the same false time wherever an endpoint returns it, and everything else stays", async () => {
  const times = new Set<number>();
  const shifted = new Set<boolean>();
  for (let seed = 0; seed < 40; seed++) {
    for (const height of [100, 101, 102, 103]) {
      const header = await answerTo(seed, "eth_getBlockByNumber", ["0x64", false], evm(height));
      const byHash = await answerTo(seed, "eth_getBlockByHash", ["0xab", false], evm(height));
      expect(header).toMatchObject({ hash: "0xab", number: evm(height).number });
      expect(byHash).toEqual(header);
      const moved = timeOfEvm(header) - SECONDS;
      times.add(Math.abs(moved) / 3_600);
      shifted.add(moved > 0);
      const { block_header } = (await answerTo(
        seed,
        "/wallet/getblockbynum",
        [{ num: height }],
        tron(height),
      )) as ReturnType<typeof tron>;
      expect(block_header.raw_data).toEqual({ number: height, timestamp: (SECONDS + moved) * 1_000 });
      const entry = { slot: height, blockTime: SECONDS };
      const history = await answerTo(seed, "getSignaturesForAddress", ["account", {}], [entry]);
      expect(history).toEqual([{ slot: height, blockTime: SECONDS + moved }]);
      expect(await answerTo(seed, "getTransaction", ["signature", {}], entry)).toEqual({
        ...entry,
        blockTime: SECONDS + moved,
      });
      const block = await answerTo(seed, "getBlock", [height, {}], { blockhash: "ab", blockTime: SECONDS });
      expect(block).toMatchObject({ blockhash: "ab", blockTime: SECONDS + moved });
    }
  }
  expect(Math.max(...times)).toBeLessThanOrEqual(12);
  expect([...times].filter((hours) => hours > 0 && hours < 1)).toEqual([]);
  expect(times).toContain(0);
  expect(shifted).toEqual(new Set([true, false]));
});

test("responses without times stay unchanged", async () => {
  const first = { blockID: "00", block_header: { raw_data: {} } };
  expect(await answerTo(1, "/wallet/getblock", [{}], first)).toEqual(first);
  expect(await answerTo(1, "eth_getBlockByHash", ["0xab", false], null)).toBeNull();
  expect(await answerTo(1, "eth_chainId", [], "0x1")).toBe("0x1");
});
