import { expect, test } from "vitest";
import { HANDLED, startRpcProxy } from "@/db/testing-chain";
import { useScanner } from "@/db/testing-scanner";

const { world, usdt, now, catchUp, reread, sourceOf, ledger } = useScanner();

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

test("a payment that one endpoint keeps back for good is found by the second reading, which asks every endpoint", async () => {
  const liar = await startRpcProxy(world.chain.node.url, async ({ method }, _response, pass) =>
    method === "eth_getLogs" ? [] : pass(),
  );
  world.source = sourceOf(liar.url, world.chain.node.url);
  const txId = await world.chain.pay(usdt, world.shop.address, 5n);
  await world.chain.mine(30);
  await catchUp();
  expect(await ledger()).toEqual([]);
  expect(await reread()).toBe(1);
  expect(await ledger()).toMatchObject([{ txId }]);
  await liar.stop();
});

test("while an endpoint does not answer, the second reading is not over", async () => {
  const liar = await startRpcProxy(world.chain.node.url, async ({ method }, _response, pass) =>
    method === "eth_getLogs" ? [] : pass(),
  );
  const honest = await startRpcProxy(world.chain.node.url, async (_call, response) => {
    response.writeHead(502).end();
    return HANDLED;
  });
  world.source = sourceOf(liar.url, honest.url);
  const txId = await world.chain.pay(usdt, world.shop.address, 5n);
  await world.chain.mine(30);
  await catchUp();
  const before = world.scanner.memory.rereadTo;
  expect(await reread()).toBe(0);
  expect(world.scanner.memory.rereadTo).toBe(before);
  honest.fault = undefined;
  world.source = sourceOf(liar.url, honest.url);
  world.scanner.memory.rereadAfter = now();
  expect(await reread()).toBe(1);
  expect(await ledger()).toMatchObject([{ txId }]);
  await Promise.all([liar.stop(), honest.stop()]);
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
