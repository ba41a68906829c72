import { describe, expect, test } from "vitest";
import { type ContractSection, openEndpoints } from "@/testing/chains/contract/driver";
import { down } from "@/testing/chains/contract/faults";

/** Tests the outcomes "no response", "not available" and "contradiction". */
export const testOutcomes: ContractSection = (endpoints, driver) => {
  const { blocks, falseReceipts } = driver;

  /** Creates a final payment, and a reader with no cached state of the endpoints. */
  async function paid(others: number) {
    const [node, ...rest] = await openEndpoints(endpoints, driver, others);
    const watched = await endpoints.watch([node.url, ...rest.map(({ url }) => url)]);
    await watched.pay();
    await watched.mine(blocks.final);
    await watched.until(watched.isTrue);
    await watched.restart();
    const [row] = await watched.ledger();
    if (!row || !watched.reader) throw new Error("There is no payment");
    const { checker } = watched.reader;
    return { node, check: () => checker.checkFinality({ ...row, to: row.toAddress }), watched };
  }

  describe("what became of a payment", () => {
    test("no response: nothing is known, and the question fails", async () => {
      const { node, check, watched } = await paid(0);
      node.fault = down;
      await expect(check()).rejects.toMatchObject({ name: "ChainError", kind: "unavailable" });
      await watched.rounds(2);
      expect(await watched.differences()).toEqual([]);
    });

    test("not available: an endpoint that lacks the transaction does not prove that it is gone", async () => {
      const { node, check } = await paid(0);
      node.fault = falseReceipts.nothing;
      expect(await check()).toEqual({ kind: "unclear" });
      node.fault = undefined;
      expect(await check()).toEqual({ kind: "final" });
    });

    test("contradiction: two endpoints that show different amounts are reported, each with what it shows", async () => {
      const { node, check } = await paid(1);
      node.fault = falseReceipts["another amount"];
      const finality = await check();
      expect(finality).toMatchObject({ kind: "contradicted" });
      const said = finality.kind === "contradicted" ? finality.said.map(({ says }) => says) : [];
      expect(said.some((says) => says.startsWith("returns the transfer"))).toBe(true);
      expect(said.some((says) => says.startsWith("has the block without the transfer"))).toBe(true);
    });
  });
};
