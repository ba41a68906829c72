import { describe, expect, test } from "vitest";
import { type ContractSection, openEndpoints } from "@/testing/chains/contract/driver";
import { acceptsRangesOf, lostPast } from "@/testing/chains/contract/faults";

const MANY = 60;
const FEW = 7;
const STEP_MS = 5_000;

/** Tests reading after a pause and across missing blocks. */
export const testGaps: ContractSection = (endpoints, driver) => {
  const { blocks } = driver;

  describe("gaps", () => {
    test("a long pause is read to its end, from a node that takes few blocks at once", async () => {
      const [node] = await openEndpoints(endpoints, driver, 0);
      const watched = await endpoints.watch([node.url]);
      node.fault = acceptsRangesOf(FEW);
      for (let count = 0; count < 3; count++) {
        await watched.pay();
        await watched.mine(MANY);
      }
      await watched.mine(blocks.final + blocks.verify);
      await watched.until(watched.isTrue);
    });

    test("slots without a block are passed over", async () => {
      const { skip } = endpoints.world.chain;
      if (!skip) return;
      const [node] = await openEndpoints(endpoints, driver, 0);
      const watched = await endpoints.watch([node.url]);
      for (const slots of [1, 9, 20]) {
        await skip(slots);
        await watched.pay();
        await watched.rounds(1);
      }
      await watched.mine(blocks.final);
      await watched.until(watched.isTrue);
    });

    test("a node that has lost the blocks of a pause is not believed; another one shows what was in them", async () => {
      const [pruned, whole] = await openEndpoints(endpoints, driver, 1);
      const watched = await endpoints.watch([pruned.url]);
      await watched.pay();
      await watched.mine(blocks.pruned);
      pruned.fault = lostPast(endpoints.world.chain.height - FEW);
      const before = (await watched.cursor())?.height ?? 0;
      await watched.rounds(6, STEP_MS);
      expect([await watched.seen(), (await watched.cursor())?.height]).toEqual([0, before]);
      await watched.restart([pruned.url, whole?.url ?? ""]);
      await watched.mine(blocks.final + blocks.verify);
      await watched.until(watched.isTrue);
    });
  });
};
