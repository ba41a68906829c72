import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTronSource } from "@/lib/chains/tron/source";
import { canonicalAddress, displayAddress, displayTxId } from "@/lib/domain/addresses/address";
import { getNetwork } from "@/lib/domain/networks";
import { startTronProxy, TRON_USDT, type TronCallSeen, type TronProxy } from "@/testing/chains/tron";

interface RawInfo {
  id: string;
  blockNumber: number;
  blockTimeStamp: number;
  receipt: { result?: string };
  log?: { address: string; topics: string[]; data: string }[];
}
interface Expected {
  txid: string;
  logPos: number;
  to: string;
  from: string;
  amount: string;
}

const folder = path.resolve(process.env["FIXTURES_DIR"] ?? "../shared/fixtures", "tron");
const hasFixtures = existsSync(folder);
if (!hasFixtures) console.warn(`Skipped: no recorded TRON data in ${folder}; set FIXTURES_DIR to where it is.`);
const used = new Set<string>();

function read<T>(name: string): T {
  used.add(`${name}.json`);
  return JSON.parse(readFileSync(path.join(folder, `${name}.json`), "utf8")) as T;
}

const network = getNetwork("tron");
const CHAIN_ID = "2b6653dc";
const now = () => new Date("2026-08-01T00:00:00Z");
const hex = (value: number) => `0x${value.toString(16)}`;

/** The id that a height has here; the recorded receipts do not carry it. */
const blockId = (height: number) =>
  height === 0 ? "0".repeat(56) + CHAIN_ID : `${height.toString(16).padStart(16, "0")}${"b".repeat(48)}`;

/** A node that has the recorded receipts and, around them, blocks without transactions. */
function serve(infos: readonly RawInfo[], { name, given }: TronCallSeen): unknown {
  const own = (height: number) => infos.filter((info) => info.blockNumber === height);
  const [height = 0] = infos.map((info) => info.blockNumber);
  if (Array.isArray(given)) return serveRpc(infos, name, given);
  const fields = given as { num?: number; id_or_num?: string; value?: string };
  const wanted = fields.num ?? numberOf(fields.id_or_num, height + 1);
  switch (name) {
    case "getblock":
    case "getblockbynum":
      return showBlock(wanted, name === "getblock" ? [] : own(wanted));
    case "gettransactioninfobyblocknum":
      return own(wanted);
    case "gettransactioninfobyid":
      return infos.find((info) => info.id === fields.value) ?? {};
    default:
      throw new Error(`not recorded: ${name}`);
  }
}

const numberOf = (text: string | undefined, head: number) =>
  text === undefined ? head : text.length === 64 ? Number.parseInt(text.slice(0, 16), 16) : Number(text);

function showBlock(number: number, infos: readonly RawInfo[]) {
  const timestamp = infos[0]?.blockTimeStamp ?? 1_785_491_841_000;
  const raw_data = { number, parentHash: blockId(Math.max(0, number - 1)), timestamp };
  const transactions = infos.map(({ id }) => ({ txID: id, ret: [{ contractRet: "SUCCESS" }] }));
  return { blockID: blockId(number), block_header: { raw_data }, ...(infos.length > 0 ? { transactions } : {}) };
}

type Topics = [event: string, from: null, receivers: string[]];
const passes = (log: { address: string; topics: string[] }, { topics: [event, , receivers] }: { topics: Topics }) =>
  log.address === TRON_USDT && log.topics[0] === event && receivers.includes(log.topics[2] ?? "");

