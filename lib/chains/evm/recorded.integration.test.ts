import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BlockSource } from "@/lib/chains/endpoints/source";
import { createEvmSource } from "@/lib/chains/evm/source";
import { getNetwork, type Network } from "@/lib/domain/networks";
import { HANDLED, type RpcProxy, startRpcProxy } from "@/testing/chains/evm";

interface RawLog {
  address: string;
  topics: string[];
  data: string;
  transactionHash: string;
  logIndex: string;
}
interface RawBlock {
  header: { number: string; hash: string };
  receipts: { transactionHash: string; status: string; logs: RawLog[] }[];
}

const folder = path.resolve(process.env["FIXTURES_DIR"] ?? "../shared/fixtures", "evm");
const hasFixtures = existsSync(folder);
if (!hasFixtures) console.warn(`Skipped: no recorded mainnet data in ${folder}; set FIXTURES_DIR to where it is.`);
const used = new Set<string>();

function read<T>(name: string): T {
  used.add(name);
  return JSON.parse(readFileSync(path.join(folder, name), "utf8")) as T;
}

const ethereum = getNetwork("ethereum");
const polygon: Network = {
  ...ethereum,
  id: "polygon",
  name: "Polygon",
  chainId: "137",
  blockMs: 2_000,
  tokens: [
    { currency: "USDT", contract: "0xc2132D05D31c914a87C6611C10748AEb04B58e8F", decimals: 6 },
    { currency: "USDC", contract: "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174", decimals: 6 },
  ],
};

/** A node that serves one recorded block, and filters logs as nodes do. */
function serve(network: Network, block: RawBlock, method: string, params: unknown[]): unknown {
  const logs = block.receipts.flatMap((receipt) => receipt.logs);
  switch (method) {
    case "eth_chainId":
      return `0x${BigInt(network.chainId).toString(16)}`;
    case "eth_getBlockByHash":
      return params[0] === block.header.hash ? block.header : null;
    case "eth_getBlockByNumber":
      return Number(params[0]) === Number(block.header.number) ? block.header : null;
    case "eth_getLogs":
      return logs.filter((log) =>
        passes(log, params[0] as { address: string[]; topics: (string | string[] | null)[] }),
      );
    case "eth_getTransactionReceipt":
      return block.receipts.find((receipt) => receipt.transactionHash === params[0]) ?? null;
    case "eth_getBlockReceipts":
      return block.receipts;
    default:
      throw new Error(`not recorded: ${method}`);
  }
}

function passes(log: RawLog, filter: { address: string[]; topics: (string | string[] | null)[] }): boolean {
  const isTopic = (wanted: string | string[] | null, topic?: string) =>
    wanted === null || (topic !== undefined && [wanted].flat().includes(topic));
  return (
    filter.address.includes(log.address) && filter.topics.every((wanted, index) => isTopic(wanted, log.topics[index]))
  );
}

/** What must be found, told by the recorded logs alone. */
function expected(block: RawBlock, stable: RawLog[]) {
  return stable
    .filter((log) => log.topics.length === 3 && BigInt(log.data) > 0n)
    .map((log) => {
      const receipt = block.receipts.find(({ transactionHash }) => transactionHash === log.transactionHash);
      const own = receipt?.logs.filter(({ address }) => address === log.address) ?? [];
      const position = `${log.address}:${own.findIndex(({ logIndex }) => logIndex === log.logIndex)}`;
      const [from, to] = log.topics.slice(1).map((topic) => `0x${topic.slice(26)}`);
      const units = BigInt(log.data);
      return `${log.transactionHash} ${position} ${log.address} ${from} ${to} ${units}`;
    })
    .sort();
}

describe.skipIf(!hasFixtures).each([
  { name: "ethereum-11098450", network: ethereum, logs: 49, transfers: 49 },
  { name: "polygon-38102393", network: polygon, logs: 37, transfers: 23 },
])("a recorded block ($name)", ({ name, network, logs, transfers }) => {
  let node: RpcProxy;
  let source: BlockSource;
  let block: RawBlock;
  let stable: RawLog[];
  let receivers: Set<string>;

  beforeAll(async () => {
    block = read<RawBlock>(`${name}.block+receipts.json`);
    stable = read<RawLog[]>(`${name}.stable-transfer-logs.json`);
    receivers = new Set(stable.map((log) => `0x${log.topics[2]?.slice(26)}`));
    node = await startRpcProxy("", async ({ method, params }) => serve(network, block, method, params));
    source = createEvmSource(network, { urls: [node.url], now: () => new Date() });
  });
  afterAll(() => node.stop());

  const found = async (span: Parameters<BlockSource["transfers"]>[0], addresses: ReadonlySet<string>) =>
    (await source.transfers(span, addresses))
      .map((one) => `${one.txId} ${one.position} ${one.token} ${one.from} ${one.to} ${one.baseUnits}`)
      .sort();

  test("gives exactly its transfers, by hash and by height", async () => {
    expect(stable).toHaveLength(logs);
    const wanted = expected(block, stable);
    expect(wanted).toHaveLength(transfers);
    const height = Number(block.header.number);
    expect(await found({ blockHash: block.header.hash, height }, receivers)).toEqual(wanted);
    expect(await found({ from: height, to: height }, receivers)).toEqual(wanted);
  });

  test("gives the same where there are too many addresses for a topic list", async () => {
    const strangers = Array.from({ length: 600 }, (_, index) => `0x${index.toString(16).padStart(40, "e")}`);
    const span = { blockHash: block.header.hash, height: Number(block.header.number) };
    expect(await found(span, new Set([...receivers, ...strangers]))).toEqual(expected(block, stable));
  });

  test("gives the same by its receipts, where a node serves no logs", async () => {
    const refusing = await startRpcProxy("", async ({ method, params }, response) => {
      if (method !== "eth_getLogs") return serve(network, block, method, params);
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "not supported" } }));
      return HANDLED;
    });
    const other = createEvmSource(network, { urls: [refusing.url], now: () => new Date() });
    const span = { blockHash: block.header.hash, height: Number(block.header.number) };
    const receivedBy = await other.transfers(span, receivers);
    await refusing.stop();
    expect(receivedBy).toEqual(await source.transfers(span, receivers));
    expect(receivedBy).toHaveLength(transfers);
    expect(refusing.calls.get("eth_getBlockReceipts")).toBe(1);
  });

  test("gives one receiver only what is theirs", async () => {
    const [mine = ""] = receivers;
    const span = { blockHash: block.header.hash, height: Number(block.header.number) };
    const wanted = expected(block, stable).filter((line) => line.split(" ")[4] === mine);
    expect(await found(span, new Set([mine]))).toEqual(wanted);
  });

  test("shows a failed transaction as failed, without transfers", async () => {
    const failed = block.receipts.filter(({ status }) => status === "0x0");
    for (const { transactionHash } of failed) {
      expect(await source.receipt(transactionHash)).toMatchObject({ isSuccess: false, transfers: [] });
    }
    expect(failed.length).toBeGreaterThan(0);
  });
});

test.skipIf(!hasFixtures)("no recorded file is left out", () => {
  expect([...used].sort()).toEqual(readdirSync(folder).sort());
});
