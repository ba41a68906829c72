import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import type { BlockSource } from "@/lib/chains/endpoints/source";
import { createTronSource } from "@/lib/chains/tron/source";
import { canonicalAddress, displayAddress, displayTxId } from "@/lib/domain/addresses/address";
import { getNetwork, getToken } from "@/lib/domain/networks";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import { openTronWallet } from "@/sandbox/wallets/tron-wallet";
import {
  ANSWERED,
  startTronChain,
  startTronProxy,
  TRON_USDT,
  type TronChain,
  type TronFault,
  type TronProxy,
} from "@/testing/chains/tron";

const network = getNetwork("tron");
const me = `0x${"ab".repeat(20)}`;
const other = `0x${"cd".repeat(20)}`;
const addresses = new Set([me]);
const KINDS = ["json-rpc", "http"] as const;
type Kind = (typeof KINDS)[number];

let chain: TronChain;
let proxies: TronProxy[];
let clock: number;
const now = () => new Date(clock);

beforeEach(async () => {
  clock = Date.now();
  proxies = [];
  chain = await startTronChain();
  await chain.mine(10);
});
afterEach(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await chain.stop();
});

async function endpoint(fault?: TronFault): Promise<TronProxy> {
  const proxy = await startTronProxy(chain.node.url, fault);
  proxies.push(proxy);
  return proxy;
}

const open = (urls: string[], options: Partial<EndpointsOptions> = {}) =>
  createTronSource(network, { urls, now, timeoutMs: 2_000, ...options });
const urlOf = (proxy: TronProxy, kind: Kind) => (kind === "http" ? proxy.url : proxy.jsonRpcUrl);
const direct = (kind: Kind) => open([kind === "http" ? chain.node.url : chain.node.jsonRpcUrl]);

/** Returns all transfers up to a height. Reads block by block and reads as one range must return the same transfers. */
async function expected(source: BlockSource, to: number): Promise<ChainTransfer[]> {
  const single: ChainTransfer[] = [];
  for (let height = 1; height <= to; height++) {
    const block = await source.block({ height });
    if (block) single.push(...(await source.transfers({ blockHash: block.hash, height }, addresses)));
  }
  expect(await source.transfers({ from: 1, to }, addresses)).toEqual(single);
  return single;
}

