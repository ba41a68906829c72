import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ChainError } from "@/lib/chains/endpoints/source";
import { createEvmSource } from "@/lib/chains/evm/source";
import { getNetwork, getToken, type Network } from "@/lib/domain/networks";
import {
  type Fault,
  HANDLED,
  type RpcProxy,
  startRpcProxy,
  startTestChain,
  type TestChain,
} from "@/testing/chains/evm";

const network = getNetwork("ethereum");
const usdt = getToken(network, "USDT").contract;
const me = `0x${"ab".repeat(20)}`;
const addresses = new Set([me]);

let chain: TestChain;
let proxies: RpcProxy[];
let clock: number;
const now = () => new Date(clock);

beforeEach(async () => {
  clock = Date.now();
  proxies = [];
  chain = await startTestChain(network);
  await chain.mine(10);
});
afterEach(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await chain.stop();
});

async function endpoint(fault?: Fault): Promise<RpcProxy> {
  const proxy = await startRpcProxy(chain.node.url, fault);
  proxies.push(proxy);
  return proxy;
}

const source = (options: Partial<Parameters<typeof createEvmSource>[1]> = {}, row: Network = network) =>
  createEvmSource(row, { urls: proxies.map(({ url }) => url), now, timeoutMs: 400, ...options });

const respond =
  (status: number, body: string, headers: Record<string, string> = {}): Fault =>
  async (_call, response) => {
    response.writeHead(status, headers).end(body);
    return HANDLED;
  };

const HANG: Fault = () => new Promise(() => {});
const error = (code: number, message: string) => JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } });

describe("an endpoint that fails", () => {
  test.each<[string, Fault]>([
    ["serves an HTML page", respond(200, "<html>Bad gateway</html>", { "content-type": "text/html" })],
    ["serves an HTML error page", respond(502, "<html>Bad gateway</html>")],
    ["limits the rate", respond(429, "Too Many Requests", { "retry-after": "30" })],
    ["forbids it", respond(403, "Forbidden")],
    ["cuts its JSON off", respond(200, '{"jsonrpc":"2.0","id":1,"result":"0x')],
    ["answers with an error", respond(200, error(-32000, "internal error"))],
    ["answers null", respond(200, '{"jsonrpc":"2.0","id":1,"result":null}')],
    ["never answers", HANG],
  ])("and %s is replaced by the next one", async (_what, fault) => {
    const bad = await endpoint();
    const good = await endpoint();
    const reader = source();
    await reader.head();
    bad.fault = fault;
    clock += 6_000;
    await chain.mine();
    expect((await reader.head()).height).toBe(11);
    expect(good.calls.size).toBeGreaterThan(0);
  });

  test("that asks to be left alone is left alone for as long as it asked", async () => {
    const limited = await endpoint(respond(429, error(-32005, "rate limit"), { "retry-after": "30" }));
    const reader = source();
    await expect(reader.head()).rejects.toMatchObject({ name: "ChainError", kind: "rateLimited", retryAfterMs: null });
    clock += 29_000;
    await expect(reader.head()).rejects.toThrow(/cooling down/);
    expect(limited.calls.get("eth_chainId")).toBe(1);
    limited.fault = undefined;
    clock += 2_000;
    expect((await reader.head()).height).toBe(10);
  });

  test("cools down longer with every failure, and works at once when it recovers", async () => {
    const bad = await endpoint(respond(500, "oops"));
    const reader = source();
    for (const ms of [400, 900, 1_900]) {
      await expect(reader.head()).rejects.toMatchObject({ kind: "unavailable" });
      clock += ms;
      await expect(reader.head()).rejects.toThrow(/cooling down/);
      clock += 101;
    }
    bad.fault = undefined;
    expect((await reader.head()).height).toBe(10);
  });

  test("when no endpoint responds, the error lists every endpoint and its message, but no path that may contain a key", async () => {
    await endpoint(respond(403, "Forbidden"));
    const url = `${proxies[0]?.url}/v3/secret-key`;
    const failure: ChainError = await source({ urls: [url] })
      .head()
      .then(
        () => Promise.reject(),
        (thrown) => thrown,
      );
    expect(failure.message).toContain(new URL(url).host);
    expect(failure.message).toContain("HTTP 403");
    expect(failure.message).not.toContain("secret-key");
  });
});

