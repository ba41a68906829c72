import { z } from "zod";
import type { Endpoint } from "@/lib/chains/endpoint";
import type { Endpoints } from "@/lib/chains/endpoints";
import { Header, Height, quantity } from "@/lib/chains/evm-wire";
import { ChainError } from "@/lib/chains/source";
import type { Block, Head } from "@/lib/domain/block";
import type { Network } from "@/lib/domain/networks";

const NullableHeader = z.nullable(Header);
const HEADER_OLD_MS = 5_000;
const FINALIZED_OLD_MS = 60_000;
const FINALIZED_OLD_BLOCKS = 8;
const SHORTEST_STALL_MS = 15_000;

/** What a reader of heads remembers. */
interface HeadState {
  network: Network;
  endpoints: Endpoints;
  now: () => Date;
  /** The head that was read last. */
  height: number;
  risenAt: Date;
  header: { block: Block; readAt: Date } | null;
  finalized: { height: number | null; readAt: Date; atHeight: number } | null;
}

/**
 * Reads the head: a cheap height first, the header when it is a new one. A node that shows less than was seen before
 * lags, so another one is asked; when all show less, the highest of them is the head. A head that stands still makes
 * it ask all of them.
 */
export function createHeadReader(network: Network, endpoints: Endpoints, now: () => Date): () => Promise<Head> {
  const state: HeadState = { network, endpoints, now, height: -1, risenAt: now(), header: null, finalized: null };
  return async () => {
    const height = await readHeight(state);
    const block = await readHeader(state, height);
    state.height = height;
    const finalizedHeight = await readFinalized(state, height);
    return { ...block, finalizedHeight: finalizedHeight === null ? null : Math.min(finalizedHeight, height) };
  };
}

async function readHeight(state: HeadState): Promise<number> {
  const height = await readHighest(state);
  const stallMs = Math.max(4 * state.network.blockMs, SHORTEST_STALL_MS);
  const isStalled = height === state.height && age(state.risenAt, state.now()) >= stallMs;
  if (height !== state.height || isStalled) state.risenAt = state.now();
  if (!isStalled) return height;
  return Math.max(height, ...(await state.endpoints.askAll({ ...BLOCK_NUMBER, parse: noteHeight })));
}

/** The first height that is not below the last one; the highest of all when every endpoint shows less. */
async function readHighest(state: HeadState): Promise<number> {
  const heights: number[] = [];
  const parse = (result: unknown, endpoint: Endpoint) => {
    const height = noteHeight(result, endpoint);
    heights.push(height);
    if (height >= state.height) return height;
    throw new ChainError("inconsistent", `This node lags: its head is ${height}, but ${state.height} was seen`);
  };
  return state.endpoints.ask({ ...BLOCK_NUMBER, parse }).catch((error) => {
    if (heights.length === 0) throw error;
    return Math.max(...heights);
  });
}

function noteHeight(result: unknown, endpoint: Endpoint): number {
  endpoint.height = Height.parse(result);
  return endpoint.height;
}

async function readHeader(state: HeadState, height: number): Promise<Block> {
  const { header, now } = state;
  if (header?.block.height === height && age(header.readAt, now()) < HEADER_OLD_MS) return header.block;
  const block = await state.endpoints.ask({
    method: "eth_getBlockByNumber",
    params: [quantity(height), false],
    parse: (result, endpoint) => {
      const found = NullableHeader.parse(result);
      if (found?.height !== height) {
        throw new ChainError("inconsistent", `This node lags: it does not have block ${height} yet`);
      }
      endpoint.height = Math.max(endpoint.height, height);
      return found;
    },
  });
  state.header = { block, readAt: now() };
  return block;
}

/** By the `finalized` tag; read at every new head only where transfers become final by it. Null where no node has it. */
async function readFinalized(state: HeadState, height: number): Promise<number | null> {
  const { network, endpoints, finalized, now } = state;
  const mayLag = network.finality.by === "depth" ? FINALIZED_OLD_BLOCKS : 1;
  const isFresh = finalized !== null && age(finalized.readAt, now()) < FINALIZED_OLD_MS;
  if (finalized && isFresh && Math.abs(height - finalized.atHeight) < mayLag) return finalized.height;
  const known = await endpoints
    .askOrNull({
      method: "eth_getBlockByNumber",
      params: ["finalized", false],
      feature: "finalizedTag",
      parse: (result) => NullableHeader.parse(result),
    })
    .then((block) => block?.height ?? null)
    .catch((error: unknown) => {
      if (error instanceof ChainError) return finalized?.height ?? null;
      throw error;
    });
  state.finalized = { height: known, readAt: now(), atHeight: height };
  return known;
}

const BLOCK_NUMBER = { method: "eth_blockNumber", params: [] };

function age(at: Date, now: Date): number {
  return now.getTime() - at.getTime();
}