describe("the two kinds of endpoints", () => {
  test("return the same chain: blocks, transfers, positions, receipts and finality", async () => {
    const paid = await chain.pay(me, 5n);
    await chain.mine();
    const failed = await chain.fail(me);
    const batch = await chain.payAll([
      [me, 1n],
      [other, 2n],
      [me, 1n],
    ]);
    await chain.mine(6);
    const json = direct("json-rpc");
    const http = direct("http");
    const head = await json.head();
    expect(await http.head()).toEqual(head);
    expect(head.finalizedHeight).toBe(head.height - 4);
    for (let height = 0; height <= head.height; height++) {
      const block = await json.block({ height });
      expect(await http.block({ height })).toEqual(block);
      expect(await http.block({ hash: block?.hash ?? "" })).toEqual(block);
    }
    const found = await expected(json, head.height);
    expect(found).toMatchObject([
      { txId: paid, position: `${TRON_USDT}:0`, from: `0x${"0".repeat(40)}`, to: me, baseUnits: 5n, currency: "USDT" },
      { txId: batch, position: `${TRON_USDT}:0`, baseUnits: 1n },
      { txId: batch, position: `${TRON_USDT}:2`, baseUnits: 1n },
    ]);
    expect(await expected(http, head.height)).toEqual(found);
    for (const txId of [paid, failed, batch]) expect(await http.receipt(txId)).toEqual(await json.receipt(txId));
    expect(await http.receipt(failed)).toMatchObject({ isSuccess: false, transfers: [] });
  });

  test("return what tronweb sends, with the id that it returned", async () => {
    const wallet = openTronWallet(chain.node.url);
    const contract = getToken(network, "USDT").contract;
    const txId = await wallet.transfer({ contract, to: displayAddress("tron", me), baseUnits: 7n });
    await chain.mine(3);
    for (const kind of KINDS) {
      const [found, ...more] = await direct(kind).transfers(
        { from: 1, to: (await direct(kind).head()).height },
        addresses,
      );
      expect(more).toEqual([]);
      expect(found).toMatchObject({ from: canonicalAddress("tron", wallet.address), to: me, baseUnits: 7n });
      expect(displayTxId("tron", found?.txId ?? "")).toBe(txId);
      expect(await direct(kind).receipt(found?.txId ?? "")).toMatchObject({
        transfers: [{ position: found?.position }],
      });
    }
  });

  test.each(KINDS)("%s: the chain id and the decimals fit the table", async (kind) => {
    expect(await direct(kind).problem()).toBeNull();
  });

  test.each(KINDS)("%s: a token with other decimals, or without any, is reported with what to do", async (kind) => {
    const urls = [kind === "http" ? chain.node.url : chain.node.jsonRpcUrl];
    const [usdt] = network.tokens;
    if (!usdt) throw new Error("unreachable");
    const problemWith = (token: typeof usdt) =>
      createTronSource({ ...network, tokens: [token] }, { urls, now }).problem();
    expect(await problemWith({ ...usdt, decimals: 18 })).toMatch(
      /USDT on TRON .*the chain returns 6 decimals, but the networks table has 18\. Check the URLs in TRON_RPC_URLS/,
    );
    const contract = displayAddress("tron", other);
    expect(await problemWith({ ...usdt, contract })).toMatch(/the chain has no contract at this address/);
  });

  test.each(KINDS)("%s: what a chain does not have is null", async (kind) => {
    const source = direct(kind);
    expect(await source.block({ height: 9_999 })).toBeNull();
    expect(await source.block({ hash: `0x${"0".repeat(13)}aaa${"7".repeat(48)}` })).toBeNull();
    expect(await source.receipt(`0x${"7".repeat(64)}`)).toBeNull();
  });

  test.each(KINDS)("%s: the newest block, whose receipts are not there yet, is not read", async (kind) => {
    const source = direct(kind);
    const before = await source.head();
    await chain.pay(me, 5n);
    await chain.mine();
    const head = await source.head();
    expect(head.height).toBe(before.height + 1);
    expect(await source.transfers({ blockHash: head.hash, height: head.height }, addresses)).toEqual([]);
    await chain.mine();
    const next = await source.head();
    expect(await source.transfers({ blockHash: next.hash, height: next.height }, addresses)).toHaveLength(1);
  });

  test.each(KINDS)("%s: after a reorg the new blocks are shown, and the old ones are gone", async (kind) => {
    const source = direct(kind);
    const txId = await chain.pay(me, 5n);
    await chain.mine(2);
    const old = await source.head();
    expect(await source.receipt(txId)).toMatchObject({ blockHash: old.hash });
    await chain.reorg(3, false);
    await chain.mine();
    const head = await source.head();
    const replaced = await direct(kind).block({ height: old.height });
    expect(replaced?.hash).not.toBe(old.hash);
    expect(head.parentHash).toBe(replaced?.hash);
    expect(await direct(kind).block({ hash: old.hash })).toBeNull();
    expect(await source.receipt(txId)).toBeNull();
  });

  test.each([
    ["json-rpc", "http"],
    ["http", "json-rpc"],
  ] as const)("when %s dies, %s continues with the same blocks", async (dying, living) => {
    const bad = await endpoint();
    const good = await endpoint();
    const source = open([urlOf(bad, dying), urlOf(good, living)]);
    const txId = await chain.pay(me, 5n);
    await chain.mine(2);
    const head = await source.head();
    bad.fault = (_call, _pass, response) => {
      response.writeHead(503).end("down");
      return ANSWERED;
    };
    const span = { blockHash: head.hash, height: head.height };
    expect(await source.transfers(span, addresses)).toMatchObject([{ txId, blockHash: head.hash }]);
    await chain.mine();
    expect(await source.head()).toMatchObject({ height: head.height + 1, parentHash: head.hash });
  });
});

