import { describe, expect, test } from "vitest";
import { inventPayment } from "@/chaos/faults/forged-payment";
import { createRandom } from "@/chaos/plan/random";
import { type ContractSection, openEndpoints } from "@/testing/chains/contract/driver";

const SHOWS = "returns the transfer";
const DENIES = "has the block without the transfer";
/** The number of rounds in four minutes. */
const FOUR_MINUTES = 12;
const STEP_MS = 20_000;
const FAR_AHEAD = 60;
/** The time limit of tests that simulate minutes in a hundred rounds, which take long on a busy machine. */
const LONG_MS = 240_000;

/** Tests that a payment forged by one endpoint is never confirmed. */
export const testForgeries: ContractSection = (endpoints, driver) => {
  const { blocks, network } = driver;

  describe("a payment that an endpoint forges", { timeout: LONG_MS }, () => {
    /**
     * Forges the payment of an order at one endpoint. Continues until the payment was seen, is final by the endpoint's own heights, and
     * several minutes have passed.
     */
    async function falsify(options: { isFirst: boolean; ahead?: number; honestOnes?: number; quorum?: number }) {
      const { isFirst, ahead = 0, honestOnes = 1, quorum = 1 } = options;
      const [faulty, ...beside] = await openEndpoints(endpoints, driver, honestOnes);
      const urls = beside.map(({ url }) => url);
      const watched = await endpoints.watch(isFirst ? [faulty.url, ...urls] : [...urls, faulty.url], { quorum });
      const payment = await watched.wait();
      await watched.pay();
      faulty.fault = inventPayment(network, payment, createRandom(7), ahead);
      await watched.mine(2);
      await watched.rounds(3, 1_000);
      // The endpoint that is queried second may report the forged payment only when final blocks are read again.
      for (let times = 0; times < 2; times++) {
        await watched.mine(blocks.final + blocks.verify);
        await watched.rounds(FOUR_MINUTES, STEP_MS);
      }
      return { faulty, beside, watched };
    }

    test.each([
      ["first", true],
      ["second", false],
    ])(
      "a payment forged by the endpoint in position %s is never credited, the contradiction is displayed, and the transfer is dropped afterwards",
      async (_index, isFirst) => {
        const { faulty, watched } = await falsify({ isFirst });
        const [seen] = await watched.forged();
        expect(seen).toMatchObject({ status: "seen" });
        const says = seen?.contradiction?.said.map((one) => one.says.replace(/ with the block time .*/, ""));
        expect(says?.toSorted()).toEqual([DENIES, SHOWS]);
        expect((await watched.cursor())?.warning).toMatch(/contradict each other: endpoint 1 \(.*; endpoint 2 \(/);
        const { warning, disputed } = await watched.reported();
        const [one, other] = isFirst ? [SHOWS, DENIES] : [DENIES, SHOWS];
        expect(warning?.replace(/ with the block time [^;.]*/, "")).toContain(
          `: endpoint 1 (an endpoint) ${one}; endpoint 2 (an endpoint) ${other}`,
        );
        expect(warning).not.toContain("127.0.0.1");
        expect(disputed).toEqual([seen?.id]);
        faulty.fault = undefined;
        await watched.until(async () => (await watched.forged()).every(({ status }) => status === "dropped"));
        await watched.until(watched.isTrue);
        expect((await watched.reported()).warning ?? "").not.toContain("contradict");
        expect((await watched.reported()).disputed).toEqual([]);
      },
    );

    test("nor if the faulty endpoint reports a height far ahead", async () => {
      const { faulty, watched } = await falsify({ isFirst: true, ahead: FAR_AHEAD });
      expect((await watched.forged()).map(({ status }) => status)).toEqual(["seen"]);
      faulty.fault = undefined;
      await watched.until(async () => (await watched.forged()).every(({ status }) => status === "dropped"));
      await watched.until(watched.isTrue);
    });

    test("if two of three must agree, it is dropped at once, and real payments are credited meanwhile", async () => {
      const { watched } = await falsify({ isFirst: true, honestOnes: 2, quorum: 2 });
      await watched.until(async () => (await watched.forged()).every(({ status }) => status === "dropped"));
      await watched.until(watched.isTrue);
    });
  });
};
