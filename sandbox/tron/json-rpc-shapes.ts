import { type EvmBlock, type EvmLog, type EvmReceipt, toQuantity } from "@/sandbox/tron/evm-chain";
import { blockId, SUN_PER_ENERGY, WEI_PER_SUN } from "@/sandbox/tron/network";
import type { TransactionBook } from "@/sandbox/tron/transaction-book";

const NO_BLOOM = `0x${"0".repeat(512)}`;

/** Returns a block in the format of eth_getBlockByNumber, with full transactions or their ids. */
export function showBlock(block: EvmBlock, book: TransactionBook, isFull: boolean) {
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

/** Returns the id of the previous block; all zeros for the first block. */
export function parentId(block: EvmBlock): string {
  return block.number === 0 ? "0".repeat(64) : blockId(block.number - 1, block.parentHash);
}

/** Returns a block's transactions with their TRON ids. */
export function showTransactions(block: EvmBlock, book: TransactionBook) {
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

/** Returns a receipt with its TRON ids. */
export function showReceipt(receipt: EvmReceipt, book: TransactionBook) {
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

/** Returns a log with its TRON ids. */
export function showLog(log: EvmLog, book: TransactionBook) {
  return {
    ...log,
    blockNumber: toQuantity(log.blockNumber),
    blockHash: `0x${blockId(log.blockNumber, log.blockHash)}`,
    transactionHash: `0x${book.txId(log.transactionHash)}`,
    removed: false,
  };
}
