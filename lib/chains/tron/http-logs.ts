import * as z from "zod";
import { contradiction } from "@/lib/chains/endpoints/heights";
import { ChainError } from "@/lib/chains/endpoints/source";
import { quantity } from "@/lib/chains/evm/logs";
import { isNothing, type TronAsk, TronBlock, TronInfo } from "@/lib/chains/tron/http-wire";

/** The longest range: each block costs two calls and hundreds of kilobytes. */
const MAX_BLOCKS = 20;
const BLOCK_CONCURRENCY = 4;

const Filter = z.object({
  blockHash: z.string().optional(),
  fromBlock: z.string().optional(),
  toBlock: z.string().optional(),
  address: z.array(z.string()),
  topics: z.array(z.union([z.string(), z.null(), z.array(z.string())])),
});
type Filter = z.infer<typeof Filter>;

interface Receipt {
  transactionHash: string;
  blockHash: string;
  blockNumber: string;
  status: string;
  logs: Log[];
}

interface Log {
  address: string;
  topics: string[];
  data: string;
  blockNumber: string;
  blockHash: string;
  transactionHash: string;
  logIndex: string;
  removed: false;
}

/**
 * Implements eth_getLogs.
 * @throws ChainError("rangeTooLarge") for more than 20 blocks
 */
export async function readTronLogs(ask: TronAsk, given: unknown): Promise<Log[]> {
  const filter = Filter.parse(given);
  const { from, to } = rangeOf(filter);
  if (to - from >= MAX_BLOCKS) {
    throw new ChainError(
      "rangeTooLarge",
      `TRON's HTTP API is read ${MAX_BLOCKS} blocks at a time, not ${to - from + 1}`,
    );
  }
  const logs: Log[] = [];
  for (let height = from; height <= to; height += BLOCK_CONCURRENCY) {
    const heights = Array.from({ length: Math.min(BLOCK_CONCURRENCY, to - height + 1) }, (_, index) => height + index);
    const blocks = await Promise.all(heights.map((one) => readReceipts(ask, one)));
    if (blocks.some(({ hash }) => hash !== (filter.blockHash ?? hash))) throw lags(height);
    logs.push(...blocks.flatMap(({ receipts }) => receipts).flatMap((receipt) => receipt.logs));
  }
  return logs.filter((log) => isWanted(log, filter));
}

/** Implements eth_getTransactionReceipt. Reads the other transactions of the block to determine the indexes of the logs. */
export async function readTronReceipt(ask: TronAsk, txId: string): Promise<Receipt | null> {
  const answer = await ask("wallet/gettransactioninfobyid", { value: txId.slice(2) });
  if (isNothing(answer)) return null;
  const { receipts } = await readReceipts(ask, TronInfo.parse(answer).blockNumber);
  const found = receipts.find((receipt) => receipt.transactionHash === txId);
  if (found) return found;
  throw new ChainError("inconsistent", `gettransactioninfobyid: the block at its blockNumber does not contain ${txId}`);
}

/**
 * Reads the receipts of a block. A node that does not have a block's receipts returns `[]`, the same as for a block without transactions.
 * Receipts are therefore compared with the block's own list, which is absent if the block has no transactions.
 * @throws ChainError("inconsistent") when a receipt is missing, or the node does not have the block
 */
async function readReceipts(ask: TronAsk, height: number): Promise<{ hash: string; receipts: Receipt[] }> {
  const answer = await ask("wallet/getblockbynum", { num: height });
  if (isNothing(answer)) throw lags(height);
  const block = TronBlock.parse(answer);
  if (block.block_header.raw_data.number !== height) throw lags(height);
  const hash = `0x${block.blockID}`;
  const infos = z.array(TronInfo).parse(await ask("wallet/gettransactioninfobyblocknum", { num: height }));
  if (infos.length !== block.transactions.length) {
    const text = `${infos.length} receipts for ${block.transactions.length} transactions`;
    throw contradiction("gettransactioninfobyblocknum", `${text} of block ${height}`);
  }
  const invalid = infos.find((info, at) => info.id !== block.transactions[at]?.txID || info.blockNumber !== height);
  if (invalid)
    throw contradiction(
      "gettransactioninfobyblocknum",
      `id ${invalid.id} or its blockNumber does not match block ${height}`,
    );
  return { hash, receipts: toReceipts(block, infos) };
}

function toReceipts({ blockID, block_header }: TronBlock, infos: readonly TronInfo[]): Receipt[] {
  const blockNumber = quantity(block_header.raw_data.number);
  let logIndex = 0;
  return infos.map((info) => {
    const shared = { transactionHash: `0x${info.id}`, blockHash: `0x${blockID}`, blockNumber };
    const logs = info.log.map(({ address, topics, data }): Log => {
      const index = quantity(logIndex++);
      return {
        ...shared,
        address,
        topics: topics.map((one) => `0x${one}`),
        data: `0x${data}`,
        logIndex: index,
        removed: false,
      };
    });
    return { ...shared, status: isSuccess(info) ? "0x1" : "0x0", logs };
  });
}

/**
 * Returns true if a transaction succeeded. A transaction that calls no contract has no result; a transaction that calls a contract
 * succeeded only with the result SUCCESS.
 */
function isSuccess({ result, receipt, log }: TronInfo): boolean {
  if (result === "FAILED") return false;
  return receipt.result === "SUCCESS" || (receipt.result === undefined && log.length === 0);
}

/** Returns the heights of a filter. The id of a block begins with its height. */
function rangeOf({ blockHash, fromBlock, toBlock }: Filter): { from: number; to: number } {
  if (blockHash === undefined) return { from: Number(fromBlock), to: Number(toBlock) };
  const height = Number.parseInt(blockHash.slice(2, 18), 16);
  return { from: height, to: height };
}

/** Returns true if a log matches the filter. Logs with too few topics pass, so that later checks report their error. */
function isWanted(log: Log, { address, topics }: Filter): boolean {
  const isOfTopics = topics.every((topic, index) => {
    const own = log.topics[index];
    return topic === null || own === undefined || (Array.isArray(topic) ? topic.includes(own) : topic === own);
  });
  return isOfTopics && address.includes(log.address);
}

function lags(height: number): ChainError {
  return contradiction(
    "getblockbynum",
    `number or blockNumber ${height}: this node does not have that block, or does not have it yet`,
  );
}
