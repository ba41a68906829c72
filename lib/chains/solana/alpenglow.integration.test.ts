import { beforeEach, expect, test } from "vitest";
import { createSolanaSource } from "@/lib/chains/solana/source";
import { getNetwork } from "@/lib/domain/networks";
import { type RpcProxy, startRpcProxy } from "@/testing/chains/evm";
import { ownerNamed } from "@/testing/chains/solana";
import { BY_ACCOUNTS, BY_SLOTS, useSolanaChain, useSolanaLedger } from "@/testing/watch/solana-scanner";

const world = useSolanaChain();
const network = getNetwork("solana");
const shop = ownerNamed("shop").publicKey;
let proxies: RpcProxy[] = [];
beforeEach(async () => {
  proxies = await Promise.all([0, 1].map(() => startRpcProxy(world.chain.node.url)));
  return async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
  };
});
const urls = () => proxies.map(({ url }) => url);
const control = (method: string, ...params: unknown[]) => world.chain.node.call(method, params);
const calls = (method: string) => proxies.reduce((sum, proxy) => sum + (proxy.calls.get(method) ?? 0), 0);

for (const [name, maxAccounts] of [
  ["by accounts", BY_ACCOUNTS],
  ["by slots", BY_SLOTS],
] as const) {
  const { state, catchUp, settle, sourceOf, ledger, cursor } = useSolanaLedger(world, maxAccounts);

  test(`read ${name}: a payment is found and settled while the consensus changes under it, and after`, async () => {
    state.source = sourceOf(...urls());
    await catchUp();
    await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 5n }]);
    await world.chain.advance(2);
    await settle();
    await control("solana_hold", "finalized");
    await world.chain.advance(50);
    await settle();
    expect(await ledger()).toMatchObject([{ status: "seen" }]);
    await control("solana_switchToAlpenglow");
    await control("solana_hold", null);
    await world.chain.advance(2);
    await settle();
    expect(await ledger()).toMatchObject([{ status: "confirmed" }]);
    await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 6n }]);
    await world.chain.advance(1);
    await settle();
    expect((await ledger()).map(({ status }) => status)).toEqual(["confirmed", "confirmed"]);
    const head = await state.source.head();
    expect(head.finalizedHeight).toBe(head.height);
    expect(await cursor()).toMatchObject({ height: head.height });
  });
}

test("an empty block is read twice until the chain shows that validators no longer vote in blocks", async () => {
  const empties = proxies.map((proxy) => {
    proxy.fault = async ({ method }, _response, pass) => {
      const block = (await pass()) as { transactions?: unknown[] } | null;
      return method === "getBlock" && block?.transactions ? { ...block, transactions: [] } : block;
    };
    return proxy;
  });
  let clock = Date.now();
  const source = createSolanaSource(network, { urls: empties.map(({ url }) => url), now: () => new Date(clock) });
  const slot = await world.chain.slot();
  await source.slot(slot - 1, new Set());
  expect(calls("getBlock")).toBe(2);
  await control("solana_switchToAlpenglow");
  await world.chain.advance(3);
  const after = await world.chain.slot();
  for (const proxy of proxies) proxy.calls.clear();
  await source.slot(after, new Set());
  expect(calls("getBlock")).toBe(2);
  expect(calls("getAgGenesisCert")).toBe(0);
  clock += 600_000;
  for (const proxy of proxies) proxy.calls.clear();
  await source.slot(after, new Set());
  await source.slot(after, new Set());
  expect(calls("getBlock")).toBe(2);
  expect(calls("getAgGenesisCert")).toBe(1);
  for (const proxy of proxies) proxy.calls.clear();
  await source.slot(slot - 1, new Set());
  expect(calls("getBlock")).toBe(2);
});

test("a node that does not know of the switch reports no error", async () => {
  await control("solana_setAge", { isBefore43: true });
  for (const proxy of proxies)
    proxy.fault = async ({ method }, _response, pass) => {
      const block = (await pass()) as { transactions?: unknown[] } | null;
      return method === "getBlock" && block?.transactions ? { ...block, transactions: [] } : block;
    };
  const endpointErrors: unknown[] = [];
  const options = {
    urls: urls(),
    now: () => new Date(),
    onEndpointError: (endpointError: unknown) => endpointErrors.push(endpointError),
  };
  const source = createSolanaSource(network, options);
  await source.slot(await world.chain.slot(), new Set());
  expect(calls("getBlock")).toBe(2);
  expect(calls("getAgGenesisCert")).toBe(1);
  expect(endpointErrors).toEqual([]);
});

test.each(["head", "confirmed", "finalized"])("no error is reported while the %s is halted", async (what) => {
  const endpointErrors: unknown[] = [];
  let clock = Date.now();
  const options = {
    urls: urls(),
    now: () => new Date(clock),
    onEndpointError: (endpointError: unknown) => endpointErrors.push(endpointError),
  };
  const source = createSolanaSource(network, options);
  const before = await source.head();
  await control("solana_hold", what);
  for (let minute = 0; minute < 15; minute++) {
    clock += 60_000;
    if (what !== "head") await world.chain.advance(5);
    await source.head();
  }
  expect(endpointErrors).toEqual([]);
  const still = await source.head();
  if (what === "finalized") expect(still).toMatchObject({ finalizedHeight: before.finalizedHeight });
  else expect(still).toMatchObject({ height: before.height, hash: before.hash });
  if (what !== "finalized") expect(source.heads()).toEqual([before.height, before.height]);
  await control("solana_hold", null);
  await world.chain.advance(60);
  clock += 60_000;
  const moved = await source.head();
  expect(moved.height).toBeGreaterThan(before.height);
  expect(moved.finalizedHeight ?? 0).toBeGreaterThan(before.finalizedHeight ?? 0);
});
