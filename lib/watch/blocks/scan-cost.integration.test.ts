import { describe, expect, test } from "vitest";
import { HANDLED, startRpcProxy } from "@/testing/chains/evm";
import { seedOrder } from "@/testing/database/seed";
import { useScanner } from "@/testing/watch/scanner";

const { world, usdt, usdc, db, now, catchUp, forget, newScanner, sourceOf, ledger, cursor, keptHeights } = useScanner();

describe("pauses and cost", () => {
  test("300 blocks mined during an outage are read in a few ranges, and their payments found", async () => {
    await world.chain.mine(100);
    const early = await world.chain.pay(usdt, world.shop.address, 11n);
    await world.chain.mine(100);
    const late = await world.chain.pay(usdc, world.shop.address, 12n);
    await world.chain.mine(100);
    const proxy = await startRpcProxy(world.chain.node.url);
    world.source = sourceOf(proxy.url);
    await catchUp(newScanner());
    await proxy.stop();
    expect(await ledger()).toMatchObject([{ txId: early }, { txId: late }]);
    expect(await cursor()).toMatchObject({ height: 320, caughtUpAt: expect.any(Date) });
    expect(proxy.calls.get("eth_getLogs")).toBeLessThanOrEqual(6);
  });

  test("payments without waiting payers are read in one range up to the head, by three calls", async () => {
    const early = await world.chain.pay(usdt, world.shop.address, 11n);
    await world.chain.mine(3);
    const late = await world.chain.pay(usdc, world.shop.address, 12n);
    await world.chain.mine(1);
    const proxy = await startRpcProxy(world.chain.node.url);
    world.source = sourceOf(proxy.url);
    const idle = { ...world.scanner, isIdle: true };
    await catchUp(idle);
    expect(await ledger()).toMatchObject([{ txId: early }, { txId: late }]);
    expect(await cursor()).toMatchObject({ height: 24, headHeight: 24 });
    await world.chain.mine(5);
    await catchUp(idle);
    proxy.calls.clear();
    await world.chain.mine(5);
    await catchUp({ ...idle, finalMayBeMs: 60_000 });
    expect(await cursor()).toMatchObject({ height: 34 });
    expect(Object.fromEntries(proxy.calls)).toEqual({ eth_getBlockByNumber: 2, eth_getLogs: 1 });
    await proxy.stop();
  });

  test("without waiting payers, newest blocks that a lagging node did not have are read with the next", async () => {
    const lagging = { isOn: true };
    const proxy = await startRpcProxy(world.chain.node.url, async ({ method }, _response, pass) =>
      method === "eth_getLogs" && lagging.isOn ? [] : pass(),
    );
    world.source = sourceOf(proxy.url);
    const idle = { ...world.scanner, isIdle: true };
    await world.chain.mine(3);
    const txId = await world.chain.pay(usdt, world.shop.address, 11n);
    await world.chain.mine(1);
    await catchUp(idle);
    expect(await ledger()).toEqual([]);
    lagging.isOn = false;
    await world.chain.mine(1);
    await catchUp(idle);
    expect(await ledger()).toMatchObject([{ txId }]);
    await proxy.stop();
  });

  test("a node that takes only ten blocks at once is read ten at a time", async () => {
    await world.chain.mine(60);
    const txId = await world.chain.pay(usdt, world.shop.address, 11n);
    await world.chain.mine(60);
    const proxy = await startRpcProxy(world.chain.node.url, async ({ method, params }, response, pass) => {
      const [filter] = params as [{ fromBlock?: string; toBlock?: string }];
      const isWide = filter?.fromBlock && Number(filter.toBlock) - Number(filter.fromBlock) >= 10;
      if (method !== "eth_getLogs" || !isWide) return pass();
      const error = {
        code: -32600,
        message: "Under the Free tier plan, you can make requests with up to a 10 block range",
      };
      response.statusCode = 400;
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error }));
      return HANDLED;
    });
    world.source = sourceOf(proxy.url);
    await catchUp();
    await proxy.stop();
    expect(await ledger()).toMatchObject([{ txId }]);
    expect(proxy.calls.get("eth_getLogs")).toBeLessThan(40);
  });

  test("a node that refuses eth_getLogs altogether is read by the receipts of its blocks", async () => {
    await world.chain.mine(8);
    const txId = await world.chain.pay(usdt, world.shop.address, 11n);
    await world.chain.mine(8);
    const proxy = await startRpcProxy(world.chain.node.url, async ({ method }, response, pass) => {
      if (method !== "eth_getLogs") return pass();
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32005, message: "limit exceeded" } }));
      return HANDLED;
    });
    world.source = sourceOf(proxy.url);
    await catchUp();
    await proxy.stop();
    expect(await ledger()).toMatchObject([{ txId }]);
  });

  test("a block without payments costs two calls", async () => {
    const proxy = await startRpcProxy(world.chain.node.url);
    world.source = sourceOf(proxy.url);
    await catchUp();
    proxy.calls.clear();
    await world.chain.mine();
    await catchUp();
    expect(Object.fromEntries(proxy.calls)).toEqual({ eth_getBlockByNumber: 1, eth_getLogs: 1 });
    await proxy.stop();
  });

  test("a network that was never read begins before the oldest live quote", async () => {
    const txId = await world.chain.pay(usdt, world.shop.address, 11n);
    await world.chain.mine(40);
    await seedOrder(db(), { address: world.shop, baseUnits: 11n }, now());
    await forget();
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId }]);
  });

  test("with no live quote, a network that was never read begins at its newest final block", async () => {
    await world.chain.pay(usdt, world.shop.address, 11n);
    await world.chain.mine(40);
    await forget();
    await catchUp();
    expect(await ledger()).toEqual([]);
    expect((await keptHeights())[0]).toBe(56);
  });
});
