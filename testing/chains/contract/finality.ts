import { describe, expect, test } from "vitest";
import { type ContractSection, openEndpoints } from "@/testing/chains/contract/driver";
import { showsHeadAhead } from "@/testing/chains/contract/faults";

const FAR = 1_000;
const STEP_MS = 2_000;

/** Tests the time at which a payment is confirmed. */
export const testFinality: ContractSection = (endpoints, driver) => {
  const { blocks } = driver;

  describe("finality", () => {
    test("a payment is confirmed once it is final by the rule of its network, and not a block earlier", async () => {
      const [node] = await openEndpoints(endpoints, driver, 0);
      const watched = await endpoints.watch([node.url]);
      await watched.pay();
      await watched.until(async () => (await watched.seen()) === 1);
      // A round fails the test if it confirms a transfer that is not final on the chain.
      for (let count = 0; count < blocks.final && watched.expected.length === 0; count++) {
        expect(await watched.paid()).toBe(0);
        await watched.mine(1);
        await watched.rounds(2, STEP_MS);
      }
      await watched.mine(2);
      await watched.until(watched.isTrue);
    });

    test.each([0, 1])(
      "an endpoint whose head is far ahead of its blocks confirms nothing earlier (%i beside it)",
      async (others) => {
        const [node, ...rest] = await openEndpoints(endpoints, driver, others);
        const watched = await endpoints.watch([node.url, ...rest.map(({ url }) => url)]);
        await watched.pay();
        await watched.mine(1);
        await watched.until(async () => (await watched.seen()) === 1);
        node.fault = showsHeadAhead(FAR);
        await watched.rounds(4, STEP_MS);
        expect(await watched.paid()).toBe(0);
        await watched.mine(blocks.final);
        if (others === 0) {
          await watched.rounds(2, STEP_MS);
          node.fault = undefined;
        }
        await watched.mine(blocks.verify);
        await watched.until(watched.isTrue);
      },
    );
  });
};
