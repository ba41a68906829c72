import { z } from "zod";
import { type RpcMethod, RpcProblem } from "@/sandbox/json-rpc-answer";
import { type EvmBlock, type EvmChain, type EvmLog, type EvmReceipt, toQuantity } from "@/sandbox/tron/evm-chain";
import { blockId, heightOf, SUN_PER_ENERGY, TRON_CHAIN, WEI_PER_SUN } from "@/sandbox/tron/network";
import type { TransactionBook } from "@/sandbox/tron/transaction-book";

const NO_BLOOM = `0x${"0".repeat(512)}`;
const MAX_RANGE = 5_000;
const MAX_LOGS = 10_000;
const MAX_TOPICS = 1_000;

const Filter = z.object({
  fromBlock: z.string().nullish(),
  toBlock: z.string().nullish(),
  blockHash: z.string().nullish(),
  address: z.union([z.string(), z.array(z.string())]).nullish(),
  topics: z.array(z.union([z.string(), z.array(z.string()), z.null()])).nullish(),
});

/** TRON's own dialect of Ethereum's JSON-RPC, with the limits and words of java-tron. */
export function jsonRpcDialect(chain: EvmChain, book: TransactionBook): [string, RpcMethod][] {
  const text = z.string();
  const onLatest = (method: string): RpcMethod => {
    return async ([first, tag = "latest"]) => {
      if (tag !== "latest") throw invalid("QUANTITY not supported, just support TAG as latest");
      return chain.node.call(method, [first, "latest"]);
    };
  };
  const findBlock = async (at: unknown, isFull: unknown) => {
    const block = await chain.block(await heightOfTag(chain, text.parse(at)));
    return block && showBlock(block, book, isFull === true);
  };
  return [
    ["eth_chainId", () => toQuantity(TRON_CHAIN.chainId)],
    ["net_version", () => toQuantity(TRON_CHAIN.chainId)],
    ["net_listening", () => true],
    ["web3_clientVersion", () => "TRON/v4.8.0/Linux/Java1.8/GreatVoyage"],
    ["eth_syncing", () => false],
    ["eth_accounts", () => []],
    ["eth_gasPrice", () => toQuantity(SUN_PER_ENERGY)],
    ["eth_blockNumber", async () => toQuantity(await chain.head())],
    ["eth_call", onLatest("eth_call")],
    ["eth_getCode", onLatest("eth_getCode")],
    ["eth_estimateGas", ([call]) => chain.node.call("eth_estimateGas", [call])],
    ["eth_getBalance", async ([address]) => toQuantity((await chain.balance(text.parse(address))) / WEI_PER_SUN)],
    ["eth_getBlockByNumber", ([tag, isFull]) => findBlock(tag, isFull)],
    [
      "eth_getBlockByHash",
      async ([id, isFull]) => {
        const block = await chain.blockById(text.parse(id));
        return block && showBlock(block, book, isFull === true);
      },
    ],
    [
      "eth_getTransactionByHash",
      async ([id]) => {
        const hash = book.evmHash(text.parse(id));
        const receipt = await chain.receipt(hash);
        const block = receipt && (await chain.block(receipt.blockNumber));
        return block ? (showTransactions(block, book).find((one) => book.evmHash(one.hash) === hash) ?? null) : null;
      },
    ],
    [
      "eth_getTransactionReceipt",
      async ([id]) => {
        const receipt = await chain.receipt(book.evmHash(text.parse(id)));
        return receipt && showReceipt(receipt, book);
      },
    ],
    [
      "eth_getBlockReceipts",
      async ([tag]) => {
        const height = await heightOfTag(chain, text.parse(tag));
        if (height > (await chain.receiptHead())) return null;
        return (await chain.receipts(height)).map((receipt) => showReceipt(receipt, book));
      },
    ],
    ["eth_getLogs", async ([filter]) => (await findLogs(chain, filter)).map((log) => showLog(log, book))],
  ];
}

async function heightOfTag(chain: EvmChain, tag: string): Promise<number> {
  if (tag === "latest") return chain.head();
  if (tag === "earliest") return 0;
  if (tag === "finalized") return chain.solid();
  if (tag === "pending" || tag === "safe") throw invalid(`TAG ${tag} not supported`);
  if (!/^0x[0-9a-fA-F]{1,16}$/.test(tag)) throw invalid("invalid block number");
  return Number(tag);
}

