import { expect, test } from "vitest";
import { startRpcProxy } from "@/testing/chains/evm";
import { useScanner } from "@/testing/watch/scanner";

const { world, usdt, usdc, catchUp, sourceOf, ledger, cursor, keptHeights } = useScanner("bsc");

test("a fast chain is read in ranges up to its head, and the two newest blocks of each once more with the next", async () => {
  const proxy = await startRpcProxy(world.chain.node.url);
  world.source = sourceOf(proxy.url);
  const txId = await world.chain.pay(usdt, world.shop.address, 5n);
  await world.chain.mine(2);
  await catchUp();
  const found = [{ txId, network: "bsc", baseUnits: 5n, blockHeight: 21 }];
  expect(await ledger()).toMatchObject(found);
  await world.chain.mine(8);
  proxy.calls.clear();
  await catchUp();
  expect(await cursor()).toMatchObject({ height: 30, headHeight: 30 });
  expect(await ledger()).toMatchObject(found);
  expect(proxy.calls.get("eth_getLogs")).toBe(1);
  await proxy.stop();
});

test("a reorg of a fast chain drops transfers of the replaced blocks and nothing before", async () => {
  const early = await world.chain.pay(usdt, world.shop.address, 5n);
  await world.chain.mine(10);
  await catchUp();
  const late = await world.chain.pay(usdc, world.shop.address, 6n);
  await world.chain.mine(4);
  await catchUp();
  expect(await ledger()).toMatchObject([{ status: "seen" }, { txId: late, status: "seen" }]);
  const raw = await world.chain.node.call("eth_getRawTransactionByHash", [late]);
  await world.chain.node.call("anvil_reorg", [4, []]);
  await world.chain.mine(3);
  const kinds = (await catchUp()).map(({ kind }) => kind);
  expect(kinds).toContain("rewound");
  expect(await ledger()).toMatchObject([
    { txId: early, status: "seen" },
    { txId: late, status: "dropped" },
  ]);
  await world.chain.node.call("eth_sendRawTransaction", [raw]);
  await world.chain.mine(5);
  await catchUp();
  expect(await ledger()).toMatchObject([
    { txId: early, status: "seen" },
    { txId: late, status: "seen" },
  ]);
});

test("the hashes that are kept are those of the ends of ranges", async () => {
  await world.chain.mine(30);
  await catchUp();
  expect(await keptHeights()).toEqual([16, 17, 20, 21, 46, 47, 50]);
});
