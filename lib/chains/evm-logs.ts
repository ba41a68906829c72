import type { EvmLog, EvmReceipt } from "@/lib/chains/evm-wire";
import { ChainError, type Span } from "@/lib/chains/source";
import { canonicalAddress } from "@/lib/domain/address";
import type { Network, Token } from "@/lib/domain/networks";
import type { ChainTransfer } from "@/lib/domain/transfer";

/** keccak256("Transfer(address,address,uint256)") */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** Nodes cap topic lists at about 1,000; above this many addresses only the tokens are filtered there and the rest here. */
const MOST_TOPICS = 500;

/** A token transfer that a log tells of; its transaction is not looked at yet. */
export interface TransferLog {
  log: EvmLog;
  token: Token;
  from: string;
  to: string;
  baseUnits: bigint;
}

/** Tokens of a network by the canonical form of their contract. */
export function tokensByContract(network: Network): ReadonlyMap<string, Token> {
  return new Map(network.tokens.map((token) => [canonicalAddress(network.family, token.contract), token]));
}

/** The parameter of eth_getLogs for transfers of the network's tokens to `addresses` in a span. */
export function logFilter(network: Network, span: Span, addresses: ReadonlySet<string>): Record<string, unknown> {
  const where =
    "blockHash" in span
      ? { blockHash: span.blockHash }
      : { fromBlock: `0x${span.from.toString(16)}`, toBlock: `0x${span.to.toString(16)}` };
  const receivers = [...addresses].map((address) => `0x${address.slice(2).padStart(64, "0")}`);
  return {
    ...where,
    address: network.tokens.map((token) => canonicalAddress(network.family, token.contract)),
    topics: addresses.size > MOST_TOPICS ? [TRANSFER] : [TRANSFER, null, receivers],
  };
}

/**
 * Refuses logs that cannot belong to the span.
 * @throws ChainError("inconsistent") for a log of another block, or one that the node itself calls removed.
 */
export function requireInSpan(logs: readonly EvmLog[], span: Span): void {
  const hashes = new Map<number, string>();
  for (const log of logs) {
    const known = "blockHash" in span ? span.blockHash : (hashes.get(log.blockNumber) ?? log.blockHash);
    hashes.set(log.blockNumber, log.blockHash);
    const isInside =
      "blockHash" in span
        ? log.blockNumber === span.height
        : log.blockNumber >= span.from && log.blockNumber <= span.to;
    if (!isInside || log.blockHash !== known || log.removed === true) {
      throw new ChainError(
        "inconsistent",
        `eth_getLogs: a log of block ${log.blockNumber} does not belong to the answer`,
      );
    }
  }
}

/**
 * The transfer a log tells of, or null when it is none that counts: another contract (whatever it calls itself),
 * other topics (four are an NFT's), data of another length, a value of zero.
 */
export function readTransferLog(log: EvmLog, tokens: ReadonlyMap<string, Token>): TransferLog | null {
  const token = tokens.get(log.address);
  const [event, from, to, ...more] = log.topics;
  if (!token || event !== TRANSFER || !from || !to || more.length > 0 || log.data.length !== 66) return null;
  if (!isAddressWord(from) || !isAddressWord(to)) return null;
  const baseUnits = BigInt(log.data);
  return baseUnits > 0n ? { log, token, from: addressOf(from), to: addressOf(to), baseUnits } : null;
}

/**
 * Ties a log to the receipt of its transaction.
 * @returns the transfer, or null when the transaction failed.
 * @throws ChainError("inconsistent") when the receipt is of another block or does not hold the log.
 */
export function tieToReceipt(
  network: Network,
  found: TransferLog,
  receipt: EvmReceipt,
  blockTime: Date,
): ChainTransfer | null {
  const position = receipt.logs.findIndex((log) => log.logIndex === found.log.logIndex);
  const log = receipt.logs[position];
  const isSame = log?.address === found.log.address && log.data === found.log.data && isSameTopics(log, found.log);
  if (receipt.blockHash !== found.log.blockHash || (receipt.status === 1 && !isSame)) {
    throw new ChainError(
      "inconsistent",
      `The receipt of ${found.log.transactionHash} does not hold the log that was seen`,
    );
  }
  return receipt.status === 1 ? toTransfer(network, found, position, blockTime) : null;
}

/** All transfers of the network's tokens in a receipt; none when the transaction failed. */
export function transfersOfReceipt(network: Network, receipt: EvmReceipt, blockTime: Date): ChainTransfer[] {
  const tokens = tokensByContract(network);
  return receipt.logs.flatMap((log, position) => {
    const found = receipt.status === 1 ? readTransferLog(log, tokens) : null;
    return found ? [toTransfer(network, found, position, blockTime)] : [];
  });
}

function toTransfer(network: Network, found: TransferLog, position: number, blockTime: Date): ChainTransfer {
  return {
    network: network.id,
    currency: found.token.currency,
    token: found.log.address,
    from: found.from,
    to: found.to,
    baseUnits: found.baseUnits,
    txId: found.log.transactionHash,
    position: String(position),
    blockHeight: found.log.blockNumber,
    blockHash: found.log.blockHash,
    blockTime,
  };
}

function isSameTopics(left: EvmLog, right: EvmLog): boolean {
  return (
    left.topics.length === right.topics.length && left.topics.every((topic, index) => topic === right.topics[index])
  );
}

function isAddressWord(topic: string): boolean {
  return topic.startsWith("0x000000000000000000000000");
}

function addressOf(topic: string): string {
  return `0x${topic.slice(26)}`;
}
