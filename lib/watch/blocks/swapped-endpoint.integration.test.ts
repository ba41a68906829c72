import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEvmSource } from "@/lib/chains/evm/source";
import { getToken } from "@/lib/domain/networks";
import { type Fault, type RpcProxy, startRpcProxy, startTestChain, type TestChain } from "@/testing/chains/evm";
import { useScanner } from "@/testing/watch/scanner";

const FAR_AHEAD = 200;
const TRIES = 4;

describe.each(["ethereum", "bsc"])("on %s, an endpoint that serves another chain from one moment to the next", (id) => {
  const { world, network, step, catchUp, ledger, cursor } = useScanner(id);
  const usdt = getToken(network, "USDT").contract;
  let other: TestChain;
  let [swapped, good]: RpcProxy[] = [];
  let clock = 0;

  beforeEach(async () => {
    clock = Date.now();
    other = await startTestChain(network);
    [swapped, good] = await Promise.all([startRpcProxy(world.chain.node.url), startRpcProxy(world.chain.node.url)]);
  });
  afterEach(() => Promise.all([other.stop(), swapped?.stop(), good?.stop()]));

  const read = (...proxies: (RpcProxy | undefined)[]) => {
    world.source = createEvmSource(network, {
      urls: proxies.map((proxy) => proxy?.url ?? ""),
      now: () => new Date(clock),
    });
  };
  const serveOther: Fault = ({ method, params }) =>
    method === "eth_chainId" ? Promise.resolve("0xaa36a7") : other.node.call(method, params);
  const swap = () => {
    if (swapped) swapped.fault = serveOther;
  };
  const tryOften = async () => {
    for (let tries = 0; tries < TRIES; tries++) await step().catch(() => {});
  };

  test.each([
    ["far ahead", FAR_AHEAD],
    ["behind", 2],
    ["as high", 20],
  ])("%s, moves nothing and credits nothing; swapped back it is read on", async (_where, blocks) => {
    read(swapped);
    await catchUp();
    const before = await cursor();
    await other.pay(usdt, world.shop.address, 5n);
    await other.mine(blocks);
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
    const txId = await world.chain.pay(usdt, world.shop.address, 7n);
    await world.chain.mine(10);
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId, baseUnits: 7n }]);
  });

  test("is not believed beside one that does not", async () => {
    read(swapped, good);
    await catchUp();
    await other.pay(usdt, world.shop.address, 5n);
    await other.mine(FAR_AHEAD);
    swap();
    const txId = await world.chain.pay(usdt, world.shop.address, 7n);
    await world.chain.mine(10);
    await tryOften();
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId, baseUnits: 7n }]);
  });

  test("neither confirms a payment of that chain nor takes one of ours back", async () => {
    read(swapped);
    await world.chain.pay(usdt, world.shop.address, 7n);
    await world.chain.mine(10);
    await catchUp();
    const [ours] = await ledger();
    if (!ours) throw new Error("The payment was not read");
    const transfer = { ...ours, to: ours.toAddress };
    const txId = await other.pay(usdt, world.shop.address, 7n);
    await other.mine(FAR_AHEAD);
    const { hash } = (await other.node.call("eth_getBlockByNumber", ["0x1", false])) as { hash: string };
    swap();
    const foreign = { ...transfer, txId, blockHeight: 1, blockHash: hash };
    for (const one of [transfer, foreign]) {
      const finality = await world.source.checkFinality(one).catch(() => ({ kind: "unanswered" }));
      expect(["unclear", "unanswered"]).toContain(finality.kind);
    }
  });
});
