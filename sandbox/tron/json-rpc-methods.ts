import * as z from "zod";
import { type RpcMethod, RpcProblem } from "@/sandbox/nodes/json-rpc-answer";
import { type EvmBlock, type EvmChain, type EvmLog, toQuantity } from "@/sandbox/tron/evm-chain";
import { showBlock, showLog, showReceipt, showTransactions } from "@/sandbox/tron/json-rpc-shapes";
import { heightOf, SUN_PER_ENERGY, TRON_CHAIN, WEI_PER_SUN } from "@/sandbox/tron/network";
import type { TransactionBook } from "@/sandbox/tron/transaction-book";

const Text = z.string();
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

/** Returns the methods of TRON's variant of Ethereum's JSON-RPC, with the limits and messages of java-tron. */
export function jsonRpcMethods(chain: EvmChain, book: TransactionBook): [string, RpcMethod][] {
  return [...networkCalls(chain), ...accountCalls(chain), ...blockCalls(chain, book), ...transactionCalls(chain, book)];
}

function networkCalls(chain: EvmChain): [string, RpcMethod][] {
  return [
    ["eth_chainId", () => toQuantity(BigInt(TRON_CHAIN.chainId))],
    ["net_version", () => toQuantity(BigInt(TRON_CHAIN.chainId))],
    ["net_listening", () => true],
    ["web3_clientVersion", () => "TRON/v4.8.0/Linux/Java1.8/GreatVoyage"],
    ["eth_syncing", () => false],
    ["eth_accounts", () => []],
    ["eth_gasPrice", () => toQuantity(SUN_PER_ENERGY)],
    ["eth_blockNumber", async () => toQuantity(await chain.head())],
  ];
}

function accountCalls(chain: EvmChain): [string, RpcMethod][] {
  const onLatest = (ask: (first: unknown) => Promise<unknown>): RpcMethod => {
    return async ([first, tag = "latest"]) => {
      if (tag !== "latest") throw invalid("QUANTITY not supported, just support TAG as latest");
      return ask(first);
    };
  };
  return [
    ["eth_call", onLatest((call) => chain.node.call("eth_call", [call, "latest"]))],
    ["eth_getCode", onLatest((address) => chain.node.call("eth_getCode", [address, "latest"]))],
    [
      "eth_getBalance",
      onLatest(async (address) => toQuantity((await chain.balance(Text.parse(address))) / WEI_PER_SUN)),
    ],
    ["eth_estimateGas", ([call]) => chain.node.call("eth_estimateGas", [call])],
  ];
}

function blockCalls(chain: EvmChain, book: TransactionBook): [string, RpcMethod][] {
  const show = async (found: Promise<EvmBlock | null>, isFull: unknown) => {
    const block = await found;
    return block && showBlock(block, book, isFull === true);
  };
  const receipts = async (tag: unknown) => {
    const height = await heightOfTag(chain, Text.parse(tag));
    if (height > (await chain.receiptHead())) return null;
    return (await chain.receipts(height)).map((receipt) => showReceipt(receipt, book));
  };
  return [
    [
      "eth_getBlockByNumber",
      async ([tag, isFull]) => show(chain.block(await heightOfTag(chain, Text.parse(tag))), isFull),
    ],
    ["eth_getBlockByHash", ([id, isFull]) => show(chain.blockById(Text.parse(id)), isFull)],
    ["eth_getBlockReceipts", ([tag]) => receipts(tag)],
  ];
}

function transactionCalls(chain: EvmChain, book: TransactionBook): [string, RpcMethod][] {
  const transaction = async (id: unknown) => {
    const hash = book.evmHash(Text.parse(id));
    const receipt = await chain.receipt(hash);
    const block = receipt && (await chain.block(receipt.blockNumber));
    return block ? (showTransactions(block, book).find((one) => book.evmHash(one.hash) === hash) ?? null) : null;
  };
  const receipt = async (id: unknown) => {
    const found = await chain.receipt(book.evmHash(Text.parse(id)));
    return found && showReceipt(found, book);
  };
  return [
    ["eth_getTransactionByHash", ([id]) => transaction(id)],
    ["eth_getTransactionReceipt", ([id]) => receipt(id)],
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

function invalid(why: string): RpcProblem {
  return new RpcProblem(-32602, why);
}
