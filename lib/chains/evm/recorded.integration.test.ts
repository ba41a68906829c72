import { createEvmSource } from "@/lib/chains/evm/source";
import { getNetwork, type Network } from "@/lib/domain/networks";
import {
  openRecordings,
  type RecordedTransfer,
  type Recording,
  testRecording,
} from "@/testing/chains/contract/recorded";
import { HANDLED, startRpcProxy } from "@/testing/chains/evm";

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

const recordings = openRecordings("evm");
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
/** A list of more receivers than a topic filter may contain. */
const STRANGERS = Array.from({ length: 600 }, (_, index) => `0x${index.toString(16).padStart(40, "e")}`);

/** Responds like a node with one recorded block, and filters logs as nodes do. */
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

/** Returns the transfers in the recorded logs alone: no four-topic transfers, and none with a value of zero. */
function expectedOf(block: RawBlock, stable: readonly RawLog[]): RecordedTransfer[] {
  return stable
    .filter((log) => log.topics.length === 3 && BigInt(log.data) > 0n)
    .map((log) => {
      const receipt = block.receipts.find(({ transactionHash }) => transactionHash === log.transactionHash);
      const own = receipt?.logs.filter(({ address }) => address === log.address) ?? [];
      const [from = "", to = ""] = log.topics.slice(1).map((topic) => `0x${topic.slice(26)}`);
      return {
        txId: log.transactionHash,
        position: `${log.address}:${own.findIndex(({ logIndex }) => logIndex === log.logIndex)}`,
        token: log.address,
        from,
        to,
        baseUnits: BigInt(log.data),
      };
    });
}

/**
 * Opens a recording.
 * @param counts the numbers of recorded logs of known tokens, and of the transfers among them
 */
async function open(name: string, network: Network, counts: { logs: number; transfers: number }): Promise<Recording> {
  const block = recordings.read<RawBlock>(`${name}.block+receipts.json`);
  const stable = recordings.read<RawLog[]>(`${name}.stable-transfer-logs.json`);
  const expected = expectedOf(block, stable);
  if (stable.length !== counts.logs || expected.length !== counts.transfers)
    throw new Error(`${name} has ${stable.length} logs and ${expected.length} transfers`);
  const node = await startRpcProxy("", async ({ method, params }) => serve(network, block, method, params));
  const refusing = await startRpcProxy("", async ({ method, params }, response) => {
    if (method !== "eth_getLogs") return serve(network, block, method, params);
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "not supported" } }));
    return HANDLED;
  });
  const sourceOf = (url: string) => createEvmSource(network, { urls: [url], now: () => new Date() });
  const height = Number(block.header.number);
  const byHash = { blockHash: block.header.hash, height };
  const source = sourceOf(node.url);
  return {
    expected,
    failed: block.receipts.filter(({ status }) => status === "0x0").map(({ transactionHash }) => transactionHash),
    ways: {
      "by hash": (addresses) => source.transfers(byHash, addresses),
      "by height": (addresses) => source.transfers({ from: height, to: height }, addresses),
      "for too many addresses for a topic list": (addresses) =>
        source.transfers(byHash, new Set([...addresses, ...STRANGERS])),
      "by its receipts, where a node serves no logs": (addresses) =>
        sourceOf(refusing.url).transfers(byHash, addresses),
    },
    receipt: source.receipt,
    stop: async () => {
      await Promise.all([node.stop(), refusing.stop()]);
    },
  };
}

for (const { name, network, logs, transfers } of [
  { name: "ethereum-11098450", network: ethereum, logs: 49, transfers: 49 },
  { name: "polygon-38102393", network: polygon, logs: 37, transfers: 23 },
]) {
  testRecording(name, recordings.isThere, () => open(name, network, { logs, transfers }));
}

recordings.testNoneIsLeftOut();
