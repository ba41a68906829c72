import type { Falsification } from "@/chaos/chains/chain";
import { type Exchange, type Fault, passOn } from "@/chaos/faults/fault-proxy";

const BLOCK = "/wallet/getblockbynum";
const HEADER = "/wallet/getblock";
const RECEIPTS = "/wallet/gettransactioninfobyblocknum";
const RECEIPT = "/wallet/gettransactioninfobyid";
/** TRON's response for a missing object. */
const NOTHING = {};
/** A genesis block id that does not end in a known chain id. */
const UNKNOWN_GENESIS = `${"0".repeat(56)}badc0de0`;

interface Block {
  blockID?: string;
  block_header?: { raw_data: { number?: number } };
  transactions?: unknown[];
}

/** Returns the false responses of TRON's HTTP endpoints, under the same names as in JSON-RPC. */
export function tronHttpFalsifications(height: () => number): Readonly<Record<string, Falsification>> {
  return {
    "lags by 3 blocks": () => lag(height, () => 3),
    "lags by many blocks": (random) => lag(height, () => random.int(8, 40)),
    "mixed backends": (random) => lag(height, () => (random.chance(0.5) ? 0 : random.int(1, 6))),
    "no logs where there are some": () => change([RECEIPTS], () => []),
    "no logs now and then": (random) => change([RECEIPTS], (result) => (random.chance(0.5) ? [] : result)),
    "one receipt too few": () => change([RECEIPTS], (result) => (result as unknown[]).slice(1)),
    "blocks without their transactions": () =>
      change([BLOCK, RECEIPTS], (result) => (Array.isArray(result) ? [] : { ...(result as Block), transactions: [] })),
    "null blocks": () => change([BLOCK, HEADER], () => NOTHING),
    "null receipts": () => change([RECEIPT], () => NOTHING),
    "wrong chain id": () =>
      change([HEADER], (result) => (isFirst(result) ? { ...result, blockID: UNKNOWN_GENESIS } : result)),
  };
}

function change(paths: readonly string[], to: (result: unknown) => unknown): Fault {
  return async (exchange) => {
    if (!paths.includes(exchange.call.method)) return passOn(exchange);
    const passed = await exchange.pass();
    if (passed) exchange.answer(to(passed.result));
  };
}

/** Returns the fault of a node that lags behind; its solid block lags by the same distance. */
function lag(height: () => number, blocks: () => number): Fault {
  return async (exchange) => {
    const behind = blocks();
    const head = height();
    const last = Math.max(0, head - behind);
    const { method, params } = exchange.call;
    const isNewest = method.endsWith("/getblock") && Object.keys(params[0] as object).length === 0;
    if (isNewest) return answerNewest(exchange, behind, last);
    const passed = await exchange.pass();
    if (!passed) return;
    const isUnknown = heightOf(passed.result) > last;
    exchange.answer(isUnknown ? (method === RECEIPTS ? [] : NOTHING) : passed.result);
  };
}

async function answerNewest(exchange: Exchange, behind: number, last: number): Promise<void> {
  const { method } = exchange.call;
  const newest = await exchange.pass();
  if (!newest) return;
  const height = method === HEADER ? last : Math.max(0, heightOf(newest.result) - behind);
  const passed = await exchange.pass({ method: HEADER, params: [{ id_or_num: String(height) }] });
  if (passed) exchange.answer(passed.result);
}

function heightOf(result: unknown): number {
  if (Array.isArray(result)) return heightOf(result[0]);
  const { blockNumber, block_header } = (result ?? {}) as Block & { blockNumber?: number };
  return blockNumber ?? block_header?.raw_data.number ?? 0;
}

function isFirst(result: unknown): result is Block {
  const { blockID, block_header } = result as Block;
  return blockID !== undefined && block_header?.raw_data.number === undefined;
}
