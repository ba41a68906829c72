import { expect, test } from "vitest";
import { type Fault, HANDLED, startRpcProxy } from "@/testing/chains/evm";
import { useScanner } from "@/testing/watch/scanner";

const { world, network, usdt, now, catchUp, verify, newScanner, sourceOf, ledger } = useScanner();

/** Returns no logs for any log query. */
const hidesLogs: Fault = async ({ method }, _response, pass) => (method === "eth_getLogs" ? [] : pass());
const isDown: Fault = async (_call, response) => {
  response.writeHead(502).end();
  return HANDLED;
};

/** Returns the number of blocks that a log query spans; null for other calls. */
function spanOf({ method, params }: Parameters<Fault>[0]): number | null {
  const [filter] = params as [{ fromBlock?: string; toBlock?: string }];
  return method === "eth_getLogs" ? Number(filter.toBlock) - Number(filter.fromBlock) + 1 : null;
}

/** Creates a fault that limits log queries to a few blocks, like a provider's free plan. */
function limitsRangeTo(blocks: number): Fault {
  return async (call, response, pass) => {
    if ((spanOf(call) ?? 0) <= blocks) return pass();
    const error = { code: -32600, message: `eth_getLogs is limited to a ${blocks} block range` };
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error }));
    return HANDLED;
  };
}

test("a payment that a node kept back at the first reading is found when its block is final", async () => {
  const proxy = await startRpcProxy(world.chain.node.url, hidesLogs);
  world.source = sourceOf(proxy.url);
  const txId = await world.chain.pay(usdt, world.shop.address, 5n);
  await world.chain.mine();
  await catchUp();
  proxy.fault = undefined;
  await world.chain.mine(10);
  await catchUp();
  await verify();
  expect(await ledger()).toEqual([]);
  await world.chain.mine(10);
  await catchUp();
  expect(await verify()).toBe(1);
  expect(await ledger()).toMatchObject([{ txId, blockHeight: 21, status: "seen", matchedAt: null }]);
  await proxy.stop();
});

test("a payment that one endpoint keeps back for good is found by the second reading, which asks every endpoint", async () => {
  const faulty = await startRpcProxy(world.chain.node.url, hidesLogs);
  world.source = sourceOf(faulty.url, world.chain.node.url);
  const txId = await world.chain.pay(usdt, world.shop.address, 5n);
  await world.chain.mine(30);
  await catchUp();
  expect(await ledger()).toEqual([]);
  expect(await verify()).toBe(1);
  expect(await ledger()).toMatchObject([{ txId }]);
  await faulty.stop();
});

test("while an endpoint does not answer, the second reading is not over", async () => {
  const faulty = await startRpcProxy(world.chain.node.url, hidesLogs);
  const honest = await startRpcProxy(world.chain.node.url, isDown);
  world.source = sourceOf(faulty.url, honest.url);
  const txId = await world.chain.pay(usdt, world.shop.address, 5n);
  await world.chain.mine(30);
  await catchUp();
  const before = world.scanner.memory.verifiedTo;
  const start = now();
  expect(await verify(start)).toBe(0);
  expect(world.scanner.memory.verifiedTo).toBe(before);
  honest.fault = undefined;
  world.source = sourceOf(faulty.url, honest.url);
  expect(await verify(new Date(start.getTime() + 9_000))).toBe(0);
  expect(await verify(new Date(start.getTime() + 10_000))).toBe(1);
  expect(await ledger()).toMatchObject([{ txId }]);
  await Promise.all([faulty.stop(), honest.stop()]);
});

test("a second reading costs one call and writes nothing when nothing was missed", async () => {
  await world.chain.pay(usdt, world.shop.address, 5n);
  await world.chain.mine(30);
  await catchUp();
  const before = await ledger();
  const proxy = await startRpcProxy(world.chain.node.url);
  world.source = sourceOf(proxy.url);
  expect(await verify()).toBe(0);
  expect(proxy.calls.get("eth_getLogs")).toBe(1);
  expect(await verify()).toBe(0);
  expect(proxy.calls.get("eth_getLogs")).toBe(1);
  expect(await ledger()).toEqual(before);
  await proxy.stop();
});

