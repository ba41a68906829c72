import { quantity } from "@/chaos/faults/evm-lies";
import { type Fault, passOn } from "@/chaos/faults/fault-proxy";

/** By how many milliseconds an endpoint shifts the time of the block at a height. */
export type Shift = (height: number) => number;

interface EvmBlock {
  number: string;
  timestamp: string;
}

interface TronBlock {
  block_header?: { raw_data: { number?: number; timestamp?: number } };
}

interface SolanaBlock {
  blockTime: number;
}

/** An endpoint of any family that returns blocks with their right hashes and false times. */
export function falseTimes(shiftMs: Shift): Fault {
  return async (exchange) => {
    const { method, params } = exchange.call;
    if (!isOfBlock(method)) return passOn(exchange);
    const passed = await exchange.pass();
    if (!passed) return;
    exchange.answer(passed.result === null ? null : shifted(passed.result as object, Number(params[0]), shiftMs));
  };
}

function isOfBlock(method: string): boolean {
  return method.startsWith("eth_getBlockBy") || method === "getBlock" || /\/getblock(bynum)?$/.test(method);
}

/** @param slot the height of a block that does not tell it */
function shifted(block: object, slot: number, shiftMs: Shift): object {
  if ("timestamp" in block) {
    const { number, timestamp } = block as EvmBlock;
    return { ...block, timestamp: quantity(Number(timestamp) + Math.round(shiftMs(Number(number)) / 1_000)) };
  }
  if ("block_header" in block) {
    const { block_header: header } = block as Required<TronBlock>;
    const { number, timestamp } = header.raw_data;
    if (number === undefined || timestamp === undefined) return block;
    return {
      ...block,
      block_header: { ...header, raw_data: { ...header.raw_data, timestamp: timestamp + shiftMs(number) } },
    };
  }
  if (!("blockTime" in block)) return block;
  const { blockTime } = block as SolanaBlock;
  return { ...block, blockTime: blockTime + Math.round(shiftMs(slot) / 1_000) };
}
