import { describe, expect, test } from "vitest";
import { SMALL_PURSE } from "@/chaos/chains/evm-payers";
import { startSolanaChaosChain } from "@/chaos/chains/solana-chain";
import { startEvmChaosChain } from "@/chaos/chains/start-evm-chain";
import { startTronChaosChain } from "@/chaos/chains/tron-chain";
import type { Fault, FaultProxy } from "@/chaos/faults/fault-proxy";
import { createRandom } from "@/chaos/plan/random";
import { getNetwork } from "@/lib/domain/networks";
import { useFaultyEndpoints } from "@/testing/faults/endpoint-faults";
import { RECEIPT_LIES } from "@/testing/faults/receipt-lies";

const ethereum = getNetwork("ethereum");
const tron = getNetwork("tron");
const solana = getNetwork("solana");
const FINAL_BLOCKS = 16;
const FOUR_MINUTES = 50;
const down: Fault = async ({ response }) => void response.writeHead(503).end();

describe.each([
  { network: ethereum, start: () => startEvmChaosChain(ethereum, { purse: SMALL_PURSE }) },
  { network: tron, start: () => startTronChaosChain(tron, { purse: SMALL_PURSE }) },
  { network: solana, start: () => startSolanaChaosChain(solana, createRandom(1)) },
])("where two of three endpoints of $network.name must agree", ({ network, start }) => {
  const endpoints = useFaultyEndpoints(start);
  const lies = Object.entries(RECEIPT_LIES[network.family]);

  /** A payment that was seen, and is final once the endpoints do what they do. */
  async function seen(fault: (place: number) => Fault | undefined) {
    const three: FaultProxy[] = [];
    for (let place = 0; place < 3; place++) three.push(await endpoints.endpoint());
    const watched = await endpoints.watch(
      three.map(({ url }) => url),
      { quorum: 2 },
    );
    await watched.pay();
    await watched.mine(1);
    await watched.until(async () => (await watched.seen()) === 1);
    for (const [place, proxy] of three.entries()) proxy.fault = fault(place);
    await watched.mine(FINAL_BLOCKS);
    return { three, watched };
  }

  const cases = lies.flatMap(([name, lie]) => [0, 2].map((liar) => ({ name, lie, liar })));
  test.each(cases)(
    "a payment of which endpoint $liar says $name is confirmed by the other two",
    async ({ lie, liar }) => {
      const { watched } = await seen((place) => (place === liar ? lie : undefined));
      await watched.until(watched.isTrue);
    },
  );

  test("a payment that only one endpoint can tell of waits; people read why, until a second one comes back", async () => {
    const { three, watched } = await seen((place) => (place === 0 ? undefined : down));
    await watched.rounds(FOUR_MINUTES, 5_000);
    expect([await watched.seen(), await watched.paid()]).toEqual([1, 0]);
    expect((await watched.cursor())?.problem).toMatch(
      new RegExp(`Fewer than 2 endpoints of ${network.name} have agreed on a payment since`),
    );
    if (three[2]) three[2].fault = undefined;
    await watched.until(watched.isTrue);
    await watched.round();
    expect((await watched.cursor())?.problem ?? "").not.toContain("Fewer than 2");
  });

  test("three endpoints that say three different things confirm nothing and take nothing back", async () => {
    const { three, watched } = await seen((place) => lies[place]?.[1]);
    await watched.rounds(5, 5_000);
    expect([await watched.seen(), await watched.paid()]).toEqual([1, 0]);
    for (const proxy of three.slice(1)) proxy.fault = undefined;
    await watched.until(watched.isTrue);
  });
});
