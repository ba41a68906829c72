import * as z from "zod";
import type { Endpoint } from "@/lib/chains/endpoints/endpoint";
import { asChainError, type EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import { createEndpoints, type Endpoints, inTurns, readChecked, readTwice } from "@/lib/chains/endpoints/endpoints";
import { createFinalityCheck, type FinalityCheck } from "@/lib/chains/endpoints/finality-check";
import { contradiction, requireTime } from "@/lib/chains/endpoints/heights";
import {
  type AddressSet,
  type BlockAt,
  type BlockSource,
  ChainError,
  type Receipt,
  type Span,
} from "@/lib/chains/endpoints/source";
import { type CheckedNetwork, tokenProblem, withOwnLookAlikes } from "@/lib/chains/endpoints/token-check";
import { readEvmBalances, readGasPrice, type WithoutMulticall } from "@/lib/chains/evm/balances";
import { createEvmLook } from "@/lib/chains/evm/finality";
import { readEvmFreezeState } from "@/lib/chains/evm/freeze";
import { createHeadReader } from "@/lib/chains/evm/head";
import { createLogReader, type LogReader } from "@/lib/chains/evm/log-reader";
import {
  CallResult,
  EvmReceipt,
  Header,
  quantity,
  readTransferLog,
  requireShapes,
  type TransferLog,
  tieToReceipt,
  transfersOfReceipt,
} from "@/lib/chains/evm/logs";
import { EVM_PROTOCOL } from "@/lib/chains/evm/protocol";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import type { Network } from "@/lib/domain/networks";
import type { Block } from "@/lib/domain/networks/finality";
import { type ChainTransfer, watchedTokens } from "@/lib/domain/transfers/transfer";

const NullableHeader = z.nullable(Header);
const NullableReceipt = z.nullable(EvmReceipt);
const MAX_BLOCKS_KEPT = 256;
const RECEIPT_CONCURRENCY = 4;

interface Reader {
  network: Network;
  endpoints: Endpoints;
  readLogs: LogReader;
  finality: FinalityCheck;
  /** Blocks by hash, newest last. */
  blocks: Map<string, Block>;
}

/** Opens an EVM network over JSON-RPC. The returned object holds the state of its endpoints. */
export function createEvmSource(row: Network, options: EndpointsOptions, protocol = EVM_PROTOCOL): BlockSource {
  const network = withOwnLookAlikes(row);
  const endpoints = createEndpoints(network, options, protocol);
  const readLogs = createLogReader(network, endpoints);
  const readHead = createHeadReader(network, endpoints, options.now);
  const finality = createFinalityCheck(endpoints, createEvmLook(network));
  const reader = { network, endpoints, readLogs, finality, blocks: new Map() };
  const without: WithoutMulticall = new Set();
  const transfers: BlockSource["transfers"] = (span, addresses) => readTransfers(reader, span, addresses);
  const receipt: BlockSource["receipt"] = (txId) => readReceipt(reader, txId);
  return {
    readBy: "blocks",
    block: (at) => readBlock(reader, at),
    blockTimes: (at) => readBlockTimes(reader, at),
    receipt,
    lookUp: receipt,
    freezeState: (holder, currency) => readEvmFreezeState(endpoints, holder, currency),
    balances: (holders, height) => readEvmBalances(protocol, endpoints, { holders, height, without }),
    endpoints: endpoints.all.map(({ name }) => name),
    head: (asked) => readTwice(endpoints, () => readHead(asked)),
    mistrust: (error) => {
      endpoints.disputeFirst(error);
      readHead.forget();
    },
    transfers,
    transfersBy: (endpoint, span, addresses) => readTransfers(reader, span, addresses, { only: endpoint }),
    receivers: {
      transfers,
      transfersFrom: (from, span, addresses) => readTransfers(reader, span, addresses, { from }),
      hasCode: (address) => hasCode(endpoints, address),
      gasPrice: () => readGasPrice(endpoints),
    },
    checkFinality: (transfer, isFinal = () => true) => finality.check(transfer, isFinal),
    problem: () => evmProblem(network, endpoints),
    warning: () => [network.warning, finality.warning()].filter(Boolean).join(" ") || null,
    quorumMiss: finality.quorumMiss,
    heads: endpoints.heads,
  };
}

async function readBlock({ endpoints, blocks }: Reader, at: BlockAt): Promise<Block | null> {
  const known = "hash" in at ? blocks.get(at.hash) : undefined;
  if (known && "hash" in at && (at.height ?? known.height) === known.height) return known;
  const method = "hash" in at ? "eth_getBlockByHash" : "eth_getBlockByNumber";
  const found = await endpoints.askOrNull({
    method,
    params: ["hash" in at ? at.hash : quantity(at.height), false],
    mustVerifyChainId: () => "mustVerifyChainId" in at && at.mustVerifyChainId === true,
    parse: (result, endpoint) => {
      const header = NullableHeader.parse(result);
      if (header) requireAsked(method, header, at);
      if (header) requireTime(`${method}: timestamp`, header, endpoints.now());
      if (header) endpoints.noteShown(endpoint, header.height);
      return header;
    },
  });
  if (found) keep(blocks, found);
  return found;
}

async function readBlockTimes({ endpoints }: Reader, at: { height: number; hash: string }): Promise<Date[]> {
  const method = "eth_getBlockByHash";
  return endpoints.askAll({
    method,
    params: [at.hash, false],
    parse: (result) => {
      const header = Header.parse(result);
      requireAsked(method, header, at);
      requireTime(`${method}: timestamp`, header, endpoints.now());
      return header.time;
    },
  });
}

/**
 * Returns the time of a block.
 * @param height the height in a log or a receipt
 */
async function timeOf(reader: Reader, hash: string, height: number): Promise<Date> {
  const detail = `blockHash ${hash} and blockNumber ${height}: no endpoint returned such a block`;
  const found = await readBlock(reader, { hash, height }).catch((error: unknown) => {
    if (error instanceof ChainError) throw new ChainError(error.kind, `${detail}: ${error.message}`, { cause: error });
    throw error;
  });
  if (found) return found.time;
  throw new ChainError("inconsistent", detail);
}

/** Reads transfers. If logs contradict the receipts of their transactions, the logs are read again from a different endpoint. */
async function readTransfers(
  reader: Reader,
  span: Span,
  addresses: AddressSet,
  { only, from }: { only?: string; from?: string } = {},
): Promise<ChainTransfer[]> {
  if (addresses.size === 0) return [];
  const { endpoints } = reader;
  const tokens = watchedTokens(reader.network);
  const read = async (without: ReadonlySet<string>) => {
    const { logs, endpoint } = await reader.readLogs(span, addresses, { only, without, from });
    const isAsked = (log: TransferLog) => addresses.has(log.to) && (from === undefined || log.from === from);
    return { value: logs.flatMap((log) => readTransferLog(log, tokens) ?? []).filter(isAsked), endpoint };
  };
  const check = async (found: readonly TransferLog[], endpoint: string | null) => {
    if (endpoint !== null && (found.length > 0 || only)) await endpoints.verifyChainId([endpoint]);
    const byTransaction = Map.groupBy(found, ({ log }) => log.transactionHash);
    const tied = await inTurns([...byTransaction.values()], RECEIPT_CONCURRENCY, (some) => tie(reader, some, endpoint));
    const transfers = tied.flat().filter((transfer) => transfer !== null);
    if (endpoint !== null) reader.finality.recordReporter(endpoint, transfers);
    return transfers;
  };
  return readChecked(endpoints, read, check, only);
}

/**
 * Ties the transfers of one transaction to its receipt, preferably from a different endpoint than the logs. If that endpoint lacks the
 * receipt or returns a different one, both endpoints are reported but not penalized, because it is unknown which one is wrong.
 * @param reportedBy the endpoint that returned the logs
 */
async function tie(
  reader: Reader,
  transfers: readonly TransferLog[],
  reportedBy: string | null,
): Promise<(ChainTransfer | null)[]> {
  const { endpoints, network } = reader;
  const [first] = transfers;
  if (!first) return [];
  const { transactionHash: txId, blockHash, blockNumber } = first.log;
  const method = "eth_getTransactionReceipt";
  const tieTo = (result: unknown) => {
    const receipt = requireReceipt(reader, result, txId);
    return transfers.map((transfer) => tieToReceipt(network, transfer, receipt));
  };
  const differs = (name: string, error: unknown) => {
    const { kind, message } = asChainError(error, method);
    for (const endpoint of [name, reportedBy ?? ""])
      endpoints.onError({
        endpoint,
        kind,
        message: `${message}; the logs are from ${reportedBy}, the receipt is from ${name}`,
      });
    return null;
  };
  const asked = endpoints.askOrNull({
    method,
    params: [txId],
    notFirst: reportedBy ?? undefined,
    isOpinion: true,
    parse: (result, { name }) => {
      if (name === reportedBy || reportedBy === null) return tieTo(result);
      try {
        return tieTo(result);
      } catch (error) {
        return differs(name, error);
      }
    },
  });
  const [blockTime, tied] = await Promise.all([timeOf(reader, blockHash, blockNumber), asked]);
  if (tied) return tied.map((transfer) => transfer && { ...transfer, blockTime });
  throw new ChainError("inconsistent", `${method}: no endpoint has a receipt for the logs of ${txId}`);
}

/**
 * Reads a receipt. A quorum of endpoints must return the same one. Without a quorum, a receipt counts only if an endpoint has its block.
 */
async function readReceipt(reader: Reader, txId: string): Promise<Receipt | null> {
  const { endpoints, network } = reader;
  const request = {
    method: "eth_getTransactionReceipt",
    params: [txId],
    mustVerifyChainId: () => true,
    parse: (result: unknown, { name }: Endpoint) => {
      const found = NullableReceipt.parse(result);
      if (found && found.transactionHash !== txId)
        throw contradiction("eth_getTransactionReceipt", "transactionHash: the receipt is not the requested one");
      requireShapes("eth_getTransactionReceipt", found?.logs ?? [], network);
      return found && { value: found, endpoint: name };
    },
  };
  const read = async (without: ReadonlySet<string>) => {
    const unanswered = { value: null, endpoint: null };
    if (endpoints.quorum === 1) return (await endpoints.askOrNull({ ...request, without })) ?? unanswered;
    const agreed = await endpoints.askAgreed(request, (reported) => contentOf(reported?.value ?? null));
    return { value: agreed?.value ?? null, endpoint: null };
  };
  return readChecked(endpoints, read, async (found, endpoint) => {
    if (!found) return null;
    const { status, blockNumber: blockHeight, blockHash } = found;
    const time = await timeOf(reader, blockHash, blockHeight);
    const transfers = transfersOfReceipt(found, time);
    if (endpoint !== null) reader.finality.recordReporter(endpoint, transfers);
    return { isSuccess: status === 1, blockHeight, blockHash, time, transfers };
  });
}

async function hasCode(endpoints: Endpoints, address: string): Promise<boolean> {
  return endpoints.ask({
    method: "eth_getCode",
    params: [address, "latest"],
    mustVerifyChainId: () => true,
    parse: (result) => CallResult.parse(result) !== "0x",
  });
}

function requireAsked(method: string, header: Block, at: BlockAt): void {
  const isAsked = "hash" in at ? header.hash === at.hash : true;
  if (isAsked && header.height === (at.height ?? header.height)) return;
  throw contradiction(method, `number ${header.height} and hash ${header.hash} do not match the requested block`);
}

/** Returns the content by which two receipts are compared. */
function contentOf(receipt: EvmReceipt | null): string {
  if (!receipt) return "";
  const logs = receipt.logs.map(({ address, topics, data, logIndex }) => [address, topics, data, logIndex]);
  return JSON.stringify([receipt.blockHash, receipt.status, logs]);
}

function requireReceipt({ network }: Reader, result: unknown, txId: string): EvmReceipt {
  const receipt = NullableReceipt.parse(result);
  requireShapes("eth_getTransactionReceipt", receipt?.logs ?? [], network);
  if (receipt?.transactionHash === txId) return receipt;
  throw new ChainError(
    "inconsistent",
    `eth_getTransactionReceipt: the node does not have ${txId}, though it returned its logs`,
  );
}

function keep(blocks: Map<string, Block>, block: Block): void {
  blocks.set(block.hash, block);
  for (const oldest of blocks.keys()) {
    if (blocks.size <= MAX_BLOCKS_KEPT) return;
    blocks.delete(oldest);
  }
}

/** The selector of `decimals()`. */
const DECIMALS = "0x313ce567";

/** Compares the chain with the networks table: its chain id, and the decimals of every token. */
export async function evmProblem(network: CheckedNetwork, endpoints: Endpoints): Promise<string | null> {
  return tokenProblem(network, endpoints, ({ contract }, check) =>
    endpoints.askOrNull({
      method: "eth_call",
      params: [{ to: canonicalAddress(network.family, contract), data: DECIMALS }, "latest"],
      parse: (result) => {
        const text = CallResult.parse(result);
        if (text === "0x") return null;
        if (text.length !== 66) throw new ChainError("inconsistent", "decimals(): the response is not a number");
        return check(Number(BigInt(text)));
      },
    }),
  );
}