describe("an endpoint that lags", () => {
  const lag =
    (blocks: number): Fault =>
    async ({ method, params }, _response, pass) => {
      const head = (await chain.height()) - blocks;
      if (params[0] === "latest") return chain.node.call(method, [`0x${head.toString(16)}`, false]);
      const result = (await pass()) as { number?: string } | null;
      if (method.startsWith("eth_getBlock") && result?.number && Number(result.number) > head) return null;
      if (method === "eth_getLogs" && Number((params[0] as { toBlock?: string }).toBlock ?? head + 1) > head) return [];
      if (method === "eth_getTransactionReceipt" && Number((result as { blockNumber?: string })?.blockNumber) > head)
        return null;
      return result;
    };

  test("is passed over: the head never goes back while another endpoint has it", async () => {
    const [first] = [await endpoint(), await endpoint()];
    const reader = source();
    expect((await reader.head()).height).toBe(10);
    first.fault = lag(4);
    await chain.mine();
    expect((await reader.head()).height).toBe(11);
  });

  test("a permanently halted endpoint is detected when its head does not rise", async () => {
    const [first] = [await endpoint(), await endpoint()];
    const reader = source();
    expect((await reader.head()).height).toBe(10);
    const old = await chain.node.call("eth_getBlockByNumber", ["0xa", false]);
    first.fault = async ({ params }, _response, pass) => (params[0] === "latest" ? old : pass());
    await chain.mine(3);
    expect((await reader.head()).height).toBe(10);
    clock += 60_000;
    expect((await reader.head()).height).toBe(13);
  });

  test("is rejected when it returns no transfers for a block that it does not have", async () => {
    const first = await endpoint();
    const second = await endpoint(lag(3));
    const reader = source();
    const txId = await chain.pay(usdt, me, 5n);
    await chain.mine();
    const head = await reader.head();
    first.fault = async (call, response, pass) =>
      call.method === "eth_getLogs" ? respond(500, "oops")(call, response, pass) : pass();
    const span = { blockHash: head.hash, height: head.height };
    await expect(reader.transfers(span, addresses)).rejects.toMatchObject({ name: "ChainError" });
    expect(second.calls.get("eth_getLogs")).toBeUndefined();
    clock += 10_000;
    first.fault = undefined;
    expect(await reader.transfers(span, addresses)).toMatchObject([{ txId }]);
  });

  test("is rejected when it lacks the receipt of a transaction that another has", async () => {
    await endpoint();
    await endpoint(lag(3));
    const reader = source();
    const txId = await chain.pay(usdt, me, 5n);
    await chain.mine();
    const head = await reader.head();
    expect(await reader.transfers({ blockHash: head.hash, height: head.height }, addresses)).toMatchObject([{ txId }]);
    expect(await reader.receipt(txId)).toMatchObject({ isSuccess: true, transfers: [{ txId, to: me, baseUnits: 5n }] });
  });

  test("a transaction that no endpoint knows has no receipt", async () => {
    await endpoint();
    await endpoint();
    expect(await source().receipt(`0x${"12".repeat(32)}`)).toBeNull();
  });

  test("receipts come from another endpoint than the logs", async () => {
    const first = await endpoint();
    const second = await endpoint();
    const reader = source();
    await chain.pay(usdt, me, 5n);
    await chain.mine();
    const head = await reader.head();
    await reader.transfers({ blockHash: head.hash, height: head.height }, addresses);
    expect(first.calls.get("eth_getLogs")).toBe(1);
    expect(second.calls.get("eth_getTransactionReceipt")).toBe(1);
  });
});

describe("an answer that contradicts itself", () => {
  const changeLogs =
    (change: (log: Record<string, unknown>) => unknown): Fault =>
    async ({ method }, _response, pass) => {
      const result = await pass();
      return method === "eth_getLogs" ? (result as Record<string, unknown>[]).map(change) : result;
    };

  test.each<[string, (log: Record<string, unknown>) => unknown]>([
    ["a log of another block", (log) => ({ ...log, blockHash: `0x${"77".repeat(32)}` })],
    ["a removed log", (log) => ({ ...log, removed: true })],
    ["a log of another height", (log) => ({ ...log, blockNumber: "0x1" })],
    ["another value than the receipt has", (log) => ({ ...log, data: `0x${"9".padStart(64, "0")}` })],
    ["a log that is none", () => ({ hello: "world" })],
  ])("(%s) is never credited", async (_what, change) => {
    const proxy = await endpoint();
    const reader = source();
    await chain.pay(usdt, me, 5n);
    await chain.mine();
    const head = await reader.head();
    proxy.fault = changeLogs(change);
    const span = { blockHash: head.hash, height: head.height };
    await expect(reader.transfers(span, addresses)).rejects.toMatchObject({ kind: "inconsistent" });
  });
});

