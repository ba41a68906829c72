import { quantity } from "@/chaos/faults/evm-falsifications";
import { type Fault, passOn } from "@/chaos/faults/fault-proxy";
import type { Random } from "@/chaos/plan/random";

/** The name of the fault: an endpoint returns the right blocks with false times. */
export const FALSE_TIMES = "false block times";

const HOURS = [1, 12] as const;
const HOUR_MS = 3_600_000;
const MAX_SALT = 2 ** 31 - 1;

/** A function that returns the milliseconds by which an endpoint shifts the time of the block at a height. */
export type Shift = (height: number) => number;

interface EvmBlock {
  number: string;
  timestamp: string;
}

interface TronBlock {
  block_header?: { raw_data: { number?: number; timestamp?: number } };
}

interface SolanaBlock {
  blockTime: number | null;
  /** The slot of a transaction, or of an entry of a history. */
  slot?: number;
}

/** Returns the fault of an endpoint whose block times are hours early or hours late, for all blocks or for about half of them. */
export function falsifyTimes(random: Random): Fault {
  const shiftMs = random.int(...HOURS) * HOUR_MS * (random.chance(0.5) ? 1 : -1);
  const salt = random.int(0, MAX_SALT);
  const isOfAll = random.chance(0.5);
  const isShifted = (height: number) => isOfAll || (Math.imul(height ^ salt, 0x9e3779b1) & 0x10000) !== 0;
  return falseTimes((height) => (isShifted(height) ? shiftMs : 0));
}

/**
 * Returns the fault of an endpoint of any family that returns blocks with correct hashes and false times, in every response that contains
 * times.
 */
export function falseTimes(shiftMs: Shift): Fault {
  return async (exchange) => {
    const { method, params } = exchange.call;
    if (!hasTimes(method)) return passOn(exchange);
    const passed = await exchange.pass();
    if (!passed) return;
    const shift = (one: object | null) => one && shifted(one, Number(params[0]), shiftMs);
    const { result } = passed;
    exchange.answer(Array.isArray(result) ? result.map(shift) : shift(result as object | null));
  };
}

const OF_SOLANA = ["getBlock", "getTransaction", "getSignaturesForAddress"];

function hasTimes(method: string): boolean {
  return method.startsWith("eth_getBlockBy") || OF_SOLANA.includes(method) || /\/getblock(bynum)?$/.test(method);
}

/**
 * Returns a block, a transaction or a history entry with a shifted time.
 * @param slot the height of the block, used if the response does not contain it
 */
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
  const { blockTime, slot: own = slot } = block as SolanaBlock;
  if (typeof blockTime !== "number") return block;
  return { ...block, blockTime: blockTime + Math.round(shiftMs(own) / 1_000) };
}