async function findLogs(chain: EvmChain, given: unknown): Promise<EvmLog[]> {
  const { blockHash, fromBlock, toBlock, address, topics } = Filter.parse(given);
  if (topics?.some((topic) => Array.isArray(topic) && topic.length > MAX_TOPICS))
    throw invalid(`exceed max topics: ${MAX_TOPICS}`);
  const range = blockHash
    ? await rangeOfId(chain, blockHash)
    : { from: await heightOfTag(chain, fromBlock ?? "latest"), to: await heightOfTag(chain, toBlock ?? "latest") };
  if (range.to < range.from) throw invalid("please verify: fromBlock <= toBlock");
  if (range.to - range.from > MAX_RANGE) throw invalid(`exceed max block range: ${MAX_RANGE}`);
  const to = Math.min(range.to, await chain.receiptHead());
  if (range.from > to) return [];
  const logs = await chain.logs({
    from: range.from,
    to,
    ...(address ? { address } : {}),
    ...(topics ? { topics } : {}),
  });
  if (logs.length > MAX_LOGS) throw new RpcProblem(-32005, `query returned more than ${MAX_LOGS} results`);
  return logs;
}

async function rangeOfId(chain: EvmChain, id: string): Promise<{ from: number; to: number }> {
  if (!(await chain.blockById(id))) throw invalid("invalid blockHash");
  return { from: heightOf(id), to: heightOf(id) };
}

function showBlock(block: EvmBlock, book: TransactionBook, isFull: boolean) {
  const transactions = showTransactions(block, book);
  return {
    number: toQuantity(block.number),
    hash: `0x${blockId(block.number, block.hash)}`,
    parentHash: `0x${parentId(block)}`,
    nonce: "0x0000000000000000",
    sha3Uncles: `0x${"0".repeat(64)}`,
    logsBloom: NO_BLOOM,
    transactionsRoot: block.transactionsRoot,
    stateRoot: "0x",
    receiptsRoot: `0x${"0".repeat(64)}`,
    miner: block.miner,
    difficulty: "0x0",
    totalDifficulty: "0x0",
    extraData: "0x",
    size: block.size,
    gasLimit: block.gasLimit,
    gasUsed: block.gasUsed,
    timestamp: toQuantity(block.timestamp),
    baseFeePerGas: "0x0",
    uncles: [],
    transactions: isFull ? transactions : transactions.map((transaction) => transaction.hash),
  };
}

/** The id of the block before; the first block has none. */
export function parentId(block: EvmBlock): string {
  return block.number === 0 ? "0".repeat(64) : blockId(block.number - 1, block.parentHash);
}

function showTransactions(block: EvmBlock, book: TransactionBook) {
  return block.transactions.map((transaction, index) => ({
    blockHash: `0x${blockId(block.number, block.hash)}`,
    blockNumber: toQuantity(block.number),
    from: transaction.from,
    gas: toQuantity(transaction.gas),
    gasPrice: toQuantity(SUN_PER_ENERGY),
    hash: `0x${book.txId(transaction.hash)}`,
    input: transaction.input,
    nonce: "0x0000000000000000",
    to: transaction.to,
    transactionIndex: toQuantity(index),
    type: "0x0",
    value: toQuantity(transaction.value / WEI_PER_SUN),
  }));
}

function showReceipt(receipt: EvmReceipt, book: TransactionBook) {
  return {
    blockHash: `0x${blockId(receipt.blockNumber, receipt.blockHash)}`,
    blockNumber: toQuantity(receipt.blockNumber),
    contractAddress: receipt.contractAddress ?? null,
    cumulativeGasUsed: receipt.cumulativeGasUsed,
    effectiveGasPrice: toQuantity(SUN_PER_ENERGY),
    from: receipt.from,
    gasUsed: toQuantity(receipt.gasUsed),
    logs: receipt.logs.map((log) => showLog(log, book)),
    logsBloom: NO_BLOOM,
    status: receipt.status ? "0x1" : "0x0",
    to: receipt.to,
    transactionHash: `0x${book.txId(receipt.transactionHash)}`,
    transactionIndex: receipt.transactionIndex,
    type: "0x0",
  };
}

function showLog(log: EvmLog, book: TransactionBook) {
  return {
    ...log,
    blockNumber: toQuantity(log.blockNumber),
    blockHash: `0x${blockId(log.blockNumber, log.blockHash)}`,
    transactionHash: `0x${book.txId(log.transactionHash)}`,
    removed: false,
  };
}

function invalid(why: string): RpcProblem {
  return new RpcProblem(-32602, why);
}
