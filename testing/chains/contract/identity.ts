import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChaosChain, ChaosPayment } from "@/chaos/chains/chain";
import { swapEndpoint } from "@/chaos/faults/swapped-endpoint";
import { createRandom } from "@/chaos/plan/random";
import { type ContractSection, openEndpoints } from "@/testing/chains/contract/driver";

const FAR_AHEAD = 200;
/** The length of the chain that a different one replaces. */
const OWN_BLOCKS = 60;
const MINUTE_MS = 60_000;

/** Tests a URL that suddenly serves a different chain. */
export const testIdentity: ContractSection = (endpoints, driver) => {
  const { blocks } = driver;

  describe("a URL that serves another chain from one moment to the next", () => {
    let other: ChaosChain;
    beforeAll(async () => {
      other = await endpoints.start();
    });
    afterAll(() => other.stop());

    /**
     * Returns a fault that serves a different chain, on which all requested amounts are paid and final.
     * @param ahead the number of blocks by which the other chain is ahead of this one; null if it is behind
     */
    async function swapped(payments: readonly ChaosPayment[], ahead: number | null) {
      const missing = ahead === null ? 0 : endpoints.world.chain.height + ahead - other.height - OWN_BLOCKS;
      return swapEndpoint(other, payments, {
        ...createRandom(1),
        chance: () => missing > 0,
        int: () => missing,
      });
    }

    test.each([
      ["far ahead", FAR_AHEAD],
      ["as high", 0],
      ["behind", null],
    ] as const)("(%s) moves nothing and credits nothing; swapped back it is read on", async (_where, ahead) => {
      const [node] = await openEndpoints(endpoints, driver, 0);
      const watched = await endpoints.watch([node.url]);
      const expected = await watched.wait();
      const { height, hash, headHeight } = (await watched.cursor()) ?? {};
      node.fault = await swapped([expected], ahead);
      await watched.rounds(4);
      expect(await watched.ledger()).toEqual([]);
      expect(await watched.cursor()).toMatchObject({ height, hash, headHeight });
      node.fault = undefined;
      await watched.round(MINUTE_MS);
      await watched.pay();
      await watched.mine(blocks.final);
      await watched.until(watched.isTrue);
    });

    test("is not believed beside one that does not", async () => {
      const [node, good] = await openEndpoints(endpoints, driver, 1);
      const watched = await endpoints.watch([node.url, good?.url ?? ""]);
      node.fault = await swapped([await watched.wait()], FAR_AHEAD);
      await watched.pay();
      await watched.mine(blocks.final + blocks.verify);
      await watched.until(watched.isTrue);
    });

    test("neither confirms a payment of that chain nor takes back one of ours", async () => {
      const [node] = await openEndpoints(endpoints, driver, 0);
      const watched = await endpoints.watch([node.url]);
      await watched.pay();
      await watched.mine(blocks.final);
      await watched.until(watched.isTrue);
      const [ours] = await watched.ledger();
      if (!ours) throw new Error("The payment was not read");
      const transfer = { ...ours, to: ours.toAddress };
      node.fault = await swapped([{ currency: "USDT", to: transfer.to, baseUnits: transfer.baseUnits }], FAR_AHEAD);
      const theirs = await other.expected(new Set([transfer.to]));
      expect(theirs).toHaveLength(1);
      for (const one of [transfer, { ...transfer, txId: theirs[0]?.txId ?? "" }]) {
        const finality = await watched.reader?.checker.checkFinality(one).catch(() => ({ kind: "no response" }));
        expect(["unclear", "no response"]).toContain(finality?.kind);
      }
    });
  });
};
