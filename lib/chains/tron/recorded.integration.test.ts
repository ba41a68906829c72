import { expect } from "vitest";
import { createTronSource } from "@/lib/chains/tron/source";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { getNetwork } from "@/lib/domain/networks";
import { openRecordings, type Recording, testRecording } from "@/testing/chains/contract/recorded";
import { startTronProxy, TRON_USDT, type TronCallSeen } from "@/testing/chains/tron";

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

const recordings = openRecordings("tron");
const network = getNetwork("tron");
const CHAIN_ID = "2b6653dc";
const now = () => new Date("2026-08-01T00:00:00Z");
const hex = (value: number) => `0x${value.toString(16)}`;

/** Returns the id of the block at a height in this test; the recorded receipts do not contain it. */
const blockId = (height: number) =>
  height === 0 ? "0".repeat(56) + CHAIN_ID : `${height.toString(16).padStart(16, "0")}${"b".repeat(48)}`;

/** Responds like a node that has the recorded receipts, surrounded by blocks without transactions. */
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

/** Responds over JSON-RPC with the same blocks as java-tron does. */
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

const HEIGHT = 84_940_364;
const span = { blockHash: `0x${blockId(HEIGHT)}`, height: HEIGHT };

/** Returns the position of a log among those of its contract; the recording gives the position among all logs of the transaction. */
function positionOf(infos: readonly RawInfo[], txId: string, logPos: number): string {
  const logs = infos.find(({ id }) => id === txId)?.log ?? [];
  const contractOf = (at: number) => `0x${logs[at]?.address.slice(-40)}`;
  const before = logs.slice(0, logPos).filter((_, at) => contractOf(at) === contractOf(logPos));
  return `${contractOf(logPos)}:${before.length}`;
}

/** Serves receipts over both APIs. */
async function open(infos: readonly RawInfo[], expected: readonly Expected[], failed: readonly string[]) {
  const node = await startTronProxy(null, (call) => serve(infos, call));
  const sourceOf = (url: string) => createTronSource(network, { urls: [url], now });
  const json = sourceOf(node.jsonRpcUrl);
  const http = sourceOf(node.url);
  const recording: Recording = {
    expected: expected.map(({ txid, logPos, to, from, amount }) => ({
      txId: `0x${txid}`,
      position: positionOf(infos, txid, logPos),
      token: TRON_USDT,
      from: canonicalAddress("tron", from),
      to: canonicalAddress("tron", to),
      baseUnits: BigInt(amount),
    })),
    failed: failed.map((txId) => `0x${txId}`),
    ways: {
      "by HTTP": (addresses) => http.transfers(span, addresses),
      "by JSON-RPC": (addresses) => json.transfers(span, addresses),
    },
    receipt: async (txId) => {
      const [one, other] = [await http.receipt(txId), await json.receipt(txId)];
      expect(one?.blockHeight).toBe(other?.blockHeight);
      return one;
    },
    stop: () => node.stop(),
  };
  return { recording, http, json };
}

testRecording(`TRON block ${HEIGHT}`, recordings.isThere, async () => {
  const infos = recordings.read<RawInfo[]>(`gettransactioninfobyblocknum-${HEIGHT}.partial.json`);
  const expected = recordings.read<Expected[]>(`expected-${HEIGHT}.json`);
  const { recording, http, json } = await open(infos, expected, []);
  const receivers = new Set(recording.expected.map(({ to }) => to));
  const found = await http.transfers(span, receivers);
  expect(await json.transfers(span, receivers)).toEqual(found);
  expect(found[0]).toMatchObject({ blockTime: new Date(1_785_491_841_000), blockHeight: HEIGHT, currency: "USDT" });
  return recording;
});

testRecording("a TRON transfer that ran out of energy", recordings.isThere, async () => {
  const info = recordings.read<RawInfo>("gettransactioninfobyid-out_of_energy.json");
  const { recording } = await open([info], [], [info.id]);
  expect((await recording.receipt(`0x${info.id}`))?.blockHeight).toBe(66_860_010);
  return recording;
});

recordings.testNoneIsLeftOut();
