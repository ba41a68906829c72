import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSolanaSource } from "@/lib/chains/solana/source";
import { type RpcProxy, startRpcProxy } from "@/testing/chains/evm";
import { ownerNamed, startTestSolana, type TestSolana } from "@/testing/chains/solana";
import { BY_ACCOUNTS, BY_SLOTS, useSolanaChain, useSolanaLedger } from "@/testing/watch/solana-scanner";

const TESTNET = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY";
const TRIES = 4;

const world = useSolanaChain();
const shop = ownerNamed("shop").publicKey;
let other: TestSolana;
let [swapped, good]: RpcProxy[] = [];
let clock = 0;

beforeEach(async () => {
  clock = Date.now();
  other = await startTestSolana();
  [swapped, good] = await Promise.all([startRpcProxy(world.chain.node.url), startRpcProxy(world.chain.node.url)]);
});
afterEach(() => Promise.all([other.stop(), swapped?.stop(), good?.stop()]));

/** From now on the URL serves another cluster. */
function swap(): void {
  if (!swapped) return;
  swapped.fault = ({ method, params }) =>
    method === "getGenesisHash" ? Promise.resolve(TESTNET) : other.node.call(method, params);
}

describe.each([
  { name: "accounts", mostAccounts: BY_ACCOUNTS },
  { name: "slots", mostAccounts: BY_SLOTS },
])("read by $name, an endpoint that serves another cluster from one moment to the next", ({ mostAccounts }) => {
  const { state, network, step, catchUp, ledger, cursor } = useSolanaLedger(world, mostAccounts);
  const read = (...proxies: (RpcProxy | undefined)[]) => {
    const urls = proxies.map((proxy) => proxy?.url ?? "");
    state.source = createSolanaSource(network, { urls, now: () => new Date(clock) });
  };
  const tryOften = async () => {
    for (let tries = 0; tries < TRIES; tries++) await step().catch(() => {});
  };

  test.each([
    ["far ahead", 300],
    ["behind", 20],
  ])("%s, moves nothing and credits nothing; swapped back it is read on", async (_where, slots) => {
    read(swapped);
    await catchUp();
    const before = await cursor();
    await other.advance(3);
    await other.pay([{ to: shop, currency: "USDC", baseUnits: 5n }]);
    await other.advance(slots);
    swap();
    await tryOften();
    expect(await ledger()).toEqual([]);
    expect(await cursor()).toMatchObject({
      height: before?.height,
      hash: before?.hash,
      headHeight: before?.headHeight,
    });
    if (swapped) swapped.fault = undefined;
    clock += 60_000;
    const txId = await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 7n }]);
    await world.chain.advance(3);
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId, baseUnits: 7n }]);
  });

  test("is not believed beside one that does not", async () => {
    read(swapped, good);
    await catchUp();
    await other.advance(3);
    await other.pay([{ to: shop, currency: "USDC", baseUnits: 5n }]);
    await other.advance(300);
    swap();
    const txId = await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 7n }]);
    await world.chain.advance(3);
    await tryOften();
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId, baseUnits: 7n }]);
  });

  test("neither confirms a payment of that cluster nor takes one of ours back", async () => {
    read(swapped);
    await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 7n }]);
    await world.chain.advance(3);
    await catchUp();
    const [ours] = await ledger();
    if (!ours) throw new Error("The payment was not read");
    const transfer = { ...ours, to: ours.toAddress };
    await other.advance(3);
    const txId = await other.pay([{ to: shop, currency: "USDC", baseUnits: 7n }]);
    await other.advance(300);
    swap();
    for (const one of [transfer, { ...transfer, txId }]) {
      const finality = await state.source.checkFinality(one).catch(() => ({ kind: "unanswered" }));
      expect(["unclear", "unanswered"]).toContain(finality.kind);
    }
  });
});
