import { describe, expect, test } from "vitest";
import type { ChaosChain } from "@/chaos/chains/chain";
import { SMALL_PURSE } from "@/chaos/chains/evm-payers";
import { startSolanaChaosChain } from "@/chaos/chains/solana-chain";
import { startEvmChaosChain } from "@/chaos/chains/start-evm-chain";
import { startTronChaosChain } from "@/chaos/chains/tron-chain";
import type { FaultProxy } from "@/chaos/faults/fault-proxy";
import { inventPayment } from "@/chaos/faults/invented-payment";
import { createRandom } from "@/chaos/plan/random";
import { getNetwork } from "@/lib/domain/networks";
import { useFaultyEndpoints } from "@/testing/faults/endpoint-faults";

const ethereum = getNetwork("ethereum");
const plasma = getNetwork("plasma");
const tron = getNetwork("tron");
const solana = getNetwork("solana");
const startSolana = () => startSolanaChaosChain(solana, createRandom(1));
const startTron = () => startTronChaosChain(tron, { purse: SMALL_PURSE });

interface Family {
  name: string;
  start: () => Promise<ChaosChain>;
  /** Which of the chain's endpoints lies, and which stands beside it. */
  kinds?: readonly [number, number];
  receivers?: number;
  /** Blocks until a transfer is final, and until final blocks were read a second time. */
  blocks: number;
}

const FAMILIES: readonly Family[] = [
  { name: "Ethereum", start: () => startEvmChaosChain(ethereum, { purse: SMALL_PURSE }), blocks: 20 },
  {
    name: "Plasma, whose blocks are final by a tag",
    start: () => startEvmChaosChain(plasma, { purse: SMALL_PURSE }),
    blocks: 60,
  },
  { name: "TRON, a liar that speaks JSON-RPC", start: startTron, kinds: [0, 1], blocks: 34 },
  { name: "TRON, a liar that speaks HTTP", start: startTron, kinds: [1, 0], blocks: 34 },
  { name: "Solana by accounts", start: startSolana, blocks: 334 },
  { name: "Solana by blocks", start: startSolana, receivers: 26, blocks: 334 },
];
const SHOWS = "shows it";
const DENIES = "has that block without it";
const FOUR_MINUTES = 24;
const STEP_MS = 10_000;
const FAR_AHEAD = 60;
/** Minutes pass by the worker's clock, in a hundred rounds; a busy machine takes its time for them. */
const LONG_MS = 240_000;

describe.each(FAMILIES)(
  "on $name",
  { timeout: LONG_MS },
  ({ start, kinds: [lying, honest] = [0, 0], receivers = 2, blocks }) => {
    const endpoints = useFaultyEndpoints(start, { receivers });
    const { world } = endpoints;

    /** An endpoint that invents what an order waits for, until it was seen, final as it says, and waited for by minutes. */
    async function lie(options: { isFirst: boolean; ahead?: number; honestOnes?: number; quorum?: number }) {
      const { isFirst, ahead = 0, honestOnes = 1, quorum = 1 } = options;
      const liar = await endpoints.endpoint(lying);
      const beside: FaultProxy[] = [];
      for (let count = 0; count < honestOnes; count++) beside.push(await endpoints.endpoint(honest));
      const urls = beside.map(({ url }) => url);
      const watched = await endpoints.watch(isFirst ? [liar.url, ...urls] : [...urls, liar.url], { quorum });
      const payment = await watched.wait();
      await watched.pay();
      liar.fault = inventPayment(world.chain.network, payment, createRandom(7), ahead);
      await watched.mine(2);
      await watched.rounds(3, 1_000);
      // Whoever is asked second may tell of it only when final blocks are read again.
      for (let times = 0; times < 2; times++) {
        await watched.mine(blocks);
        await watched.rounds(FOUR_MINUTES, STEP_MS);
      }
      return { liar, beside, watched };
    }

    test.each([
      ["first", true],
      ["second", false],
    ])(
      "a payment that an endpoint invents which is asked %s is never paid, people read who says what, and once the lie ends it is gone",
      async (_place, isFirst) => {
        const { liar, watched } = await lie({ isFirst });
        const [seen] = await watched.invented();
        expect(seen).toMatchObject({ status: "seen" });
        const says = seen?.contradiction?.said.map((one) => one.says.replace(/ with the block time .*/, ""));
        expect(says?.toSorted()).toEqual([DENIES, SHOWS]);
        expect((await watched.cursor())?.warning).toMatch(/contradict each other: endpoint 1 \(.*; endpoint 2 \(/);
        const { warning, disputed } = await watched.told();
        const [one, other] = isFirst ? [SHOWS, DENIES] : [DENIES, SHOWS];
        expect(warning?.replace(/ with the block time [^;.]*/, "")).toContain(
          `: endpoint 1 (an endpoint) ${one}; endpoint 2 (an endpoint) ${other}`,
        );
        expect(warning).not.toContain("127.0.0.1");
        expect(disputed).toEqual([seen?.id]);
        liar.fault = undefined;
        await watched.until(async () => (await watched.invented()).every(({ status }) => status === "dropped"));
        await watched.until(watched.isTrue);
        expect((await watched.told()).warning ?? "").not.toContain("contradict");
        expect((await watched.told()).disputed).toEqual([]);
      },
    );

    test("nor where the liar says to be far ahead", async () => {
      const { liar, watched } = await lie({ isFirst: true, ahead: FAR_AHEAD });
      expect((await watched.invented()).map(({ status }) => status)).toEqual(["seen"]);
      liar.fault = undefined;
      await watched.until(async () => (await watched.invented()).every(({ status }) => status === "dropped"));
      await watched.until(watched.isTrue);
    });

    test("where two of three must agree, it is dropped at once, and what is true is paid meanwhile", async () => {
      const { watched } = await lie({ isFirst: true, honestOnes: 2, quorum: 2 });
      await watched.until(async () => (await watched.invented()).every(({ status }) => status === "dropped"));
      await watched.until(watched.isTrue);
    });
  },
);
