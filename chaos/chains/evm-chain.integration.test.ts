import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ChaosChain } from "@/chaos/chains/chain";
import { SMALL_PURSE } from "@/chaos/chains/evm-payers";
import { startEvmChaosChain } from "@/chaos/chains/start-evm-chain";
import { startTronChaosChain } from "@/chaos/chains/tron-chain";
import { quantity } from "@/chaos/faults/evm-falsifications";
import { createRandom } from "@/chaos/plan/random";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { getNetwork } from "@/lib/domain/networks";
import { jsonRpcAll } from "@/sandbox/nodes/json-rpc";

/** The number of funded accounts: fewer than payments, so that accounts are funded several times. */
const PURSE = 96;
const PAYMENTS = 400;
const CHAINS: Record<string, () => Promise<ChaosChain>> = {
  ethereum: () => startEvmChaosChain(getNetwork("ethereum"), { purse: PURSE }),
  bsc: () => startEvmChaosChain(getNetwork("bsc"), { purse: PURSE }),
  // On chains with time-based finality, hundreds of payments are sent before a batch of funded accounts is final.
  optimism: () => startEvmChaosChain(getNetwork("optimism")),
  tron: () => startTronChaosChain(getNetwork("tron"), { purse: PURSE }),
};
const MORE_THAN_ALL = 100;

describe.each(Object.keys(CHAINS))("on %s", (id) => {
  const random = createRandom(7);
  let chain: ChaosChain;
  let to: string;

  beforeEach(async () => {
    chain = (await CHAINS[id]?.()) as ChaosChain;
    to = canonicalAddress(chain.network.family, chain.newAddress(random));
  });
  afterEach(() => chain.stop());
  const pay = (baseUnits: number) => chain.send([{ currency: "USDT", to, baseUnits: BigInt(baseUnits) }]);

  test("payers keep their money through all reorgs, also before the first block and while an account is funded", async () => {
    await chain.reorg("rollBack", MORE_THAN_ALL, random);
    for (let sent = 0; sent < PAYMENTS; sent++) {
      await pay(sent + 1);
      if (random.chance(0.05)) chain.setBlockMs?.(random.pick([200, 1_000, 12_000]));
      await chain.mine(random.int(0, 2));
      const depth = random.int(1, Math.min(chain.deepest, 12));
      if (random.chance(0.1)) await chain.reorg(random.pick(["replace", "rollBack"]), depth, random);
    }
    await chain.settle();
    const expected = await chain.expected(new Set([to]));
    expect(new Set(expected.map(({ txId }) => txId)).size).toBe(expected.length);
    expect(expected.length).toBeGreaterThan(PAYMENTS / 2);
  }, 120_000);

  test.each(["replace", "rollBack"] as const)(
    "a payment is never dated before it was sent, also after a reorg (%s)",
    async (how) => {
      const startedAt = Date.now();
      await vi.waitUntil(() => Date.now() > startedAt + 2_000, { timeout: 10_000 });
      const sentAt = Date.now();
      await chain.reorg(how, chain.deepest, random);
      await pay(1);
      await chain.settle();
      const [transfer] = await chain.expected(new Set([to]));
      expect(transfer?.blockTime.getTime()).toBeGreaterThanOrEqual(Math.floor(sentAt / 1_000) * 1_000);
    },
  );
});

test.each([200, 1_000, 12_000])("blocks take %i ms by their own times", async (blockMs) => {
  const chain = await startEvmChaosChain(getNetwork("optimism"), { purse: SMALL_PURSE });
  const to = canonicalAddress("evm", chain.newAddress(createRandom(1)));
  const pay = (baseUnits: bigint) => chain.send([{ currency: "USDT", to, baseUnits }]);
  await chain.mine(1);
  const from = chain.height;
  chain.setBlockMs?.(blockMs);
  await pay(1n);
  await chain.mine(50);
  await pay(2n);
  await chain.mine(1);
  await chain.settle();
  const [first, second] = await chain.expected(new Set([to]), from);
  const apartMs = (second?.blockTime.getTime() ?? 0) - (first?.blockTime.getTime() ?? 0);
  expect(Math.abs(apartMs - 50 * blockMs)).toBeLessThanOrEqual(1_000);
  await chain.stop();
});

test("no block is dated before the one below it, even if the node's clock passes a second while it mines", async () => {
  const chain = await startEvmChaosChain(getNetwork("bsc"), { purse: SMALL_PURSE });
  chain.setBlockMs?.(20);
  for (let round = 0; round < 10; round++) {
    await vi.waitUntil(() => Date.now() % 1_000 > 985, { interval: 1, timeout: 10_000 });
    await chain.mine(25);
  }
  const heights = Array.from({ length: chain.height }, (_, index) => index + 1);
  const calls = heights.map((height) => ["eth_getBlockByNumber", [quantity(height), false]] as const);
  const blocks = (await jsonRpcAll(chain.urls[0] ?? "", calls)) as { timestamp: string }[];
  await chain.stop();
  const times = blocks.map(({ timestamp }) => Number(timestamp));
  expect(times).toEqual(times.toSorted((one, other) => one - other));
});
