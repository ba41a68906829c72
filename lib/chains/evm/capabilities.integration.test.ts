import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEvmSource } from "@/lib/chains/evm/source";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { finalHeight } from "@/lib/domain/networks/finality";
import {
  type Fault,
  HANDLED,
  type RpcProxy,
  startRpcProxy,
  startTestChain,
  type TestChain,
} from "@/testing/chains/evm";

const network = getNetwork("bsc");
const usdt = getToken(network, "USDT").contract;
const OTHER_HASH = `0x${"77".repeat(32)}`;
const me = `0x${"ab".repeat(20)}`;
const addresses = new Set([me]);
const now = () => new Date();

let chain: TestChain;
let proxies: RpcProxy[];

beforeEach(async () => {
  proxies = [];
  chain = await startTestChain(network);
  await chain.mine(130);
});
afterEach(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await chain.stop();
});

async function open(...faults: (Fault | undefined)[]) {
  proxies = await Promise.all(faults.map((fault) => startRpcProxy(chain.node.url, fault)));
  return createEvmSource(network, { urls: proxies.map(({ url }) => url), now, timeoutMs: 2_000 });
}

/** Creates a fault: the node does not support calls that match `is`. */
const lacking =
  (is: (method: string, params: unknown[]) => boolean, code = -32601): Fault =>
  async ({ method, params }, response, pass) => {
    if (!is(method, params)) return pass();
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message: "the method is not supported" } }));
    return HANDLED;
  };
const isFinalizedTag = (_method: string, params: unknown[]) => params[0] === "finalized";
const isByHash = (method: string, [filter]: unknown[]) =>
  method === "eth_getLogs" && typeof filter === "object" && filter !== null && "blockHash" in filter;
const isLogs = (method: string) => method === "eth_getLogs";
const isReceipts = (method: string) => method === "eth_getBlockReceipts";

describe("the finalized tag", () => {
  test.each<[string, Fault]>([
    ["refuses it", lacking(isFinalizedTag)],
    ["calls it an unknown block", lacking(isFinalizedTag, -39001)],
    ["answers null", async ({ params }, _response, pass) => (params[0] === "finalized" ? null : pass())],
  ])("of a node that %s is left out, and the depth counts instead", async (_what, fault) => {
    const head = await (await open(fault)).head();
    expect(head).toMatchObject({ height: 130, finalizedHeight: null });
    expect(finalHeight(network, head)).toBe(11);
  });

  test("is taken from another node that has it", async () => {
    const head = await (await open(lacking(isFinalizedTag), undefined)).head();
    expect(head).toMatchObject({ height: 130, finalizedHeight: 126 });
  });

  test("ahead of the head that was seen makes nothing final that was not seen", async () => {
    const old = await chain.node.call("eth_getBlockByNumber", ["0x64", false]);
    const ahead: Fault = async ({ params }, _response, pass) => (params[0] === "latest" ? old : pass());
    expect(await (await open(ahead)).head()).toMatchObject({ height: 100, finalizedHeight: 100 });
  });
});

describe("a node that serves no logs", () => {
  async function paidBlock() {
    const txId = await chain.pay(usdt, me, 5n);
    await chain.send({ to: usdt, data: `0xa9059cbb${"f".repeat(128)}` });
    await chain.pay(usdt, `0x${"cd".repeat(20)}`, 6n);
    await chain.mine();
    const block = await createEvmSource(network, { urls: [chain.node.url], now }).head();
    return { txId, span: { blockHash: block.hash, height: block.height } };
  }

  test("of a single block is asked for its receipts", async () => {
    const { txId, span } = await paidBlock();
    const source = await open(lacking(isByHash));
    expect(await source.transfers(span, addresses)).toMatchObject([
      { txId, baseUnits: 5n, position: `${usdt.toLowerCase()}:0` },
    ]);
    expect(proxies[0]?.calls.get("eth_getBlockReceipts")).toBe(1);
    expect(await source.transfers({ from: 100, to: span.height }, addresses)).toMatchObject([{ txId }]);
  });

  test("and no receipts either is an error, never a block without transfers", async () => {
    const { span } = await paidBlock();
    const source = await open(lacking((method) => isLogs(method) || isReceipts(method)));
    await expect(source.transfers(span, addresses)).rejects.toMatchObject({ name: "ChainError", kind: "refused" });
  });

  test.each<[string, (receipts: Record<string, unknown>[]) => unknown]>([
    ["that it has none of", () => []],
    ["of which most are missing", (receipts) => receipts.slice(2)],
    ["that it does not know", () => null],
    [
      "of another block",
      (receipts) =>
        receipts.map((one) => ({
          ...one,
          logs: (one["logs"] as object[]).map((log) => ({ ...log, blockHash: OTHER_HASH })),
        })),
    ],
  ])("returns invalid receipts %s", async (_what, change) => {
    const { txId, span } = await paidBlock();
    const source = await open(lacking(isLogs), async (call, response, pass) => {
      if (isReceipts(call.method)) return change((await pass()) as Record<string, unknown>[]);
      return lacking(isLogs)(call, response, pass);
    });
    const [good, bad] = proxies;
    if (!good || !bad) throw new Error("unreachable");
    const single = createEvmSource(network, { urls: [bad.url], now });
    await expect(single.transfers(span, addresses)).rejects.toMatchObject({ kind: "inconsistent" });
    const both = createEvmSource(network, { urls: [bad.url, good.url], now });
    expect(await both.transfers(span, addresses)).toMatchObject([{ txId }]);
    expect(await source.transfers(span, addresses)).toMatchObject([{ txId }]);
  });
});
