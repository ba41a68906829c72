import { beforeEach, describe, expect, test } from "vitest";
import { ChainError } from "@/lib/chains/endpoints/source";
import { createNetworkReader } from "@/lib/watch/network-reader";
import { changeAt, LEFT_OUT } from "@/testing/answers/damages";
import { type RpcProxy, startRpcProxy } from "@/testing/chains/evm";
import { ownerNamed } from "@/testing/chains/solana";
import { useScanner } from "@/testing/watch/scanner";
import { BY_ACCOUNTS, BY_SLOTS, useSolanaChain, useSolanaLedger } from "@/testing/watch/solana-scanner";

/** A method, a path in its result, and the change at that path. */
type Damage = [method: string, path: string, change: (value: unknown) => unknown];

const HASH_OF_NOTHING = `0x${"77".repeat(32)}`;

/** Makes the endpoint return results with this change. */
function damage(proxy: RpcProxy, [method, path, change]: Damage): void {
  proxy.fault = async (call, _response, pass) => {
    const result = await pass();
    return call.method === method && typeof result !== "symbol"
      ? changeAt(result, path === "" ? [] : path.split("."), change)
      : result;
  };
}

describe("blocks with logs", () => {
  const { world, network, usdt, db, now, catchUp, ledger, cursor, sourceOf } = useScanner();
  let proxy: RpcProxy;

  beforeEach(async () => {
    proxy = await startRpcProxy(world.chain.node.url);
    return () => proxy.stop();
  });

  test.each<Damage>([
    ["eth_getBlockByNumber", "timestamp", (value) => `0x${(Number(value) * 1_000).toString(16)}`],
    ["eth_getBlockByNumber", "parentHash", () => LEFT_OUT],
    ["eth_getLogs", "0.data", () => "0x"],
    ["eth_getLogs", "0.topics.2", () => null],
    ["eth_getLogs", "0.blockHash", () => HASH_OF_NOTHING],
    ["eth_getTransactionReceipt", "logs", () => null],
    ["eth_getTransactionReceipt", "status", () => "0x2"],
  ])(
    "the cursor does not pass a block of which the only endpoint damages %s %s, and continues once it recovers",
    async (...how) => {
      world.source = sourceOf(proxy.url);
      const before = (await cursor())?.height;
      damage(proxy, how);
      const txId = await world.chain.pay(usdt, world.shop.address, 5n);
      await world.chain.mine();
      await expect(catchUp()).rejects.toMatchObject({ name: "ChainError" });
      expect([(await cursor())?.height, await ledger()]).toEqual([before, []]);
      proxy.fault = undefined;
      world.source = sourceOf(proxy.url);
      await catchUp();
      expect(await ledger()).toMatchObject([{ txId, baseUnits: 5n }]);
    },
  );

  test.each<Damage>([
    ["eth_getBlockByNumber", "number", () => "0xfffffffffff"],
    ["eth_getBlockByNumber", "hash", () => HASH_OF_NOTHING],
    ["eth_getBlockByNumber", "parentHash", () => HASH_OF_NOTHING],
    ["eth_getLogs", "0.blockHash", () => HASH_OF_NOTHING],
  ])(
    "%s %s with a valid form but false content does not block reading while another endpoint works",
    async (...how) => {
      const good = await startRpcProxy(world.chain.node.url);
      const logged: string[] = [];
      const onEndpointError = ({ endpoint }: { endpoint: string }) => logged.push(endpoint);
      const options = { urls: [proxy.url, good.url], now, onEndpointError };
      const reader = createNetworkReader(db(), network, options, {
        owner: "one",
        publicUrl: "https://pay.example.com",
        log: world.scanner.log,
      });
      damage(proxy, how);
      const txId = await world.chain.pay(usdt, world.shop.address, 5n);
      await world.chain.mine();
      for (let tries = 0; tries < 5 && (await ledger()).length === 0; tries++) await reader.step(now()).catch(() => {});
      await good.stop();
      expect(await ledger()).toMatchObject([{ txId, baseUnits: 5n }]);
      expect(logged).toContain(new URL(proxy.url).host);
    },
  );
});

describe.each<{ name: string; maxAccounts: number; damages: Damage[] }>([
  {
    name: "histories",
    maxAccounts: BY_ACCOUNTS,
    damages: [
      ["getSignaturesForAddress", "0.err", () => LEFT_OUT],
      ["getTransaction", "meta.postTokenBalances.0.accountIndex", () => 250],
      ["getTransaction", "meta.postTokenBalances", () => null],
      ["getTransaction", "slot", () => Number.MAX_SAFE_INTEGER],
      ["getBlock", "blockTime", () => null],
      ["getBlock", "blockTime", (value) => Number(value) * 1_000],
    ],
  },
  {
    name: "blocks",
    maxAccounts: BY_SLOTS,
    damages: [
      ["getBlock", "parentSlot", () => null],
      ["getBlock", "transactions", () => null],
      ["getBlock", "blockTime", () => 0],
    ],
  },
])("Solana by $name", ({ maxAccounts, damages }) => {
  const world = useSolanaChain();
  const { state, sourceOf, catchUp, ledger, cursor } = useSolanaLedger(world, maxAccounts);

  test.each(damages)("the cursor does not pass data that the only endpoint damages in %s %s", async (...how) => {
    const proxy = await startRpcProxy(world.chain.node.url);
    state.source = sourceOf(proxy.url);
    await catchUp();
    const before = (await cursor())?.height ?? -1;
    const to = ownerNamed("shop").publicKey;
    const txId = await world.chain.pay([{ to, currency: "USDC", baseUnits: 5n }]);
    await world.chain.advance(2);
    damage(proxy, how);
    const failure: unknown = await catchUp().catch((error: unknown) => error);
    expect(Array.isArray(failure) || failure instanceof ChainError).toBe(true);
    expect(await ledger()).toEqual([]);
    expect((await cursor())?.height).toBeLessThanOrEqual(before);
    proxy.fault = undefined;
    state.source = sourceOf(proxy.url);
    await catchUp();
    await proxy.stop();
    expect(await ledger()).toMatchObject([{ txId, baseUnits: 5n }]);
  });
});
