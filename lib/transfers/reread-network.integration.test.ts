import { expect, test } from "vitest";
import { HANDLED, startRpcProxy } from "@/db/testing-chain";
import { useScanner } from "@/db/testing-scanner";

const { world, usdt, catchUp, reread, sourceOf, ledger } = useScanner();

test("a payment that a node kept back at the first reading is found when its block is final", async () => {
  const proxy = await startRpcProxy(world.chain.node.url, async ({ method }, _response, pass) =>
    method === "eth_getLogs" ? [] : pass(),
  );
  world.source = sourceOf(proxy.url);
  const txId = await world.chain.pay(usdt, world.shop.address, 5n);
  await world.chain.mine();
  await catchUp();
  proxy.fault = undefined;
  await world.chain.mine(10);
  await catchUp();
  await reread();
  expect(await ledger()).toEqual([]);
  await world.chain.mine(10);
  await catchUp();
  expect(await reread()).toBe(1);
  expect(await ledger()).toMatchObject([{ txId, blockHeight: 21, status: "seen", judgedAt: null }]);
  await proxy.stop();
});

test("a second reading costs one call and writes nothing when nothing was missed", async () => {
  await world.chain.pay(usdt, world.shop.address, 5n);
  await world.chain.mine(30);
  await catchUp();
  const before = await ledger();
  const proxy = await startRpcProxy(world.chain.node.url);
  world.source = sourceOf(proxy.url);
  expect(await reread()).toBe(0);
  expect(proxy.calls.get("eth_getLogs")).toBe(1);
  expect(await reread()).toBe(0);
  expect(proxy.calls.get("eth_getLogs")).toBe(1);
  expect(await ledger()).toEqual(before);
  await proxy.stop();
});

test("a second reading that is too much for the node is tried again with less", async () => {
  await world.chain.mine(60);
  await catchUp();
  const proxy = await startRpcProxy(world.chain.node.url, async ({ method, params }, response, pass) => {
    const [filter] = params as [{ fromBlock?: string; toBlock?: string }];
    if (method !== "eth_getLogs" || Number(filter.toBlock) - Number(filter.fromBlock) < 20) return pass();
    response.end(
      JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32005, message: "query exceeds max results" } }),
    );
    return HANDLED;
  });
  world.source = sourceOf(proxy.url);
  const start = world.scanner.memory.rereadTo ?? 0;
  for (let round = 0; round < 20; round++) await reread();
  expect(world.scanner.memory.rereadTo).toBeGreaterThan(start + 40);
  await proxy.stop();
});
