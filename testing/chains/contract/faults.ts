import { type Exchange, type Fault, passOn } from "@/chaos/faults/fault-proxy";

/** An unavailable endpoint. */
export const down: Fault = async ({ response }) => void response.writeHead(503).end();

/** Returns an endpoint that responds only to log queries of at most `blocks` blocks. */
export function acceptsRangesOf(blocks: number): Fault {
  return async (exchange) => {
    const { method, params } = exchange.call;
    const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string };
    const isTooLarge = method === "eth_getLogs" && Number(toBlock) - Number(fromBlock) >= blocks;
    if (isTooLarge) return exchange.refuse(-32005, `query exceeds max block range ${blocks}`);
    return passOn(exchange);
  };
}

/** Returns an endpoint of any family that reports its newest and final heights too high; it does not have those blocks. */
export function showsHeadAhead(blocks: number): Fault {
  return async (exchange) => {
    const passed = await exchange.pass();
    if (passed) exchange.answer(isHeadCall(exchange) ? raised(passed.result, blocks) : passed.result);
  };
}

function isHeadCall({ call: { method, params } }: Exchange): boolean {
  if (method === "eth_getBlockByNumber") return params[0] === "latest" || params[0] === "finalized";
  if (method === "/wallet/getblock") return (params[0] as { id_or_num?: string }).id_or_num === undefined;
  return method === "getSlot" || method === "/walletsolidity/getblock";
}

function raised(result: unknown, by: number): unknown {
  if (typeof result === "number") return result + by;
  const header = result as {
    number?: string;
    blockID?: string;
    block_header?: { raw_data: { number: number } };
  } | null;
  if (header?.number !== undefined) return { ...header, number: hex(Number(header.number) + by) };
  if (!header?.block_header || header.blockID === undefined) return result;
  const raw = header.block_header.raw_data as { number: number; parentHash: string };
  const number = raw.number + by;
  const at = (height: number, id: string) => height.toString(16).padStart(16, "0") + id.slice(16);
  const raw_data = { ...raw, number, parentHash: at(number - 1, raw.parentHash) };
  return { ...header, blockID: at(number, header.blockID), block_header: { raw_data } };
}

/** Returns an endpoint of any family that has lost all blocks below a height. */
export function lostPast(height: number): Fault {
  return async (exchange) => {
    const { method, params } = exchange.call;
    if (method === "getFirstAvailableBlock") return exchange.answer(height);
    const asked = askedHeight(exchange);
    if (method === "getBlock" && asked < height)
      return exchange.refuse(
        -32001,
        `Block ${asked} cleaned up, does not exist on node. First available block: ${height}`,
      );
    if (method === "eth_getLogs" && asked < height) return exchange.refuse(4444, "pruned history unavailable");
    const passed = await exchange.pass(
      method === "getBlocks" ? { method, params: [Math.max(height, asked), ...params.slice(1)] } : undefined,
    );
    if (passed) exchange.answer(withoutPast(method, passed.result, height));
  };
}

/** Returns the lowest height that a call contains; Infinity if it contains none. */
function askedHeight({ call: { method, params } }: Exchange): number {
  if (method === "getBlock" || method === "getBlocks") return Number(params[0]);
  if (method !== "eth_getLogs") return Number.POSITIVE_INFINITY;
  const { fromBlock } = params[0] as { fromBlock?: string };
  return fromBlock === undefined ? Number.POSITIVE_INFINITY : Number(fromBlock);
}

function withoutPast(method: string, result: unknown, height: number): unknown {
  if (Array.isArray(result)) {
    const kept = result.filter((one) => heightOf(one) >= height);
    return method === "eth_getLogs" || kept.length < result.length ? kept : result;
  }
  if (result === null || heightOf(result) >= height) return result;
  return method.startsWith("/") ? {} : null;
}

/** Returns the height of a block, a log, a receipt or an entry of a history; Infinity for anything else, and for the first block. */
function heightOf(one: unknown): number {
  if (typeof one !== "object" || one === null) return Number.POSITIVE_INFINITY;
  const { number, blockNumber, slot, block_header } = one as {
    number?: string;
    blockNumber?: string | number;
    slot?: number;
    block_header?: { raw_data: { number?: number } };
  };
  return Number(number ?? blockNumber ?? slot ?? block_header?.raw_data.number ?? Number.POSITIVE_INFINITY);
}

const hex = (value: number) => `0x${value.toString(16)}`;
