import * as z from "zod";
import { type AddressSet, ChainError, type ReceiptTransfer, type Span } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";
import type { Block } from "@/lib/domain/networks/finality";
import { type ChainTransfer, isLookAlike, type KnownToken, watchedTokens } from "@/lib/domain/transfers/transfer";

const Hex = z.string().regex(/^0x[0-9a-f]*$/i);
const Hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i)
  .transform((text) => text.toLowerCase());
const Address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/i)
  .transform((text) => text.toLowerCase());
/** A quantity that fits in a JavaScript integer: heights, indexes, seconds. */
const Quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,13}$/i)
  .transform(Number);

/** A block header without transactions, as nodes return it. */
export const Header = z.object({ number: Quantity, hash: Hash, parentHash: Hash, timestamp: Quantity }).transform(
  (header): Block => ({
    height: header.number,
    hash: header.hash,
    parentHash: header.parentHash,
    time: new Date(header.timestamp * 1_000),
  }),
);

/** A block's header with the ids of its transactions, which nodes return as strings or in objects. */
export const BlockContent = z
  .object({ number: Quantity, hash: Hash, transactions: z.array(z.union([Hash, z.object({ hash: Hash })])) })
  .transform(({ number: height, hash, transactions }) => ({
    height,
    hash,
    txIds: transactions.map((one) => (typeof one === "string" ? one : one.hash)),
  }));
export type BlockContent = z.infer<typeof BlockContent>;

export const EvmLog = z.object({
  address: Address,
  topics: z.array(Hash),
  data: Hex.transform((text) => text.toLowerCase()),
  blockNumber: Quantity,
  blockHash: Hash,
  transactionHash: Hash,
  logIndex: Quantity,
  removed: z.boolean().optional(),
});
export type EvmLog = z.infer<typeof EvmLog>;

const ReceiptShape = z.object({
  transactionHash: Hash,
  transactionIndex: Quantity.optional(),
  blockHash: Hash,
  blockNumber: Quantity,
  status: Quantity.refine((status) => status === 0 || status === 1, "neither 0x0 nor 0x1"),
  logs: z.array(EvmLog),
});

export const EvmReceipt = ReceiptShape.refine(hasOwnLogs, {
  path: ["logs"],
  message:
    "transactionHash, blockHash, blockNumber or the order of logIndex does not match the receipt, or removed is true",
});
export type EvmReceipt = z.infer<typeof EvmReceipt>;

function hasOwnLogs({ transactionHash, blockHash, blockNumber, logs }: z.infer<typeof ReceiptShape>): boolean {
  return logs.every((log, index) => {
    const isOwn = log.transactionHash === transactionHash && log.blockHash === blockHash;
    const before = index === 0 ? -1 : (logs[index - 1]?.logIndex ?? -1);
    return isOwn && log.blockNumber === blockNumber && log.removed !== true && log.logIndex > before;
  });
}

/** The result of `decimals()`; empty where there is no contract. */
export const CallResult = Hex;

/** Returns a number in the hexadecimal format of JSON-RPC. */
export function quantity(value: number): string {
  return `0x${value.toString(16)}`;
}

/** keccak256("Transfer(address,address,uint256)") */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/**
 * The maximum number of topics in a filter: nodes cap it at about 1,000. For more addresses than this, nodes filter only by token, and
 * this module filters by address.
 */
const MAX_TOPICS = 500;

const NO_LOOK_ALIKES: Network["lookAlikes"] = [];

/** The length of 32 bytes in hex, with 0x. */
const WORD_LENGTH = 66;

/** A log in the form of a transfer, from any contract. */
interface Move {
  log: EvmLog;
  from: string;
  to: string;
  baseUnits: bigint;
}

/** A token transfer in a log; its transaction is not verified yet. */
export interface TransferLog extends Move {
  token: KnownToken;
}

/**
 * Returns the parameter of eth_getLogs for transfers of the network's tokens and look-alikes to `addresses` in a span.
 * @param from the sender of the transfers; any if omitted
 */
