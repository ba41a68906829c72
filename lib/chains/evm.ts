import { z } from "zod";
import { EVM_DIALECT } from "@/lib/chains/dialect";
import { createEndpoints, type Endpoints, type EndpointsOptions } from "@/lib/chains/endpoints";
import { createHeadReader } from "@/lib/chains/evm-head";
import { createLogReader, type LogReader } from "@/lib/chains/evm-log-reader";
import { readTransferLog, type TransferLog, tieToReceipt, transfersOfReceipt } from "@/lib/chains/evm-logs";
import { evmProblem } from "@/lib/chains/evm-problem";
import { EvmReceipt, Header, quantity } from "@/lib/chains/evm-wire";
import { type BlockAt, ChainError, type ChainSource, type Receipt, type Span } from "@/lib/chains/source";
import { standingByReceipt, unclearIfInDoubt } from "@/lib/chains/standing";
import { withOwnLookAlikes } from "@/lib/chains/token-problem";
import type { Block } from "@/lib/domain/block";
import type { Network } from "@/lib/domain/networks";
import { watchedTokens } from "@/lib/domain/token";
import type { ChainTransfer } from "@/lib/domain/transfer";

const NullableHeader = z.nullable(Header);
const NullableReceipt = z.nullable(EvmReceipt);
const MOST_BLOCKS_KEPT = 256;
const RECEIPTS_AT_ONCE = 4;

interface Reader {
  network: Network;
  endpoints: Endpoints;
  readLogs: LogReader;
  /** Blocks by hash, newest last. */
  blocks: Map<string, Block>;
}

/** An EVM network over JSON-RPC. What it learns about its endpoints lives in the returned object. */
export function createEvmSource(row: Network, options: EndpointsOptions, dialect = EVM_DIALECT): ChainSource {
  const network = withOwnLookAlikes(row);
  const endpoints = createEndpoints(network, options, dialect);
  const readLogs = createLogReader(network, endpoints);
  const reader = { network, endpoints, readLogs, blocks: new Map() };
  const answers: Pick<ChainSource, "block" | "receipt"> = {
    block: (at) => readBlock(reader, at),
    receipt: (txId) => readReceipt(reader, txId),
  };
  return {
    ...answers,
    endpoints: endpoints.all.map(({ name }) => name),
    head: createHeadReader(network, endpoints, options.now),
    transfers: (span, addresses) => readTransfers(reader, span, addresses),
    transfersBy: (endpoint, span, addresses) => readTransfers(reader, span, addresses, endpoint),
    standing: (transfer) => standingByReceipt(answers, transfer).catch(unclearIfInDoubt),
    problem: () => evmProblem(network, endpoints),
    warning: () => network.warning,
    quorumMiss: endpoints.quorumMiss,
  };
}

async function readBlock({ endpoints, blocks }: Reader, at: BlockAt): Promise<Block | null> {
  const known = "hash" in at ? blocks.get(at.hash) : undefined;
  if (known) return known;
  const found = await endpoints.askOrNull({
    method: "hash" in at ? "eth_getBlockByHash" : "eth_getBlockByNumber",
    params: ["hash" in at ? at.hash : quantity(at.height), false],
    mustVouch: () => "height" in at && at.mustVouch === true,
    parse: (result, endpoint) => {
      const header = NullableHeader.parse(result);
      if (header) requireAsked(header, at);
      if (header) endpoints.noteShown(endpoint, header.height);
      return header;
    },
  });
  if (found) keep(blocks, found);
  return found;
}

async function timeOf(reader: Reader, hash: string): Promise<Date> {
  const found = await readBlock(reader, { hash });
  if (found) return found.time;
  throw new ChainError("inconsistent", `Block ${hash} holds a transfer, but no endpoint knows it any more`);
}

async function readTransfers(
  reader: Reader,
  span: Span,
  addresses: ReadonlySet<string>,
  only?: string,
): Promise<ChainTransfer[]> {
  if (addresses.size === 0) return [];
  const { logs, endpoint } = await reader.readLogs(span, addresses, only);
  const tokens = watchedTokens(reader.network);
  const found = logs.flatMap((log) => {
    const transfer = readTransferLog(log, tokens);
    return transfer && addresses.has(transfer.to) ? [transfer] : [];
  });
  if (found.length > 0 || only) await reader.endpoints.vouch([endpoint]);
  const byTransaction = Map.groupBy(found, (transfer) => transfer.log.transactionHash);
  const tied = await inTurns([...byTransaction.values()], (transfers) => tie(reader, transfers, endpoint));
  return tied.flat().filter((transfer) => transfer !== null);
}

/** Ties the transfers of one transaction to its receipt, from another endpoint than the logs came from where there is one. */
async function tie(
  reader: Reader,
  transfers: readonly TransferLog[],
  notFirst: string,
): Promise<(ChainTransfer | null)[]> {
  const [first] = transfers;
  if (!first) return [];
  const { transactionHash: txId, blockHash } = first.log;
  const time = await timeOf(reader, blockHash);
  return reader.endpoints.ask({
    method: "eth_getTransactionReceipt",
    params: [txId],
    notFirst,
    parse: (result) => {
      const receipt = requireReceipt(result, txId);
      return transfers.map((transfer) => tieToReceipt(reader.network, transfer, receipt, time));
    },
  });
}

async function readReceipt(reader: Reader, txId: string): Promise<Receipt | null> {
  const { endpoints } = reader;
  const request = {
    method: "eth_getTransactionReceipt",
    params: [txId],
    notFirst: reader.readLogs.lastEndpoint(),
    mustVouch: () => true,
    parse: (result: unknown) => {
      const receipt = NullableReceipt.parse(result);
      if (receipt && receipt.transactionHash !== txId)
        throw new ChainError("inconsistent", "Another receipt than was asked for");
      return receipt;
    },
  };
  const found = await (endpoints.quorum > 1 ? endpoints.askAgreed(request, contentOf) : endpoints.askOrNull(request));
  if (!found) return null;
  return {
    isSuccess: found.status === 1,
    blockHeight: found.blockNumber,
    blockHash: found.blockHash,
    transfers: transfersOfReceipt(found, await timeOf(reader, found.blockHash)),
  };
}

function requireAsked(header: Block, at: BlockAt): void {
  const isAsked = "hash" in at ? header.hash === at.hash : header.height === at.height;
  if (!isAsked) throw new ChainError("inconsistent", "A node answered with another block than was asked for");
}

/** What two receipts must have in common to be the same. */
function contentOf(receipt: EvmReceipt | null): string {
  if (!receipt) return "";
  const logs = receipt.logs.map(({ address, topics, data, logIndex }) => [address, topics, data, logIndex]);
  return JSON.stringify([receipt.blockHash, receipt.status, logs]);
}

function requireReceipt(result: unknown, txId: string): EvmReceipt {
  const receipt = NullableReceipt.parse(result);
  if (receipt?.transactionHash === txId) return receipt;
  throw new ChainError("inconsistent", `eth_getTransactionReceipt: the node does not know ${txId}, though it has logs`);
}

function keep(blocks: Map<string, Block>, block: Block): void {
  blocks.set(block.hash, block);
  for (const oldest of blocks.keys()) {
    if (blocks.size <= MOST_BLOCKS_KEPT) return;
    blocks.delete(oldest);
  }
}

/** Maps with at most four promises in flight. */
async function inTurns<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let index = 0; index < items.length; index += RECEIPTS_AT_ONCE) {
    results.push(...(await Promise.all(items.slice(index, index + RECEIPTS_AT_ONCE).map(map))));
  }
  return results;
}
