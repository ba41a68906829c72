import { describe, expect, test } from "vitest";
import { type ContractSection, openEndpoints } from "@/testing/chains/contract/driver";

const DEPTH = 3;

/** Tests payments in blocks that a reorg replaces. */
export const testReorgs: ContractSection = (endpoints, driver) => {
  const { blocks } = driver;

  /** Creates a payment that was seen but is not yet final. */
  async function seen() {
    const [{ url }] = await openEndpoints(endpoints, driver, 0);
    const watched = await endpoints.watch([url]);
    await watched.pay();
    await watched.mine(1);
    await watched.until(async () => (await watched.seen()) === 1);
    return watched;
  }

  describe("a reorg", () => {
    test("that removes a payment takes it back, and its order is not paid", async () => {
      const watched = await seen();
      await watched.reorg("replace", DEPTH + 1, "never");
      await watched.mine(blocks.final);
      await watched.until(async () => (await watched.ledger()).every(({ status }) => status === "dropped"));
      expect(await watched.paid()).toBe(0);
      expect(await watched.ledger()).toHaveLength(1);
    });

    test.each([
      ["replace", "again", "in other blocks"],
      ["replace", "later", "in a later block"],
      ["rollBack", "later", "after the chain became shorter"],
    ] as const)("(%s) after which a payment comes %s pays its order once", async (how, fate, _where) => {
      const watched = await seen();
      await watched.reorg(how, DEPTH + 1, fate);
      await watched.mine(1);
      await watched.rounds(2);
      await watched.mine(blocks.final);
      await watched.until(watched.isTrue);
      expect((await watched.ledger()).filter(({ status }) => status === "confirmed")).toHaveLength(1);
    });

    test("that begins above a final payment leaves it", async () => {
      const watched = await seen();
      await watched.mine(blocks.final);
      await watched.until(watched.isTrue);
      await watched.reorg("replace", DEPTH, "again");
      await watched.rounds(3);
      expect(await watched.differences()).toEqual([]);
    });
  });
};
