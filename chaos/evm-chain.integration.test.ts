import { describe, expect, test } from "vitest";
import type { ChaosChain } from "@/chaos/chain";
import { createRandom } from "@/chaos/random";
import { startEvmChaosChain } from "@/chaos/start-evm-chain";
import { startTronChaosChain } from "@/chaos/tron-chain";
import { canonicalAddress } from "@/lib/domain/address";
import { getNetwork } from "@/lib/domain/networks";

const CHAINS: Record<string, () => Promise<ChaosChain>> = {
  ethereum: () => startEvmChaosChain(getNetwork("ethereum")),
  bsc: () => startEvmChaosChain(getNetwork("bsc")),
  tron: () => startTronChaosChain(getNetwork("tron")),
};
const PAYMENTS = 400;
const MORE_THAN_ALL = 100;

describe.each(Object.keys(CHAINS))("on %s", (id) => {
  test("whatever reorgs come, also before the first block and while a purse is filled, payers keep their money", async () => {
    const chain = (await CHAINS[id]?.()) as ChaosChain;
    const random = createRandom(7);
    const to = canonicalAddress(chain.network.family, chain.newAddress(random));
    try {
      await chain.reorg("rollBack", MORE_THAN_ALL, random);
      for (let sent = 0; sent < PAYMENTS; sent++) {
        await chain.send([{ currency: "USDT", to, baseUnits: BigInt(sent + 1) }]);
        await chain.mine(random.int(0, 2));
        const depth = random.int(1, chain.deepest);
        if (random.chance(0.1)) await chain.reorg(random.pick(["replace", "rollBack"]), depth, random);
      }
      await chain.settle();
      const truth = await chain.truth(new Set([to]));
      expect(new Set(truth.map(({ txId }) => txId)).size).toBe(truth.length);
      expect(truth.length).toBeGreaterThan(PAYMENTS / 2);
    } finally {
      await chain.stop();
    }
  }, 120_000);
});
