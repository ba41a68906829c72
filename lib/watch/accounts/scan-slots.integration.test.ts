import { beforeEach, expect, test } from "vitest";
import { HANDLED, type RpcProxy, startRpcProxy } from "@/testing/chains/evm";
import { ownerNamed } from "@/testing/chains/solana";
import { BY_SLOTS, useSolanaChain, useSolanaLedger } from "@/testing/watch/solana-scanner";

const world = useSolanaChain();
const shop = ownerNamed("shop").publicKey;
const { state, sourceOf, catchUp, ledger, cursor } = useSolanaLedger(world, BY_SLOTS);

let proxy: RpcProxy;
beforeEach(async () => {
  proxy = await startRpcProxy(world.chain.node.url);
  state.source = sourceOf(proxy.url);
  for (let time = 0; time < 2; time++) {
    await catchUp();
    await world.chain.advance();
  }
  await catchUp();
  return () => proxy.stop();
});

const failure = (code: number) => JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message: "no block" } });
const result = (value: unknown) => JSON.stringify({ jsonrpc: "2.0", id: 1, result: value });

test.each([
  ["calls it skipped", failure(-32007)],
  ["calls it missing in long-term storage", failure(-32009)],
  ["does not have it yet", failure(-32004)],
  ["cleaned it up", failure(-32001)],
  ["has no status of it yet", failure(-32014)],
  ["has an error of its own", failure(-32603)],
  ["answers null", result(null)],
  ["answers something else", result({ hello: "world" })],
  ["answers HTML", "<html>"],
  ["cuts its answer off", '{"jsonrpc":"2.0","id":1,"result":{"blockhash":"'],
])("a block is never skipped whose only node %s", async (_what, answer) => {
  const before = await cursor();
  const txId = await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 5n }]);
  await world.chain.advance(3);
  const slot = (await world.chain.slot()) - 2;
  proxy.fault = async ({ method, params }, response, pass) => {
    if (method !== "getBlock" || params[0] !== slot) return pass();
    response.end(answer);
    return HANDLED;
  };
  await expect(catchUp()).rejects.toThrow(/No endpoint|resting|skipped/);
  expect(await cursor()).toMatchObject({ height: before?.height, hash: before?.hash });
  expect(await ledger()).toEqual([]);
  state.source = sourceOf(world.chain.node.url);
  await catchUp();
  expect(await ledger()).toMatchObject([{ txId, blockHeight: slot }]);
});

test("a block without recorded balances is never read as one without payments", async () => {
  const before = await cursor();
  await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 5n }]);
  await world.chain.advance();
  proxy.fault = async ({ method, params }, _response, pass) => {
    const block = (await pass()) as { transactions?: { meta: object }[] };
    if (method !== "getBlock" || params[0] !== (await world.chain.slot())) return block;
    const transactions = block.transactions?.map((one) => {
      const meta = { ...one.meta, preTokenBalances: null, postTokenBalances: null };
      return { ...one, meta };
    });
    return { ...block, ...(transactions ? { transactions } : {}) };
  };
  await expect(catchUp()).rejects.toThrow(/No endpoint/);
  expect(await cursor()).toMatchObject({ height: before?.height });
});
