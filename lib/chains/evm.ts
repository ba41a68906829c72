import { z } from "zod";
import { createEndpoints, type EndpointsOptions } from "@/lib/chains/endpoints";
import { createHeadReader } from "@/lib/chains/evm-head";
import { createLogReader } from "@/lib/chains/evm-log-reader";
import { readTransferLog, tieToReceipt, tokensByContract, transfersOfReceipt } from "@/lib/chains/evm-logs";
import { tokenProblem } from "@/lib/chains/evm-problem";
import { EvmReceipt, Header, quantity } from "@/lib/chains/evm-wire";
import { ChainError, type ChainSource, type Receipt, type Span } from "@/lib/chains/source";
import type { Block } from "@/lib/domain/block";
import type { Network } from "@/lib/domain/networks";
import type { ChainTransfer } from "@/lib/domain/transfer";

const NullableHeader = z.nullable(Header);
const NullableReceipt = z.nullable(EvmReceipt);
const MOST_BLOCKS_KEPT = 256;
const RECEIPTS_AT_ONCE = 4;

/** An EVM network over JSON-RPC. What it learns about its endpoints lives in the returned object. */
export function createEvmSource(network: Network, options: EndpointsOptions): ChainSource {
  const endpoints = createEndpoints(network, options);
  const logReader = createLogReader(network, endpoints);
  const headReader = createHeadReader(network, endpoints, options.now);
  const tokens = tokensByContract(network);
  const blocks = new Map<string, Block>();

  async function block(at: { height: number } | { hash: string }): Promise<Block | null> {
    const known = "hash" in at ? blocks.get(at.hash) : undefined;
    if (known) return known;
    const found = await endpoints.askOrNull({
      method: "hash" in at ? "eth_getBlockByHash" : "eth_getBlockByNumber",
      params: ["hash" in at ? at.hash : quantity(at.height), false],
      parse: (result, endpoint) => {
        const header = NullableHeader.parse(result);
        if (header) requireAsked(header, at);
        if (header) endpoint.height = Math.max(endpoint.height, header.height);
        return header;
      },
    });
    if (found) keep(blocks, found);
    return found;
  }

  async function timeOf(hash: string): Promise<Date> {
    const found = await block({ hash });
    if (!found)
      throw new ChainError("inconsistent", `Block ${hash} holds a transfer, but no endpoint knows it any more`);
    return found.time;
  }

  async function transfers(span: Span, addresses: ReadonlySet<string>): Promise<ChainTransfer[]> {
    if (addresses.size === 0) return [];
    const { logs, endpoint } = await logReader(span, addresses);
    const found = logs.flatMap((log) => {
      const transfer = readTransferLog(log, tokens);
      return transfer && addresses.has(transfer.to) ? [transfer] : [];
    });
    const byTransaction = Map.groupBy(found, (transfer) => transfer.log.transactionHash);
    const tied = await inTurns([...byTransaction], async ([txId, ofTransaction]) => {
      const time = await timeOf(ofTransaction[0]?.log.blockHash ?? "");
      return endpoints.ask({
        method: "eth_getTransactionReceipt",
        params: [txId],
        notFirst: endpoint,
        parse: (result) => {
          const receipt = requireReceipt(result, txId);
          return ofTransaction.map((transfer) => tieToReceipt(network, transfer, receipt, time));
        },
      });
    });
    return tied.flat().filter((transfer) => transfer !== null);
  }

  async function receipt(txId: string): Promise<Receipt | null> {
    const found = await endpoints.askOrNull({
      method: "eth_getTransactionReceipt",
      params: [txId],
      notFirst: logReader.lastEndpoint(),
      parse: (result) => NullableReceipt.parse(result),
    });
    if (!found) return null;
    return {
      isSuccess: found.status === 1,
      blockHeight: found.blockNumber,
      blockHash: found.blockHash,
      transfers: transfersOfReceipt(network, found, await timeOf(found.blockHash)),
    };
  }

  return { head: headReader, block, transfers, receipt, problem: () => tokenProblem(network, endpoints) };
}

function requireAsked(header: Block, at: { height: number } | { hash: string }): void {
  const isAsked = "hash" in at ? header.hash === at.hash : header.height === at.height;
  if (!isAsked) throw new ChainError("inconsistent", "A node answered with another block than was asked for");
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