describe("the start-up check", () => {
  test("finds no problem on a chain that matches the table", async () => {
    await endpoint();
    expect(await source().problem()).toBeNull();
  });

  test("an endpoint of another chain is never used", async () => {
    const invalid = await endpoint(async ({ method }, _response, pass) => (method === "eth_chainId" ? "0x38" : pass()));
    const right = await endpoint();
    const reader = source();
    expect(await reader.problem()).toBeNull();
    expect((await reader.head()).height).toBe(10);
    expect([...invalid.calls]).toEqual([["eth_chainId", 1]]);
    expect(right.calls.get("eth_call")).toBe(2);
  });

  test("when all endpoints are on another chain, the message names it, and what to check", async () => {
    await endpoint(async ({ method }, _response, pass) => (method === "eth_chainId" ? "0x38" : pass()));
    const text = await source().problem();
    expect(text).toMatch(/Ethereum has chain id 1, but 127\.0\.0\.1:\d+ has 56\. Check the URLs in ETHEREUM_RPC_URLS/);
  });

  test("a token with other decimals, or without any, is reported with both numbers and what to do", async () => {
    await endpoint();
    const [first, second] = network.tokens;
    const tokens = [
      { ...first, decimals: 18 },
      { ...second, contract: `0x${"ee".repeat(20)}` },
    ] as Network["tokens"];
    const text = await source({}, { ...network, tokens }).problem();
    expect(text).toMatch(/USDT on Ethereum .*the chain returns 6 decimals, but the networks table has 18\./);
    expect(text).toMatch(/USDC on Ethereum .*the chain has no contract at this address\./);
    expect(text).toMatch(/lib\/domain\/networks\.ts/);
  });
});

test("more addresses than a topic list takes are matched here", async () => {
  const proxy = await endpoint(async ({ method, params }, response, pass) => {
    const topics = (params[0] as { topics?: unknown[] } | undefined)?.topics ?? [];
    const isLong = method === "eth_getLogs" && Array.isArray(topics[2]) && topics[2].length > 500;
    return isLong ? respond(200, error(-32602, "exceed max topics"))({ method, params }, response, pass) : pass();
  });
  const many = new Set([me, ...Array.from({ length: 700 }, (_, index) => `0x${index.toString(16).padStart(40, "0")}`)]);
  const reader = source();
  const txId = await chain.pay(usdt, me, 5n);
  await chain.pay(usdt, `0x${"cd".repeat(20)}`, 5n);
  await chain.mine();
  const head = await reader.head();
  expect(await reader.transfers({ blockHash: head.hash, height: head.height }, many)).toMatchObject([{ txId }]);
  expect(proxy.calls.get("eth_getLogs")).toBe(1);
});

test("an endless response is aborted", async () => {
  await endpoint(async ({ method }, response, pass) => {
    if (method !== "eth_getLogs") return pass();
    response.end(`{"jsonrpc":"2.0","id":1,"result":["${"x".repeat(3_000_000)}"]}`);
    return HANDLED;
  });
  const reader = source({ maxBytes: 1_000_000 });
  await expect(reader.transfers({ from: 1, to: 9 }, addresses)).rejects.toMatchObject({ kind: "rangeTooLarge" });
});

test("URLs with a name and password in them work", async () => {
  const seen: (string | undefined)[] = [];
  const proxy = await endpoint(async (_call, response, pass) => {
    seen.push(response.req.headers.authorization);
    return pass();
  });
  const url = proxy.url.replace("http://", "http://me:p%40ss@");
  expect((await source({ urls: [url] }).head()).height).toBe(10);
  expect(seen[0]).toBe(`Basic ${Buffer.from("me:p@ss").toString("base64")}`);
});
