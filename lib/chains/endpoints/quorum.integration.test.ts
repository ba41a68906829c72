import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BlockSource } from "@/lib/chains/endpoints/source";
import { createEvmSource } from "@/lib/chains/evm/source";
import { getNetwork, getToken } from "@/lib/domain/networks";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import { type Fault, type RpcProxy, startRpcProxy, startTestChain, type TestChain } from "@/testing/chains/evm";

const network = getNetwork("ethereum");
const usdt = getToken(network, "USDT").contract;
const me = `0x${"ab".repeat(20)}`;
const now = () => new Date();

let chain: TestChain;
let proxies: RpcProxy[];
let transfer: ChainTransfer;

beforeEach(async () => {
  chain = await startTestChain(network);
  proxies = await Promise.all([1, 2, 3].map(() => startRpcProxy(chain.node.url)));
  await chain.pay(usdt, me, 5n);
  await chain.mine(5);
  const [found] = await source(1).transfers({ from: 1, to: 5 }, new Set([me]));
  if (!found) throw new Error("the payment is not on the chain");
  transfer = found;
});
afterEach(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await chain.stop();
});

function source(quorum: number, endpointErrors: string[] = []): BlockSource {
  const urls = proxies.map(({ url }) => url);
  return createEvmSource(network, {
    urls,
    now,
    quorum,
    onEndpointError: ({ message }) => endpointErrors.push(message),
  });
}

const onReceipt =
  (answer: (pass: () => Promise<unknown>) => unknown): Fault =>
  async ({ method }, _response, pass) =>
    method === "eth_getTransactionReceipt" ? answer(pass) : pass();
const unknown: Fault = onReceipt(() => null);
const forged: Fault = onReceipt(async (pass) => ({ ...((await pass()) as object), blockHash: `0x${"9".repeat(64)}` }));
const down: Fault = () => Promise.reject(new Error("down"));

const asked = () => proxies.map(({ calls }) => calls.get("eth_getTransactionReceipt") ?? 0);

describe("a quorum of two", () => {
  test("confirms when two endpoints show the same receipt, and asks no third", async () => {
    expect(await source(2).checkFinality(transfer)).toEqual({ kind: "final" });
    const before = asked();
    expect(await source(2).checkFinality(transfer)).toEqual({ kind: "final" });
    expect(asked().reduce((sum, calls, index) => sum + calls - (before[index] ?? 0), 0)).toBe(2);
  });

  test.each([
    ["does not know it", unknown],
    ["returns it in another block", forged],
    ["is down", down],
  ])("confirms when one of three endpoints %s", async (_what, fault) => {
    for (const proxy of proxies) {
      proxy.fault = fault;
      expect(await source(2).checkFinality(transfer)).toEqual({ kind: "final" });
      proxy.fault = undefined;
    }
  });

  test("confirms and drops nothing when each endpoint returns something else", async () => {
    const [one, two] = proxies;
    if (one) one.fault = unknown;
    if (two) two.fault = forged;
    const endpointErrors: string[] = [];
    expect(await source(2, endpointErrors).checkFinality(transfer)).toEqual({ kind: "unclear" });
    expect(endpointErrors.join()).toContain("fewer than the required quorum of 2 agree");
  });

  test("confirms nothing while too few endpoints answer", async () => {
    for (const proxy of proxies.slice(1)) proxy.fault = down;
    await expect(source(2).checkFinality(transfer)).rejects.toMatchObject({ kind: "unavailable" });
  });
});

test("without a quorum one endpoint is enough only after a minute without a response of another", async () => {
  const [one, two] = proxies;
  if (one) one.fault = unknown;
  if (two) two.fault = down;
  let clock = Date.now();
  const urls = proxies.map(({ url }) => url);
  const { checkFinality } = createEvmSource(network, { urls, now: () => new Date(clock) });
  expect(await checkFinality(transfer)).toEqual({ kind: "waiting" });
  clock += 59_000;
  expect(await checkFinality(transfer)).toEqual({ kind: "waiting" });
  clock += 60_000;
  expect(await checkFinality(transfer)).toEqual({ kind: "final" });
});