export function logFilter(network: Network, span: Span, addresses: AddressSet, from?: string): Record<string, unknown> {
  const where =
    "blockHash" in span
      ? { blockHash: span.blockHash }
      : { fromBlock: `0x${span.from.toString(16)}`, toBlock: `0x${span.to.toString(16)}` };
  const address = [...watchedTokens(network).keys()];
  if (addresses.size > MAX_TOPICS) return { ...where, address, topics: [TRANSFER] };
  const sender = from === undefined ? null : addressWord(from);
  return { ...where, address, topics: [TRANSFER, sender, [...addresses.keys()].map(addressWord)] };
}

/**
 * Throws for logs that do not match the filter: a different contract, event or recipient.
 * @throws ChainError("inconsistent")
 */
export function requireFiltered(logs: readonly EvmLog[], network: Network, addresses: AddressSet): void {
  const tokens = watchedTokens(network);
  requireShapes("eth_getLogs", logs, network);
  for (const { address, topics, transactionHash } of logs) {
    const [event, , to = ""] = topics;
    const isTo = addresses.size > MAX_TOPICS || (isAddressWord(to) && addresses.has(addressOf(to)));
    if (tokens.has(address) && event === TRANSFER && isTo) continue;
    const detail = `a log of ${transactionHash} (address ${address}, topics ${topics.join()}) was not requested`;
    throw new ChainError("inconsistent", `eth_getLogs: ${detail.slice(0, 300)}`);
  }
}

/**
 * Throws for malformed events of the table's tokens: an event without a name, or a Transfer without two addresses and an amount. None of
 * these contracts emits such events, so the endpoint is wrong. Four topics belong to an NFT, and events of look-alikes may have any form.
 * @throws ChainError("inconsistent")
 */
export function requireShapes(method: string, logs: readonly EvmLog[], network: Network): void {
  const tokens = watchedTokens({ ...network, lookAlikes: NO_LOOK_ALIKES });
  const invalid = logs.find((log) => tokens.has(log.address) && isMisshapen(log));
  if (!invalid) return;
  const detail = `topics or data of log ${invalid.logIndex} of ${invalid.transactionHash} do not match a token event`;
  throw new ChainError("inconsistent", `${method}: ${detail}`);
}

function isMisshapen({ topics, data }: EvmLog): boolean {
  const [event, from = "", to = ""] = topics;
  if (event !== TRANSFER || topics.length > 3) return event === undefined;
  return topics.length < 3 || data.length !== WORD_LENGTH || !isAddressWord(from) || !isAddressWord(to);
}

/**
 * Throws for logs that cannot belong to the span.
 * @throws ChainError("inconsistent") for a log of a different block, a duplicate, or one that the node itself marks as removed
 */
export function requireInSpan(logs: readonly EvmLog[], span: Span): void {
  const hashes = new Map<number, string>();
  const seen = new Set<string>();
  for (const log of logs) {
    const position = `${log.blockNumber} ${log.logIndex}`;
    if (seen.has(position))
      throw new ChainError(
        "inconsistent",
        `eth_getLogs: logIndex ${log.logIndex} of block ${log.blockNumber} occurs twice`,
      );
    seen.add(position);
    const known = "blockHash" in span ? span.blockHash : (hashes.get(log.blockNumber) ?? log.blockHash);
    hashes.set(log.blockNumber, log.blockHash);
    const isInside =
      "blockHash" in span
        ? log.blockNumber === span.height
        : log.blockNumber >= span.from && log.blockNumber <= span.to;
    if (!isInside || log.blockHash !== known || log.removed === true) {
      throw new ChainError(
        "inconsistent",
        `eth_getLogs: blockNumber ${log.blockNumber}, blockHash or removed of a log do not match the response`,
      );
    }
  }
}

/**
 * Parses a log as a transfer. Returns null for anything else: a different contract (regardless of its name), other topics (an NFT has
 * four), data of a different length, or a value of zero.
 */
export function readTransferLog(log: EvmLog, tokens: ReadonlyMap<string, KnownToken>): TransferLog | null {
  const token = tokens.get(log.address);
  const moved = token ? readMove(log) : null;
  return token && moved ? { ...moved, token } : null;
}