/** The same as java-tron shows it by JSON-RPC. */
function serveRpc(infos: readonly RawInfo[], method: string, [at]: unknown[]): unknown {
  let logIndex = 0;
  const receipts = infos.map((info) => {
    const shared = {
      blockHash: `0x${blockId(info.blockNumber)}`,
      blockNumber: hex(info.blockNumber),
      transactionHash: `0x${info.id}`,
    };
    const logs = (info.log ?? []).map(({ address, topics, data }) => ({
      ...shared,
      address: `0x${address}`,
      topics: topics.map((one) => `0x${one}`),
      data: `0x${data}`,
      logIndex: hex(logIndex++),
      removed: false,
    }));
    return { ...shared, status: ["SUCCESS", undefined].includes(info.receipt.result) ? "0x1" : "0x0", logs };
  });
  const header = (number: number) => {
    const hashes = { hash: `0x${blockId(number)}`, parentHash: `0x${blockId(number - 1)}` };
    return { number: hex(number), ...hashes, timestamp: hex(1_785_491_841), logsBloom: `0x${"0".repeat(512)}` };
  };
  switch (method) {
    case "eth_chainId":
      return `0x${CHAIN_ID}`;
    case "eth_getBlockByHash":
      return header(Number.parseInt(String(at).slice(2, 18), 16));
    case "eth_getBlockByNumber":
      return header(Number(at));
    case "eth_getLogs":
      return receipts.flatMap((receipt) => receipt.logs).filter((log) => passes(log, at as { topics: Topics }));
    case "eth_getTransactionReceipt":
      return receipts.find((receipt) => receipt.transactionHash === at) ?? null;
    default:
      throw new Error(`not recorded: ${method}`);
  }
}

describe.runIf(hasFixtures)("recorded TRON mainnet data", () => {
  const HEIGHT = 84_940_364;
  let node: TronProxy;
  let expected: Expected[];
  let infos: RawInfo[];
  beforeAll(async () => {
    infos = read<RawInfo[]>(`gettransactioninfobyblocknum-${HEIGHT}.partial`);
    expected = read<Expected[]>(`expected-${HEIGHT}`);
    node = await startTronProxy(null, (call) => serve(infos, call));
  });
  afterAll(() => node.stop());

  /** Where a transfer stands among all logs of its transaction, which is how the recording names it. */
  function logPosOf(txId: string, position: string): number {
    const logs = infos.find(({ id }) => `0x${id}` === txId)?.log ?? [];
    const [contract, ordinal] = position.split(":");
    const own = logs.flatMap(({ address }, index) => (`0x${address.slice(-40)}` === contract ? [index] : []));
    return own[Number(ordinal)] ?? -1;
  }

  const sources = () => [node.url, node.jsonRpcUrl].map((url) => createTronSource(network, { urls: [url], now }));

  test("both kinds of endpoints find exactly the expected transfers", async () => {
    const receivers = new Set(expected.map(({ to }) => canonicalAddress("tron", to)));
    const span = { blockHash: `0x${blockId(HEIGHT)}`, height: HEIGHT };
    const [http = [], rpc] = await Promise.all(sources().map((source) => source.transfers(span, receivers)));
    expect(rpc).toEqual(http);
    const shown = http.map(({ txId, position, to, from, baseUnits }) => ({
      txid: displayTxId("tron", txId),
      logPos: logPosOf(txId, position),
      to: displayAddress("tron", to),
      from: displayAddress("tron", from),
      amount: String(baseUnits),
    }));
    expect(shown).toEqual(expected);
    expect(http[0]).toMatchObject({ blockTime: new Date(1_785_491_841_000), blockHeight: HEIGHT, currency: "USDT" });
  });

  test("nothing is found for addresses that were only senders", async () => {
    const senders = new Set(expected.map(({ from }) => canonicalAddress("tron", from)));
    const span = { blockHash: `0x${blockId(HEIGHT)}`, height: HEIGHT };
    for (const source of sources()) expect(await source.transfers(span, senders)).toEqual([]);
  });

  test("a transfer that ran out of energy is a failure without transfers", async () => {
    infos = [read<RawInfo>("gettransactioninfobyid-out_of_energy")];
    for (const source of sources()) {
      const receipt = await source.receipt(`0x${infos[0]?.id}`);
      expect(receipt).toMatchObject({ isSuccess: false, blockHeight: 66_860_010, transfers: [] });
    }
  });
});

test.skipIf(!hasFixtures)("no recorded TRON file is left out", () => {
  expect([...used].sort()).toEqual(readdirSync(folder).sort());
});
