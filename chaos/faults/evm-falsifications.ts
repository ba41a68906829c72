import type { Falsification } from "@/chaos/chains/chain";
import { type Exchange, type Fault, passOn } from "@/chaos/faults/fault-proxy";

const UNKNOWN_CHAIN_ID = "0xbadc0de";

/** Returns the false responses of EVM endpoints. `height` returns the real head of the chain. */
export function evmFalsifications(height: () => number): Readonly<Record<string, Falsification>> {
  return {
    "lags by 3 blocks": () => lag(height, () => 3),
    "lags by many blocks": (random) => lag(height, () => random.int(8, 40)),
    "mixed backends": (random) => lag(height, () => (random.chance(0.5) ? 0 : random.int(1, 6))),
    "no logs where there are some": () => answerTo("eth_getLogs", []),
    "no logs now and then": (random) => (exchange) =>
      random.chance(0.5) ? answerTo("eth_getLogs", [])(exchange) : passOn(exchange),
    "null blocks": () => answerTo("eth_getBlock", null),
    "null receipts": () => answerTo("eth_getTransactionReceipt", null),
    "wrong chain id": () => answerTo("eth_chainId", UNKNOWN_CHAIN_ID),
    "a cache that forgets no fork": () => remember(),
  };
}

/** Returns a fault that responds with `result` to all methods whose names start with `method`. */
function answerTo(method: string, result: unknown): Fault {
  return async (exchange) => (exchange.call.method.startsWith(method) ? exchange.answer(result) : passOn(exchange));
}

/** Returns the fault of a node that lags behind: heights, headers, logs and receipts all end before the newest blocks. */
function lag(height: () => number, blocks: () => number): Fault {
  return async (exchange) => {
    const head = Math.max(0, height() - blocks());
    const { method, params } = exchange.call;
    if (method === "eth_getLogs") return laggingLogs(exchange, head);
    if (method === "eth_getBlockByNumber" && params[0] === "latest") params[0] = quantity(head);
    const passed = await exchange.pass();
    if (!passed) return;
    exchange.answer(heightOf(passed.result) > head ? null : passed.result);
  };
}

/** Responds like geth: a range of unknown block numbers has no logs, and an unknown block hash is an error. */
async function laggingLogs(exchange: Exchange, head: number): Promise<void> {
  const passed = await exchange.pass();
  if (!passed) return;
  const logs = passed.result as { blockNumber: string }[];
  const known = logs.filter((log) => Number(log.blockNumber) <= head);
  const isByHash = "blockHash" in (exchange.call.params[0] as object);
  if (!isByHash || known.length === logs.length) return exchange.answer(known);
  exchange.refuse(-32000, "unknown block");
}

/** Returns the fault of a node that repeats its first response to each request about blocks, even after a reorg. */
function remember(): Fault {
  const known = new Map<string, unknown>();
  return async (exchange) => {
    const { method, params } = exchange.call;
    const key = JSON.stringify([method, params]);
    if (known.has(key)) return exchange.answer(known.get(key));
    const passed = await exchange.pass();
    if (!passed) return;
    if (params[0] !== "latest" && passed.result !== null) known.set(key, passed.result);
    exchange.answer(passed.result);
  };
}

function heightOf(result: unknown): number {
  const { number, blockNumber } = (result ?? {}) as { number?: string; blockNumber?: string };
  return Number(number ?? blockNumber ?? 0);
}

export function quantity(value: number): string {
  return `0x${value.toString(16)}`;
}