function readMove(log: EvmLog): Move | null {
  const [event, from, to, ...more] = log.topics;
  if (event !== TRANSFER || !from || !to || more.length > 0 || log.data.length !== WORD_LENGTH) return null;
  if (!isAddressWord(from) || !isAddressWord(to)) return null;
  const baseUnits = BigInt(log.data);
  return baseUnits > 0n ? { log, from: addressOf(from), to: addressOf(to), baseUnits } : null;
}

/**
 * Ties a log to the receipt of its transaction.
 * @returns the transfer, without the time, which a receipt does not contain; null when the transaction failed
 * @throws ChainError("inconsistent") when the receipt belongs to a different block or does not contain the log
 */
export function tieToReceipt(
  network: Network,
  found: TransferLog,
  receipt: EvmReceipt,
): Omit<ChainTransfer, "blockTime"> | null {
  requireHeld(found.log, receipt);
  if (receipt.status !== 1) return null;
  const currency = isLookAlike(found.token) ? null : found.token.currency;
  return { ...toReceiptTransfer(found, receipt), network: network.id, currency };
}

/**
 * Throws unless a receipt contains a log.
 * @throws ChainError("inconsistent") also when the receipt belongs to a different block
 */
function requireHeld(seen: EvmLog, receipt: EvmReceipt): void {
  const log = receipt.logs.find(({ logIndex }) => logIndex === seen.logIndex);
  const isSame = log?.address === seen.address && log.data === seen.data && isSameTopics(log, seen);
  const isThere = receipt.blockHash === seen.blockHash && receipt.blockNumber === seen.blockNumber;
  if (isThere && (receipt.status !== 1 || isSame)) return;
  const detail = `the receipt of ${seen.transactionHash} does not contain the log that was seen (topics, data, logIndex)`;
  throw new ChainError("inconsistent", `eth_getTransactionReceipt: ${detail}`);
}

/**
 * Returns all transfers in a receipt, from any contract, so that transfers in the ledger are found again after the list of tokens changes.
 * Returns none if the transaction failed.
 */
export function transfersOfReceipt(receipt: EvmReceipt, blockTime: Date): ReceiptTransfer[] {
  return movesOfReceipt(receipt).map((move) => ({ ...move, blockTime }));
}

/** Returns the same transfers as `transfersOfReceipt`, but without the time, which a receipt does not contain. */
export function movesOfReceipt(receipt: EvmReceipt): Omit<ReceiptTransfer, "blockTime">[] {
  if (receipt.status !== 1) return [];
  return receipt.logs.flatMap((log) => {
    const moved = readMove(log);
    return moved ? [toReceiptTransfer(moved, receipt)] : [];
  });
}

function toReceiptTransfer(
  { log, from, to, baseUnits }: Move,
  receipt: EvmReceipt,
): Omit<ReceiptTransfer, "blockTime"> {
  return {
    token: log.address,
    from,
    to,
    baseUnits,
    txId: log.transactionHash,
    position: positionOf(log, receipt),
    blockHeight: log.blockNumber,
    blockHash: log.blockHash,
  };
}

/**
 * Returns "0xdac1…ec7:0": the contract and the index among all of its own logs in the transaction. Logs of other
 * contracts do not count, so neither the list of tokens nor logs that a fork adds (EIP-7708: native transfers from
 * 0xff…fe) can shift it.
 */
function positionOf({ address, logIndex }: EvmLog, receipt: EvmReceipt): string {
  const before = receipt.logs.filter((log) => log.address === address && log.logIndex < logIndex);
  return `${address}:${before.length}`;
}

function isSameTopics(left: EvmLog, right: EvmLog): boolean {
  return (
    left.topics.length === right.topics.length && left.topics.every((topic, index) => topic === right.topics[index])
  );
}

function addressWord(address: string): string {
  return `0x${address.slice(2).padStart(64, "0")}`;
}

function isAddressWord(topic: string): boolean {
  return topic.startsWith("0x000000000000000000000000");
}

function addressOf(topic: string): string {
  return `0x${topic.slice(26)}`;
}
