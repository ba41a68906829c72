import { beforeEach, expect, test } from "vitest";
import { verifySlots } from "@/lib/watch/verify/verify-slots";
import { type Fault, HANDLED, type RpcProxy, startRpcProxy } from "@/testing/chains/evm";
import { ownerNamed } from "@/testing/chains/solana";
import { BY_SLOTS, useSolanaChain, useSolanaLedger } from "@/testing/watch/solana-scanner";

const world = useSolanaChain();
const shop = ownerNamed("shop").publicKey;
const { state, db, network, now, sourceOf, catchUp, verifyBlocks, newScanner, ledger, keptBlocks } = useSolanaLedger(
  world,
  BY_SLOTS,
);

let [one, other]: RpcProxy[] = [];
beforeEach(async () => {
  [one, other] = [await startRpcProxy(world.chain.node.url), await startRpcProxy(world.chain.node.url)];
  state.source = sourceOf(proxies().one.url);
  await catchUp();
  await world.chain.advance();
  await catchUp();
  return () => Promise.all([proxies().one.stop(), proxies().other.stop()]);
});

function proxies() {
  if (!one || !other) throw new Error("unreachable");
  return { one, other };
}
const pay = (baseUnits: bigint) => world.chain.pay([{ to: shop, currency: "USDC", baseUnits }]);
const isContent = ({ method, params }: Parameters<Fault>[0]) =>
  method === "getBlock" && (params[1] as { transactionDetails: string }).transactionDetails === "accounts";

/** Returns blocks without token balances, like a node that never has them or does not have them yet. */
const servesNoBalances: Fault = async (call, _response, pass) => {
  const block = await pass();
  if (!isContent(call) || block === HANDLED) return block;
  const { transactions, ...rest } = block as { transactions: { meta: object }[] };
  const without = ({ meta, ...more }: { meta: object }) => ({
    ...more,
    meta: { ...meta, preTokenBalances: [], postTokenBalances: [] },
  });
  return { ...rest, transactions: transactions.map(without) };
};

/** Reads all final blocks a second time. @returns the number of transfers that had been missed */
async function verifyAllSlots(): Promise<number> {
  const { memory } = state.scanner;
  let missed = 0;
  for (let before = -1; before !== memory.slotVerifiedTo?.height; ) {
    before = memory.slotVerifiedTo?.height ?? -1;
    missed += await verifyBlocks();
  }
  return missed;
}

test("a payment that was missing in its block at first is found when the slot is final", async () => {
  proxies().one.fault = servesNoBalances;
  const txId = await pay(5n);
  await world.chain.advance(3);
  await catchUp();
  proxies().one.fault = undefined;
  expect(await verifyAllSlots()).toBe(0);
  await world.chain.advance(50);
  await catchUp();
  expect(await ledger()).toEqual([]);
  expect(await verifyAllSlots()).toBe(1);
  expect(await ledger()).toMatchObject([{ txId, baseUnits: 5n, status: "seen" }]);
});

test("each slot is read once from another endpoint than at first", async () => {
  const first = new Map<number, RpcProxy>();
  let asked = 0;
  const hides = (proxy: RpcProxy): Fault => {
    return async (call, response, pass) => {
      const slot = Number(call.params[0]);
      if (isContent(call)) asked += 1;
      if (isContent(call) && !first.has(slot)) first.set(slot, proxy);
      return first.get(slot) === proxy ? servesNoBalances(call, response, pass) : pass();
    };
  };
  state.source = sourceOf(proxies().one.url, proxies().other.url);
  proxies().one.fault = hides(proxies().one);
  proxies().other.fault = hides(proxies().other);
  const txIds = [];
  for (let payment = 1n; payment <= 10n; payment++) {
    txIds.push(await pay(payment));
    await world.chain.advance(5);
    await catchUp();
  }
  await world.chain.advance(60);
  await catchUp();
  expect(await ledger()).toEqual([]);
  const head = await state.source.head();
  const before = asked;
  const from = state.scanner.memory.slotVerifiedTo?.height ?? 0;
  await verifyAllSlots();
  const slots = (state.scanner.memory.slotVerifiedTo?.height ?? 0) - from;
  expect((await ledger()).map(({ txId }) => txId).toSorted()).toEqual(txIds.toSorted());
  expect(slots).toBeGreaterThan((head.finalizedHeight ?? 0) - from - 8);
  expect(asked - before).toBe(slots);
});

test("a new worker continues where the previous one was", async () => {
  proxies().one.fault = servesNoBalances;
  const txId = await pay(5n);
  await world.chain.advance(60);
  await catchUp();
  proxies().one.fault = undefined;
  state.scanner = newScanner();
  await world.chain.advance();
  await catchUp();
  expect(await ledger()).toEqual([]);
  expect(await verifyAllSlots()).toBe(1);
  expect(await ledger()).toMatchObject([{ txId }]);
});

test("blocks are kept until they were read a second time, and no longer", async () => {
  await world.chain.advance(100);
  await catchUp();
  const from = state.scanner.memory.slotVerifiedTo?.height;
  expect((await keptBlocks())[0]?.height).toBe(from);
  await verifyAllSlots();
  await world.chain.advance();
  await catchUp();
  expect((await keptBlocks())[0]?.height).toBe(state.scanner.memory.slotVerifiedTo?.height);
  expect((await keptBlocks()).length).toBeLessThan(50);
});

test("an endpoint that falsely reports a skipped slot ends nothing: it is asked again", async () => {
  state.source = sourceOf(proxies().one.url);
  proxies().one.fault = servesNoBalances;
  const txId = await pay(5n);
  await world.chain.advance(60);
  await catchUp();
  const [row] = await keptBlocks();
  proxies().one.fault = async (call, response, pass) => {
    if (!isContent(call)) return pass();
    response.end('{"jsonrpc":"2.0","id":1,"error":{"code":-32007,"message":"Slot was skipped"}}');
    return HANDLED;
  };
  await expect(verifyBlocks()).rejects.toThrow(/final block/);
  expect(state.scanner.memory.slotVerifiedTo?.height).toBe(row?.height);
  expect(await verifyBlocks()).toBe(0);
  proxies().one.fault = undefined;
  state.scanner.memory.verifyAfter = now();
  expect(await verifyAllSlots()).toBe(1);
  expect(await ledger()).toMatchObject([{ txId }]);
});

test("while the other endpoint is unavailable it is not replaced until a quarter of an hour of slots is over", async () => {
  state.source = sourceOf(proxies().one.url, proxies().other.url);
  proxies().other.fault = async (_call, response) => {
    response.writeHead(502).end();
    return HANDLED;
  };
  await world.chain.advance(100);
  await catchUp();
  const before = state.scanner.memory.slotVerifiedTo;
  await expect(verifyBlocks()).rejects.toThrow(/No endpoint/);
  expect(state.scanner.memory.slotVerifiedTo).toBe(before);
  await catchUp();
  const head = await state.source.head();
  const slow = { ...network, blockMs: 40_000 };
  const oldest = (head.finalizedHeight ?? 0) - 1_800_000 / slow.blockMs;
  expect(oldest).toBeGreaterThan(before?.height ?? 0);
  state.scanner.memory.verifyAfter = now();
  await verifySlots(db(), state.source, slow, state.scanner, head, now());
  expect(state.scanner.memory.slotVerifiedTo?.height).toBe(oldest + 8);
});