test("an endpoint that takes ten blocks at once is read in pieces, all in one round, and returns what the other hides", async () => {
  const faulty = await startRpcProxy(world.chain.node.url, hidesLogs);
  const capped = await startRpcProxy(world.chain.node.url, limitsRangeTo(10));
  world.source = sourceOf(faulty.url, capped.url);
  const txId = await world.chain.pay(usdt, world.shop.address, 5n);
  await world.chain.mine(80);
  await catchUp();
  expect(await ledger()).toEqual([]);
  const { memory } = world.scanner;
  const before = memory.verifiedTo ?? 0;
  capped.calls.clear();
  faulty.calls.clear();
  expect(await verify()).toBe(1);
  expect(await ledger()).toMatchObject([{ txId }]);
  const final = (await world.chain.height()) - network.finality.depth + 1;
  expect(memory.verifiedTo).toBe(final);
  expect(faulty.calls.get("eth_getLogs")).toBe(1);
  expect(capped.calls.get("eth_getLogs")).toBeLessThan(2 * Math.ceil((final - before) / 5));
  await Promise.all([faulty.stop(), capped.stop()]);
});

test("an endpoint without log queries returns by the receipts of single blocks what the other hides", async () => {
  const faulty = await startRpcProxy(world.chain.node.url, hidesLogs);
  const bare = await startRpcProxy(world.chain.node.url, limitsRangeTo(0));
  world.source = sourceOf(faulty.url, bare.url);
  const txId = await world.chain.pay(usdt, world.shop.address, 5n);
  await world.chain.mine(30);
  await catchUp();
  expect(await ledger()).toEqual([]);
  expect(await verify()).toBe(1);
  expect(await ledger()).toMatchObject([{ txId }]);
  await Promise.all([faulty.stop(), bare.stop()]);
});

test("an unavailable endpoint does not block the others, which are asked once", async () => {
  const [away, faulty, honest] = await Promise.all(
    [isDown, hidesLogs, undefined].map((fault) => startRpcProxy(world.chain.node.url, fault)),
  );
  if (!away || !faulty || !honest) throw new Error("unreachable");
  world.source = sourceOf(faulty.url, away.url);
  const txId = await world.chain.pay(usdt, world.shop.address, 5n);
  await world.chain.mine(30);
  await catchUp();
  world.source = sourceOf(faulty.url, away.url, honest.url);
  const start = now();
  const before = world.scanner.memory.verifiedTo;
  expect(await verify(start)).toBe(1);
  expect(await ledger()).toMatchObject([{ txId }]);
  for (const seconds of [10, 20, 30]) await verify(new Date(start.getTime() + seconds * 1_000));
  expect(honest.calls.get("eth_getLogs")).toBe(1);
  expect(world.scanner.memory.verifiedTo).toBe(before);
  await Promise.all([away.stop(), faulty.stop(), honest.stop()]);
});

test("an endpoint that stays away is waited for a quarter of an hour, however fast blocks come, and no longer", async () => {
  const away = await startRpcProxy(world.chain.node.url, isDown);
  await world.chain.mine(40);
  await catchUp();
  const { memory } = world.scanner;
  const start = now().getTime();
  const before = memory.verifiedTo;
  world.source = sourceOf(world.chain.node.url, away.url);
  const after = (minutes: number) => verify(new Date(start + minutes * 60_000));
  const finalNow = async () => (await world.chain.height()) - network.finality.depth + 1;
  await after(0);
  const atFirst = await finalNow();
  await world.chain.mine(100);
  await catchUp();
  await after(14.9);
  expect(memory.verifiedTo).toBe(before);
  await after(15.1);
  expect(memory.verifiedTo).toBe(atFirst);
  const later = await finalNow();
  await world.chain.mine(10);
  await catchUp();
  await after(30);
  expect(memory.verifiedTo).toBe(atFirst);
  await after(30.2);
  expect(memory.verifiedTo).toBe(later);
  await away.stop();
});

test("a new worker verifies the blocks that the previous one had read once", async () => {
  const faulty = await startRpcProxy(world.chain.node.url, hidesLogs);
  world.source = sourceOf(faulty.url);
  const txId = await world.chain.pay(usdt, world.shop.address, 5n);
  await world.chain.mine(60);
  await catchUp();
  await faulty.stop();
  world.source = sourceOf(world.chain.node.url);
  world.scanner = newScanner();
  await world.chain.mine();
  await catchUp();
  expect(await ledger()).toEqual([]);
  expect(await verify()).toBe(1);
  expect(await ledger()).toMatchObject([{ txId }]);
});
