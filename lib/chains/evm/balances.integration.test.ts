import { afterEach, beforeEach, expect, test } from "vitest";
import { createEvmSource } from "@/lib/chains/evm/source";
import { COIN, getNetwork, getToken } from "@/lib/domain/networks";
import type { Holder } from "@/lib/domain/transfers/balance";
import { type RpcProxy, startRpcProxy, startTestChain, type TestChain } from "@/testing/chains/evm";
import { putMulticall } from "@/testing/chains/multicall";

const NETWORK = getNetwork("ethereum");
const USDT = getToken(NETWORK, "USDT").contract.toLowerCase();
const OWNERS = Array.from({ length: 60 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, "a")}`);
const REVERTS = `0x${"5e".repeat(20)}`;
const BURNS = `0x${"b0".repeat(20)}`;

let chain: TestChain;
let proxy: RpcProxy;
let height: number;

beforeEach(async () => {
  chain = await startTestChain(NETWORK);
  for (let from = 0; from < OWNERS.length; from += 10)
    await chain.payAll(
      USDT,
      OWNERS.slice(from, from + 10).map((owner, at) => [owner, BigInt(from + at + 1)] as const),
    );
  await chain.node.call("anvil_setBalance", [OWNERS[0], "0x1f4"]);
  await chain.node.call("anvil_setCode", [REVERTS, "0x60006000fd"]);
  await chain.node.call("anvil_setCode", [BURNS, "0x5b600056"]);
  await chain.mine();
  height = await chain.height();
  proxy = await startRpcProxy(chain.node.url);
});
afterEach(async () => {
  await proxy.stop();
  await chain.stop();
});

const holders = OWNERS.map((owner): Holder => ({ owner, token: USDT }));
const shown = () => OWNERS.map((_, index) => ({ kind: "read", balance: { baseUnits: BigInt(index + 1), height } }));
const sourceOf = (now = () => new Date()) => createEvmSource(NETWORK, { urls: [proxy.url], now, timeoutMs: 5_000 });
const calls = () => proxy.calls.get("eth_call") ?? 0;

test("where there is a contract that answers for many, sixty balances are one call, coin too", async () => {
  await putMulticall(chain);
  const source = sourceOf();
  expect(await source.balances(holders, height)).toEqual(shown());
  expect(calls()).toBe(1);
  const coins = [OWNERS[0], OWNERS[1]].map((owner = "") => ({ owner, token: COIN }));
  expect((await source.balances(coins, height)).map((one) => one.kind === "read" && one.balance.baseUnits)).toEqual([
    500n,
    0n,
  ]);
  expect(calls()).toBe(2);
});

test("without the contract each balance is read separately, and the contract is not searched again", async () => {
  const source = sourceOf();
  expect(await source.balances(holders, height)).toEqual(shown());
  expect(calls()).toBe(OWNERS.length + 1);
  const some = [...holders.slice(0, 3), { owner: OWNERS[0] ?? "", token: COIN }];
  const read = await source.balances(some, height);
  expect(read.map((one) => one.kind === "read" && one.balance.baseUnits)).toEqual([1n, 2n, 3n, 500n]);
  expect(calls()).toBe(OWNERS.length + 4);
});

test("a token that reverts, and one that burns all gas, leave the others readable", async () => {
  await putMulticall(chain);
  const owner = OWNERS[6] ?? "";
  const asked = [REVERTS, BURNS, USDT].map((token) => ({ owner, token }));
  expect(await sourceOf().balances(asked, height)).toEqual([
    { kind: "unknown" },
    { kind: "unknown" },
    { kind: "read", balance: { baseUnits: 7n, height } },
  ]);
});

test("a silent endpoint is not asked for all of them, and its balances are not taken as zero", async () => {
  proxy.fault = async (_call, response) => {
    response.destroy();
    return undefined as never;
  };
  const answers = await sourceOf().balances(holders, height);
  expect(answers).toEqual(holders.map(() => ({ kind: "silent" })));
  expect(calls()).toBeLessThanOrEqual(7);
});

test("a slow endpoint is read for some seconds, and the remaining blocks in the next round", async () => {
  // Each read of the clock returns a time one second later than the previous one.
  let seconds = 0;
  const slow = sourceOf(() => new Date(1_800_000_000_000 + seconds++ * 1_000));
  const first = await slow.balances(holders, height);
  expect(first.length).toBeGreaterThan(0);
  expect(first.length).toBeLessThan(holders.length);
  expect(first).toEqual(shown().slice(0, first.length));
});

test("when only one endpoint has the contract, both are used, and differences are reported", async () => {
  await putMulticall(chain);
  const other = await startRpcProxy(chain.node.url, async (call, _response, pass) => {
    const [{ to } = { to: "" }] = call.params as { to?: string }[];
    if (call.method === "eth_call" && to?.startsWith("0xca11")) return "0x";
    return call.method === "eth_call" && to === USDT ? `0x${"0".repeat(62)}2a` : pass();
  });
  try {
    const source = createEvmSource(NETWORK, { urls: [proxy.url, other.url], now: () => new Date() });
    const answers = await source.balances(holders.slice(40, 43), height);
    expect(answers.map(({ kind }) => kind)).toEqual(["contradicted", "read", "contradicted"]);
  } finally {
    await other.stop();
  }
});

test("the gas price is the median of the endpoints", async () => {
  const returns = (hex: string) =>
    startRpcProxy(chain.node.url, async ({ method }, _response, pass) => (method === "eth_gasPrice" ? hex : pass()));
  const proxies = await Promise.all(["0x64", "0x9", "0xffff"].map(returns));
  try {
    const source = createEvmSource(NETWORK, { urls: proxies.map(({ url }) => url), now: () => new Date() });
    expect(await source.receivers?.gasPrice()).toBe(100n);
  } finally {
    await Promise.all(proxies.map((one) => one.stop()));
  }
});
