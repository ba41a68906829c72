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

/**
 * Reads the head: a cheap height first, the header when it is a new one. A node that shows less than was seen before
 * lags, so another one is asked; when all show less, the highest of them is the head. A head that stands still makes
 * it ask all of them.
 */
export function createHeadReader(network: Network, endpoints: Endpoints, now: () => Date): () => Promise<Head> {
  const stallMs = Math.max(4 * network.blockMs, SHORTEST_STALL_MS);
  let highest = -1;
  let risenAt = now();
  let header: { block: Block; readAt: Date } | null = null;
  let finalized: { height: number | null; readAt: Date; atHeight: number } | null = null;

  const parseHeight = (result: unknown, endpoint: Endpoint) => {
    endpoint.height = Height.parse(result);
    return endpoint.height;
  };

  async function readHeight(): Promise<number> {
    const heights: number[] = [];
    const parse = (result: unknown, endpoint: Endpoint) => {
      const height = parseHeight(result, endpoint);
      heights.push(height);
      if (height < highest) throw new ChainError("inconsistent", `This node lags: ${height}, but ${highest} was seen`);
      return height;
    };
    const height = await endpoints.ask({ ...BLOCK_NUMBER, parse }).catch((error) => {
      if (heights.length === 0) throw error;
      return Math.max(...heights);
    });
    if (height !== highest) risenAt = now();
    if (height !== highest || age(risenAt, now()) < stallMs) return height;
    risenAt = now();
    return Math.max(height, ...(await endpoints.askAll({ ...BLOCK_NUMBER, parse: parseHeight })));
  }

  async function readHeader(height: number): Promise<Block> {
    if (header?.block.height === height && age(header.readAt, now()) < HEADER_OLD_MS) return header.block;
    const block = await endpoints.ask({
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
    header = { block, readAt: now() };
    return block;
  }

  async function readFinalized(height: number): Promise<number | null> {
    const mayLag = network.finality.by === "depth" ? FINALIZED_OLD_BLOCKS : 1;
    const isFresh = finalized !== null && age(finalized.readAt, now()) < FINALIZED_OLD_MS;
    if (finalized && isFresh && Math.abs(height - finalized.atHeight) < mayLag) return finalized.height;
    try {
      const block = await endpoints.askOrNull({
        method: "eth_getBlockByNumber",
        params: ["finalized", false],
        feature: "finalizedTag",
        parse: (result) => NullableHeader.parse(result),
      });
      finalized = { height: block?.height ?? null, readAt: now(), atHeight: height };
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      finalized = { height: finalized?.height ?? null, readAt: now(), atHeight: height };
    }
    return finalized.height;
  }

  return async () => {
    const height = await readHeight();
    const block = await readHeader(height);
    highest = height;
    const finalizedHeight = await readFinalized(height);
    return { ...block, finalizedHeight: finalizedHeight === null ? null : Math.min(finalizedHeight, height) };
  };
}

const BLOCK_NUMBER = { method: "eth_blockNumber", params: [] };

function age(at: Date, now: Date): number {
  return now.getTime() - at.getTime();
}
