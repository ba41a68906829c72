import { z } from "zod";
import type { Endpoint } from "@/lib/chains/endpoints/endpoint";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { isSamePayment, type Look, lookAtHead } from "@/lib/chains/endpoints/finality-check";
import type { Opinion } from "@/lib/chains/endpoints/finality-rules";
import {
  contradiction,
  createHeightReader,
  createRisingReader,
  disputeHighest,
  requireFinal,
  requireTime,
} from "@/lib/chains/endpoints/heights";
import { ChainError, type KnownTransfer } from "@/lib/chains/endpoints/source";
import {
  BlockContent,
  EvmReceipt,
  Header,
  Height,
  quantity,
  requireShapes,
  transfersOfReceipt,
} from "@/lib/chains/evm/logs";
import type { Network } from "@/lib/domain/networks";
import { type Block, createBlockClock, type Head } from "@/lib/domain/networks/finality";

const NullableHeader = z.nullable(Header);
const HEADER_OLD_MS = 5_000;
const FINALIZED_OLD_MS = 60_000;
/** By blocks that passed, where it only says how far a reorg may reach. */
const FINALIZED_LAG_MS = 90_000;

/** What a reader of heads remembers. */
interface HeadState {
  network: Network;
  endpoints: Endpoints;
  now: () => Date;
  header: { block: Block; readAt: Date } | null;
  finalized: { height: number | null; readAt: Date; atHeight: number } | null;
  askFinalized?: () => Promise<number | null>;
  /** How long blocks take now. */
  blockMs: () => number;
  /** Who showed what is not tied to this network yet. */
  unverified: Set<string>;
}

/** Reads the head; what it keeps of the last one can be forgotten, should that be wrong. */
export interface HeadReader {
  (): Promise<Head>;
  forget(): void;
}

/** Reads the head, the newest block with receipts: a cheap height first, the header when it is a new one. */
export function createHeadReader(network: Network, endpoints: Endpoints, now: () => Date): HeadReader {
  const read = (result: unknown) => Math.max(0, Height.parse(result) - endpoints.receiptLag);
  const clock = createBlockClock();
  const blockMs = () => clock.blockMs() ?? network.blockMs;
  const question = { ...BLOCK_NUMBER, read, blockMs };
  const heights = createHeightReader(endpoints, question, now);
  const state: HeadState = { network, endpoints, now, header: null, finalized: null, blockMs, unverified: new Set() };
  state.askFinalized = createFinalizedReader(state);
  const readHead = async () => {
    const height = await heights.read();
    const block = await readHeader(state, height);
    const finalizedHeight = await readFinalized(state, height);
    await verifyChainIds(state);
    heights.note(height);
    clock.note(block);
    const known = finalizedHeight === null ? null : Math.min(finalizedHeight, height);
    return { ...block, finalizedHeight: known, blockMs: clock.blockMs() };
  };
  const forget = () => {
    state.header = null;
  };
  return Object.assign(readHead, { forget });
}

/** Heights of another chain would make payments final that are not: what was read is forgotten unless the chain id of those who told it is verified. */
async function verifyChainIds(state: HeadState): Promise<void> {
  const { endpoints, unverified } = state;
  try {
    await endpoints.verifyChainId(unverified);
  } catch (error) {
    [state.header, state.finalized] = [null, null];
    throw error;
  } finally {
    unverified.clear();
  }
}

/** A block that follows the last head needs no noteSource. */
async function readHeader(state: HeadState, height: number): Promise<Block> {
  const { header, now } = state;
  if (header?.block.height === height && age(header.readAt, now()) < HEADER_OLD_MS) return header.block;
  const block = await state.endpoints
    .ask({
      method: "eth_getBlockByNumber",
      params: [quantity(height), false],
      parse: (result, endpoint) => {
        const found = NullableHeader.parse(result);
        if (!found) throw new ChainError("inconsistent", `This node lags: it does not have block ${height} yet`);
        if (found.height !== height)
          throw contradiction("eth_getBlockByNumber", `number ${found.height}, not ${height}`);
        requireTime("eth_getBlockByNumber: timestamp", found, now());
        state.endpoints.noteShown(endpoint, height);
        if (found.parentHash !== header?.block.hash) state.unverified.add(endpoint.name);
        return found;
      },
    })
    .catch((error: unknown) => {
      disputeHighest(state.endpoints, error);
      throw error;
    });
  state.header = { block, readAt: now() };
  return block;
}

/** By the `finalized` tag; read at every new head only where transfers become final by it. Null where no node has it. */
async function readFinalized(state: HeadState, height: number): Promise<number | null> {
  const { network, finalized, now } = state;
  const mayLag = network.finality.by === "depth" ? Math.ceil(FINALIZED_LAG_MS / state.blockMs()) : 1;
  const isFresh = finalized !== null && age(finalized.readAt, now()) < FINALIZED_OLD_MS;
  if (finalized && isFresh && Math.abs(height - finalized.atHeight) < mayLag) return finalized.height;
  const known = await (state.askFinalized?.() ?? Promise.resolve(null)).catch((error: unknown) => {
    if (error instanceof ChainError) return finalized?.height ?? null;
    throw error;
  });
  state.finalized = { height: known, readAt: now(), atHeight: height };
  return known;
}

