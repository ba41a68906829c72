import { z } from "zod";
import { contradiction, requireTime } from "@/lib/chains/answer";
import { EVM_DIALECT } from "@/lib/chains/dialect";
import type { Endpoint } from "@/lib/chains/endpoint";
import { createEndpoints, type Endpoints, type EndpointsOptions, readChecked, readTwice } from "@/lib/chains/endpoints";
import { createHeadReader } from "@/lib/chains/evm-head";
import { createLogReader, type LogReader } from "@/lib/chains/evm-log-reader";
import {
  isMisshapen,
  readTransferLog,
  requireHeld,
  type TransferLog,
  tieToReceipt,
  transfersOfReceipt,
} from "@/lib/chains/evm-logs";
import { evmProblem } from "@/lib/chains/evm-problem";
import { type EvmLog, EvmReceipt, Header, quantity } from "@/lib/chains/evm-wire";
import { type BlockAt, ChainError, type ChainSource, type Receipt, type Span } from "@/lib/chains/source";
import { standingByReceipt, unclearIfInDoubt } from "@/lib/chains/standing";
import { withOwnLookAlikes } from "@/lib/chains/token-problem";
import type { Block } from "@/lib/domain/block";
import type { Network } from "@/lib/domain/networks";
import { type KnownToken, watchedTokens } from "@/lib/domain/token";
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
  const readHead = createHeadReader(network, endpoints, options.now);
  const reader = { network, endpoints, readLogs, blocks: new Map() };
  const answers: Pick<ChainSource, "block" | "receipt"> = {
    block: (at) => readBlock(reader, at),
    receipt: (txId) => readReceipt(reader, txId),
  };
  return {
    ...answers,
    endpoints: endpoints.all.map(({ name }) => name),
    head: () => readTwice(endpoints, readHead),
    mistrust: endpoints.disputeFirst,
    transfers: (span, addresses) => readTransfers(reader, span, addresses),
    transfersBy: (endpoint, span, addresses) => readTransfers(reader, span, addresses, endpoint),
    standing: (transfer) => standingByReceipt(answers, transfer).catch(unclearIfInDoubt),
    problem: () => evmProblem(network, endpoints),
    warning: () => network.warning,
    quorumMiss: endpoints.quorumMiss,
    heads: endpoints.heads,
  };
}

async function readBlock({ endpoints, blocks }: Reader, at: BlockAt): Promise<Block | null> {
  const known = "hash" in at ? blocks.get(at.hash) : undefined;
  if (known) return known;
  const method = "hash" in at ? "eth_getBlockByHash" : "eth_getBlockByNumber";
  const found = await endpoints.askOrNull({
    method,
    params: ["hash" in at ? at.hash : quantity(at.height), false],
    mustVouch: () => "height" in at && at.mustVouch === true,
    parse: (result, endpoint) => {
      const header = NullableHeader.parse(result);
      if (header) requireAsked(method, header, at);
      if (header) requireTime(method, header, endpoints.now());
      if (header) endpoints.noteShown(endpoint, header.height);
      return header;
    },
  });
  if (found) keep(blocks, found);
  return found;
}

/** @param height the one that a log or a receipt says */
async function timeOf(reader: Reader, hash: string, height: number): Promise<Date> {
  const found = await readBlock(reader, { hash });
  if (found?.height === height) return found.time;
  if (found) throw new ChainError("inconsistent", `blockNumber: block ${hash} is ${found.height}, not ${height}`);
  throw new ChainError("inconsistent", `blockHash: block ${hash} holds a transaction, but no endpoint knows it`);
}

/** Logs that do not stand up to the receipts of their transactions are read again from another endpoint. */
async function readTransfers(
  reader: Reader,
  span: Span,
  addresses: ReadonlySet<string>,
  only?: string,
): Promise<ChainTransfer[]> {
  if (addresses.size === 0) return [];
  const { endpoints } = reader;
  const tokens = watchedTokens(reader.network);
  const read = async (without: ReadonlySet<string>) => {
    const { logs, endpoint } = await reader.readLogs(span, addresses, { only, without });
    return { value: logs.flatMap((log) => candidateOf(log, tokens, addresses)), endpoint };
  };
  const check = async (found: readonly Candidate[], endpoint: string | null) => {
    if (endpoint !== null && (found.length > 0 || only)) await endpoints.vouch([endpoint]);
    const byTransaction = Map.groupBy(found, ({ log }) => log.transactionHash);
    const tied = await inTurns([...byTransaction.values()], (some) => tie(reader, some, endpoint ?? undefined));
    return tied.flat().filter((transfer) => transfer !== null);
  };
  return readChecked(endpoints, read, check, only);
}

/** A log that is to be tied to its receipt: a transfer, or one whose form says that it is none. */
type Candidate = { log: EvmLog; transfer: TransferLog | null };

function candidateOf(
  log: EvmLog,
  tokens: ReadonlyMap<string, KnownToken>,
  addresses: ReadonlySet<string>,
): Candidate[] {
  const transfer = readTransferLog(log, tokens);
  if (transfer) return addresses.has(transfer.to) ? [{ log, transfer }] : [];
  return isMisshapen(log, tokens) ? [{ log, transfer }] : [];
}

/** Ties the logs of one transaction to its receipt, from another endpoint than the logs came from where there is one. */
async function tie(
  reader: Reader,
  found: readonly Candidate[],
  notFirst: string | undefined,
): Promise<(ChainTransfer | null)[]> {
  const [first] = found;
  if (!first) return [];
  const { transactionHash: txId, blockHash, blockNumber } = first.log;
  const time = await timeOf(reader, blockHash, blockNumber);
  return reader.endpoints.ask({
    method: "eth_getTransactionReceipt",
    params: [txId],
    notFirst,
    parse: (result) => {
      const receipt = requireReceipt(result, txId);
      return found.map(({ log, transfer }) => {
        requireHeld(log, receipt);
        return transfer && tieToReceipt(reader.network, transfer, receipt, time);
      });
    },
  });
}

/** As many endpoints as the quorum must show the same one; where one is enough, one whose block nobody has is none. */
async function readReceipt(reader: Reader, txId: string): Promise<Receipt | null> {
  const { endpoints } = reader;
  const request = {
    method: "eth_getTransactionReceipt",
    params: [txId],
    notFirst: reader.readLogs.lastEndpoint(),
    mustVouch: () => true,
    parse: (result: unknown, { name }: Endpoint) => {
      const found = NullableReceipt.parse(result);
      if (found && found.transactionHash !== txId)
        throw contradiction("eth_getTransactionReceipt", "transactionHash: another receipt than was asked for");
      return found && { value: found, endpoint: name };
    },
  };
  const read = async (without: ReadonlySet<string>) => {
    const nobody = { value: null, endpoint: null };
    if (endpoints.quorum === 1) return (await endpoints.askOrNull({ ...request, without })) ?? nobody;
    const agreed = await endpoints.askAgreed(request, (told) => contentOf(told?.value ?? null));
    return { value: agreed?.value ?? null, endpoint: null };
  };
  return readChecked(endpoints, read, async (found) => {
    if (!found) return null;
    const { status, blockNumber: blockHeight, blockHash } = found;
    const time = await timeOf(reader, blockHash, blockHeight);
    return { isSuccess: status === 1, blockHeight, blockHash, transfers: transfersOfReceipt(found, time) };
  });
}

function requireAsked(method: string, header: Block, at: BlockAt): void {
  const isAsked = "hash" in at ? header.hash === at.hash : header.height === at.height;
  if (isAsked) return;
  throw contradiction(method, `block ${header.height} (${header.hash}) is not the one that was asked for`);
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
