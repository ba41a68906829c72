import { describe, expect, test } from "vitest";
import type { Fault } from "@/chaos/faults/fault-proxy";
import { type ContractSection, openEndpoints } from "@/testing/chains/contract/driver";
import { down } from "@/testing/chains/contract/faults";

/** The number of rounds in four minutes. */
const FOUR_MINUTES = 8;
const STEP_MS = 30_000;

/** Tests confirmation when two of three endpoints must agree. */
export const testQuorum: ContractSection = (endpoints, driver) => {
  const { network, blocks } = driver;
  const falsifications = Object.entries(driver.falseReceipts);

  describe("where two of three endpoints must agree", () => {
    /** Creates a payment that was seen, and that becomes final after the faults are applied. */
    async function seen(fault: (index: number) => Fault | undefined) {
      const three = await openEndpoints(endpoints, { ...driver, beside: driver.api ?? 0 }, 2);
      const watched = await endpoints.watch(
        three.map(({ url }) => url),
        { quorum: 2 },
      );
      await watched.pay();
      await watched.mine(1);
      await watched.until(async () => (await watched.seen()) === 1);
      for (const [index, proxy] of three.entries()) proxy.fault = fault(index);
      await watched.mine(blocks.final);
      return { three, watched };
    }

    const cases = falsifications.flatMap(([name, falsify]) => [0, 2].map((faulty) => ({ name, falsify, faulty })));
    test.each(cases)(
      "a payment is confirmed by two endpoints while endpoint $liar reports: $name",
      async ({ falsify, faulty }) => {
        const { watched } = await seen((index) => (index === faulty ? falsify : undefined));
        await watched.until(watched.isTrue);
      },
    );

    test("a payment that only one endpoint returns waits with a displayed reason until a second one is back", async () => {
      const { three, watched } = await seen((index) => (index === 0 ? undefined : down));
      await watched.rounds(FOUR_MINUTES, STEP_MS);
      expect([await watched.seen(), await watched.paid()]).toEqual([1, 0]);
      expect((await watched.cursor())?.problem).toMatch(
        new RegExp(`Fewer than 2 endpoints of ${network.name} have agreed on a payment since`),
      );
      if (three[2]) three[2].fault = undefined;
      await watched.until(watched.isTrue);
      await watched.round();
      expect((await watched.cursor())?.problem ?? "").not.toContain("Fewer than 2");
    });

    test("three endpoints with three different responses confirm and revert nothing", async () => {
      const { three, watched } = await seen((index) => falsifications[index]?.[1]);
      await watched.rounds(5, 5_000);
      expect([await watched.seen(), await watched.paid()]).toEqual([1, 0]);
      for (const proxy of three.slice(1)) proxy.fault = undefined;
      await watched.until(watched.isTrue);
    });
  });
};