function createFinalizedReader(state: HeadState) {
  const { endpoints, now, unverified, blockMs } = state;
  const request = {
    method: "eth_getBlockByNumber",
    params: ["finalized", false],
    feature: "finalizedTag" as const,
    parse: (result: unknown, { name }: Endpoint) => {
      const found = NullableHeader.parse(result);
      if (!found) return null;
      const known = { head: state.header?.block.height ?? found.height, final: state.finalized?.height ?? null };
      requireTime("eth_getBlockByNumber: timestamp", found, now());
      requireFinal("eth_getBlockByNumber finalized: number", found.height, known, blockMs());
      unverified.add(name);
      return found.height;
    },
  };
  const byOne = () => endpoints.askOrNull(request);
  return createRisingReader({ byOne, byAll: () => endpoints.askAll(request), blockMs }, now);
}

const BLOCK_NUMBER = { method: "eth_blockNumber", params: [] };

function age(at: Date, now: Date): number {
  return now.getTime() - at.getTime();
}

const NullableReceipt = z.nullable(EvmReceipt);
const NullableContent = z.nullable(BlockContent);
/** Of a transfer only its place in a receipt is compared. */
const ANY_TIME = new Date(0);

/** What one EVM endpoint says of a transfer: by its receipt and, where that does not show it, by its block's transactions. */
export function createEvmLook(network: Network): Look {
  const readHead = lookAtHead((alone) => createHeadReader(network, alone, alone.now));
  return async (alone, transfer, isFinal): Promise<Opinion> => {
    const { head, isPast } = await readHead(alone, isFinal);
    const own = { head, isPast };
    const receipt = await readReceipt(network, alone, transfer.txId);
    const found = receipt && transfersOfReceipt(receipt, ANY_TIME).find((one) => isSamePayment(one, transfer));
    if (found?.blockHash === transfer.blockHash) return { ...own, kind: "shows" };
    if (found) {
      const { height, hash, time } = await readBlockAt(alone, found.blockHash, found.blockHeight);
      return { ...own, kind: "moved", height, hash, time };
    }
    if (head && head.height < transfer.blockHeight) return { ...own, kind: "behind" };
    const content = await readContent(alone, transfer.blockHeight);
    if (content && isDenied(content, receipt, transfer)) return { ...own, kind: "denies" };
    tellLack(alone, transfer, content !== null);
    return { ...own, kind: "lacks" };
  };
}

/** Who lacks what it would take is done without, and told so. */
function tellLack(alone: Endpoints, { txId, blockHeight }: KnownTransfer, hasBlock: boolean): void {
  const message = hasBlock
    ? `eth_getTransactionReceipt: the node does not have the receipt of ${txId}, though its block lists it`
    : `eth_getBlockByNumber: the node does not have block ${blockHeight}`;
  alone.tell({ endpoint: alone.all[0]?.name ?? "", kind: "inconsistent", message });
}

/** That a transaction has no receipt says nothing where its block lists it: some nodes keep receipts for a while only. */
function isDenied({ hash, txIds }: BlockContent, receipt: EvmReceipt | null, { txId }: KnownTransfer): boolean {
  return !txIds.includes(txId) || receipt?.blockHash === hash;
}

async function readReceipt(network: Network, alone: Endpoints, txId: string): Promise<EvmReceipt | null> {
  const method = "eth_getTransactionReceipt";
  return alone.ask<EvmReceipt | null>({
    method,
    params: [txId],
    mustVerifyChainId: () => true,
    parse: (result) => {
      const found = NullableReceipt.parse(result);
      if (found && found.transactionHash !== txId)
        throw contradiction(method, "transactionHash: another receipt than was asked for");
      requireShapes(method, found?.logs ?? [], network);
      return found;
    },
  });
}

async function readBlockAt(alone: Endpoints, hash: string, height: number): Promise<Block> {
  const method = "eth_getBlockByHash";
  return alone.ask({
    method,
    params: [hash, false],
    parse: (result) => {
      const header = z.nullable(Header).parse(result);
      if (header?.hash !== hash || header.height !== height)
        throw contradiction(
          method,
          `blockHash ${hash} and blockNumber ${height}: this node does not know such a block`,
        );
      requireTime(`${method}: timestamp`, header, alone.now());
      return header;
    },
  });
}

/** With all that is in it, for nodes that only give transactions whole. */
async function readContent(alone: Endpoints, height: number): Promise<BlockContent | null> {
  const method = "eth_getBlockByNumber";
  return alone.ask<BlockContent | null>({
    method,
    params: [quantity(height), true],
    mustVerifyChainId: () => true,
    parse: (result) => {
      const content = NullableContent.parse(result);
      if (content && content.height !== height) throw contradiction(method, `number ${content.height}, not ${height}`);
      return content;
    },
  });
}