describe("a node that lags", () => {
  test("by json-rpc its 'no logs' for a block without receipts is rejected", async () => {
    const late = await endpoint();
    const good = await endpoint();
    const txId = await chain.pay(me, 5n);
    await chain.mine(2);
    const head = await open([good.jsonRpcUrl]).head();
    late.fault = async ({ name, given }, pass) => {
      const [at] = given as [unknown];
      if (name === "eth_getBlockByNumber" && (at === "latest" || Number(at) > head.height)) return null;
      return name === "eth_getLogs" ? [] : pass();
    };
    const source = open([late.jsonRpcUrl, good.jsonRpcUrl]);
    const span = { blockHash: head.hash, height: head.height };
    expect(await source.transfers(span, addresses)).toMatchObject([{ txId }]);
    expect(await source.transfers({ from: 1, to: head.height }, addresses)).toMatchObject([{ txId }]);
    await expect(open([late.jsonRpcUrl]).transfers(span, addresses)).rejects.toMatchObject({ kind: "inconsistent" });
  });

  test("by http its [] for a block that has transactions is rejected", async () => {
    const late = await endpoint();
    const good = await endpoint();
    const txId = await chain.pay(me, 5n);
    await chain.mine(2);
    late.fault = ({ name }, pass) => (name === "gettransactioninfobyblocknum" ? [] : pass());
    const source = open([late.url, good.url]);
    const head = await source.head();
    const span = { blockHash: head.hash, height: head.height };
    expect(await source.transfers(span, addresses)).toMatchObject([{ txId }]);
    await expect(open([late.url]).transfers(span, addresses)).rejects.toMatchObject({ kind: "inconsistent" });
  });

  test("by http one receipt too few is noticed", async () => {
    const cut = await endpoint(async ({ name }, pass) => {
      const answer = await pass();
      return name === "gettransactioninfobyblocknum" ? (answer as unknown[]).slice(1) : answer;
    });
    await chain.payAll([[me, 1n]]);
    await chain.mine(2);
    const source = open([cut.url]);
    const head = await source.head();
    const span = { blockHash: head.hash, height: head.height };
    await expect(source.transfers(span, addresses)).rejects.toThrow("1 receipts for 2 transactions");
  });

  test("a block that was replaced meanwhile is not taken for the one that was asked for", async () => {
    const source = direct("http");
    await chain.pay(me, 5n);
    await chain.mine(2);
    const head = await source.head();
    await chain.reorg(2, true);
    await chain.mine(2);
    const span = { blockHash: head.hash, height: head.height };
    for (const kind of KINDS) {
      await expect(direct(kind).transfers(span, addresses)).rejects.toMatchObject({ kind: "inconsistent" });
    }
  });
});

describe("limits", () => {
  test("http is read twenty blocks at a time, json-rpc five thousand", async () => {
    await chain.mine(20);
    await expect(direct("http").transfers({ from: 1, to: 21 }, addresses)).rejects.toMatchObject({
      kind: "rangeTooLarge",
    });
    expect(await direct("http").transfers({ from: 1, to: 20 }, addresses)).toEqual([]);
    const long = await endpoint(async ({ name, given }, pass) => {
      const [at] = given as [unknown];
      if (name !== "eth_getBlockByNumber" || Number(at) < 5_000) return pass();
      return { number: at, hash: `0x${"1".repeat(64)}`, parentHash: `0x${"2".repeat(64)}`, timestamp: "0x6a000000" };
    });
    const source = open([long.jsonRpcUrl]);
    await expect(source.transfers({ from: 1, to: 5_100 }, addresses)).rejects.toMatchObject({ kind: "rangeTooLarge" });
    expect(await source.transfers({ from: 1, to: 5_000 }, addresses)).toEqual([]);
  });

  test("more than ten thousand logs is too large, not an error of the node", async () => {
    const crowded = await endpoint(({ name }, pass, response) => {
      if (name !== "eth_getLogs") return pass();
      const error = { code: -32005, message: "query returned more than 10000 results" };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error }));
      return ANSWERED;
    });
    const source = open([crowded.jsonRpcUrl]);
    await expect(source.transfers({ from: 1, to: 8 }, addresses)).rejects.toMatchObject({ kind: "rangeTooLarge" });
  });

  test("a node of another chain is never asked for transfers", async () => {
    const shasta = await endpoint(async ({ name, given }, pass) => {
      if (name === "eth_chainId") return "0x94a9059e";
      const answer = (await pass()) as { blockID: string };
      const isFirst = name === "getblock" && (given as { id_or_num?: string }).id_or_num === "0";
      return isFirst ? { ...answer, blockID: `${answer.blockID.slice(0, 56)}94a9059e` } : answer;
    });
    for (const kind of KINDS) {
      const source = open([urlOf(shasta, kind)]);
      await expect(source.transfers({ from: 1, to: 5 }, addresses)).rejects.toThrow("is on another chain");
      expect(await source.problem()).toContain("2494104990");
    }
    expect(shasta.calls.has("eth_getLogs")).toBe(false);
    expect(shasta.calls.has("getblockbynum")).toBe(false);
  });

  test("each endpoint is sent its own headers, and no error repeats them", async () => {
    const seen: unknown[] = [];
    const note: TronFault = ({ headers }, _pass, response) => {
      seen.push(headers["tron-pro-api-key"]);
      response.writeHead(403).end("forbidden");
      return ANSWERED;
    };
    const one = await endpoint(note);
    const two = await endpoint(note);
    const endpointErrors: string[] = [];
    const source = open([one.url, two.jsonRpcUrl], {
      headers: [{ "TRON-PRO-API-KEY": "secret-1" }, {}],
      onEndpointError: ({ message }) => endpointErrors.push(message),
    });
    await expect(source.head()).rejects.toThrow(/HTTP 403/);
    expect(seen).toEqual(["secret-1", undefined]);
    expect(endpointErrors.join()).not.toContain("secret-1");
  });
});
