import { describe, expect, test } from "vitest";
import { falseTimes, type Shift } from "@/chaos/faults/false-times";
import { type ContractSection, openEndpoints } from "@/testing/chains/contract/driver";

const HOUR_MS = 3_600_000;
const EARLY: Shift = () => -6 * HOUR_MS;
const LATE: Shift = () => 6 * HOUR_MS;
const LONG_MS = 240_000;

/** Tests false block times. */
export const testTimes: ContractSection = (endpoints, driver) => {
  const { blocks } = driver;

  describe("block times", { timeout: LONG_MS }, () => {
    /** Creates a payment that an endpoint reports with a false time. At that time, a different order reserved its amount. */
    async function pay(options: { honestOnes: number; quorum?: number; shift?: (height: number) => Shift }) {
      const { honestOnes, quorum = 1, shift = () => EARLY } = options;
      const opened = await openEndpoints(endpoints, driver, honestOnes);
      const [faulty] = opened;
      const urls = opened.map(({ url }) => url);
      const watched = await endpoints.watch(urls, { quorum });
      const older = await watched.holdBefore(6 * HOUR_MS);
      faulty.fault = falseTimes(shift(endpoints.world.chain.height));
      await watched.pay();
      await watched.mine(3);
      await watched.until(async () => (await watched.seen()) === 1);
      await watched.mine(blocks.final + blocks.verify);
      return { faulty, watched, older };
    }

    type Paid = Awaited<ReturnType<typeof pay>>;

    /** Checks that every payment has its true time and is credited to its own order, and that the older order has no payments. */
    async function expectTrue({ watched, older }: Paid): Promise<void> {
      await watched.until(watched.isTrue);
      for (const { time, stored, order } of await watched.timed())
        expect(stored).toMatchObject({ blockTime: time, orderId: order, status: "confirmed" });
      expect(await watched.statusOf(older)).toBe("expired");
    }

    test("a payment with a false time waits while two endpoints contradict each other, and is its own order's afterwards", async () => {
      const paid = await pay({ honestOnes: 1 });
      const { faulty, watched } = paid;
      await watched.rounds(10, 30_000);
      const [{ stored, time } = { stored: null, time: new Date(0) }] = await watched.timed();
      expect(stored?.status).toBe("seen");
      const inUtc = (at: Date) => at.toISOString().slice(0, 19).replace("T", " ");
      const said = stored?.contradiction?.said.map(({ says }) => says).join() ?? "";
      expect(said).toContain(`block time ${inUtc(time)}`);
      expect(said).toContain(`block time ${inUtc(new Date(time.getTime() - 6 * HOUR_MS))}`);
      expect((await watched.reported()).warning).toContain("block time");
      expect((await watched.reported()).disputed).toEqual([stored?.id]);
      faulty.fault = undefined;
      await expectTrue(paid);
      expect((await watched.reported()).disputed).toEqual([]);
    });

    test.each([
      ["too early", EARLY, 1],
      ["too late", LATE, 1],
      ["too early, with a quorum of two,", EARLY, 2],
    ] as const)(
      "beside two honest endpoints a payment stamped %s is confirmed at its true time",
      async (_what, shift, quorum) => {
        await expectTrue(await pay({ honestOnes: 2, quorum, shift: () => shift }));
      },
    );

    test("a single endpoint confirms nothing at a time that does not fit the blocks around it", async () => {
      // The payment is in one of two blocks; in both cases, the previous block has a later time.
      const shift =
        (from: number): Shift =>
        (height) =>
          -6 * HOUR_MS * Math.max(0, from + 3 - height) * (height > from ? 0.5 : 0);
      const paid = await pay({ honestOnes: 0, shift });
      const { faulty, watched } = paid;
      await watched.rounds(10, 10_000);
      expect((await watched.timed()).map(({ stored }) => stored?.status)).toEqual(["seen"]);
      faulty.fault = undefined;
      // On TRON the head is the parent of the newest block.
      await watched.mine(2);
      await expectTrue(paid);
    });
  });
};
