import type { Falsification } from "@/chaos/chains/chain";
import { type Exchange, type Fault, passOn } from "@/chaos/faults/fault-proxy";

const UNKNOWN_GENESIS = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY";

const CERTIFICATE = {
  block: { slot: 1, blockId: Array<number>(32).fill(7) },
  signature: { signature: Array<number>(192).fill(7), bitmap: [1] },
};

/** The false responses of Solana endpoints, by name. */
export const SOLANA_FALSIFICATIONS: Readonly<Record<string, Falsification>> = {
  "no signatures where there are some": () => change("getSignaturesForAddress", () => []),
  "no signatures now and then": (random) =>
    change("getSignaturesForAddress", (result) => (random.chance(0.5) ? [] : result)),
  "every signature twice": () =>
    change("getSignaturesForAddress", (result) => (result as unknown[]).flatMap((entry) => [entry, entry])),
  "histories that always restart": () => restartNode(),
  "null transactions": () => change("getTransaction", () => null),
  "null blocks": () => change("getBlock", () => null),
  "blocks without their transactions": () =>
    change("getBlock", (result) => ({ ...(result as object), transactions: [], signatures: [] })),
  "blocks cleaned up (-32001)": () => refuse("getBlock", -32001, "Block cleaned up, does not exist on node"),
  "blocks not available yet (-32004)": () => refuse("getBlock", -32004, "Block not available for slot"),
  "slots that were not skipped (-32007)": () => refuse("getBlock", -32007, "Slot was skipped, or missing"),
  "slots that were not skipped (-32009)": () => refuse("getBlock", -32009, "Slot was skipped in long-term storage"),
  "slots skipped now and then": (random) => (exchange) =>
    random.chance(0.5) ? passOn(exchange) : refuse("getBlock", -32007, "Slot was skipped, or missing")(exchange),
  "blocks without a status yet (-32014)": () => refuse("getBlock", -32014, "Block status not yet available for slot"),
  "lags by 3 slots": () => lag(() => 3),
  "lags by many slots": () => lag(() => 25),
  "mixed backends": (random) => lag(() => (random.chance(0.5) ? 0 : random.int(1, 6))),
  "a node that knows no version above 0": () => older(0),
  "a node that knows no version above 1": () => older(1),
  "a node that cannot put version 1 into words": () => declare(0),
  "no history has this signature (-32020)": () => refuseEnds(),
  "a node from before Alpenglow (-32601)": () => refuse("getAgGenesisCert", -32601, "Method not found"),
  "a switch to Alpenglow that never was": () => change("getAgGenesisCert", () => CERTIFICATE),
  "wrong chain": () => change("getGenesisHash", () => UNKNOWN_GENESIS),
};

function change(method: string, to: (result: unknown) => unknown): Fault {
  return async (exchange) => {
    const passed = await exchange.pass();
    if (passed) exchange.answer(exchange.call.method === method ? to(passed.result) : passed.result);
  };
}

function refuse(method: string, code: number, message: string): Fault {
  return async (exchange) => (exchange.call.method === method ? exchange.refuse(code, message) : passOn(exchange));
}

/** Returns the transaction version that a caller supports; null if a call does not depend on versions. */
function declared({ call: { method, params } }: Exchange): number | null {
  if (method !== "getBlock" && method !== "getTransaction") return null;
  return Number((params[1] as { maxSupportedTransactionVersion?: number }).maxSupportedTransactionVersion ?? 0);
}

/** Returns the fault of a node that rejects transaction versions that it does not support. */
function older(highest: number): Fault {
  return async (exchange) => {
    if ((declared(exchange) ?? 0) <= highest) return passOn(exchange);
    exchange.refuse(-32602, "Invalid params: invalid value: integer, expected a supported transaction version");
  };
}

/** Returns the fault of a node that treats every caller as if it supported no version above `highest`. */
function declare(highest: number): Fault {
  return async (exchange) => {
    if (declared(exchange) === null) return passOn(exchange);
    const { method, params } = exchange.call;
    const config = { ...(params[1] as object), maxSupportedTransactionVersion: highest };
    const passed = await exchange.pass({ method, params: [params[0], config] });
    if (passed) exchange.answer(passed.result);
  };
}

/** Returns the fault of a node that rejects `before`, because it has lost that part of the history. */
function refuseEnds(): Fault {
  return async (exchange) => {
    const { method, params } = exchange.call;
    const { before } = (params[1] ?? {}) as { before?: string };
    if (method !== "getSignaturesForAddress" || !before) return passOn(exchange);
    exchange.refuse(-32020, `Transaction ${before} not found`);
  };
}

/** Returns the fault of a node that ignores the bounds `before` and `until` of a page. */
function restartNode(): Fault {
  return async (exchange) => {
    const { method, params } = exchange.call;
    if (method !== "getSignaturesForAddress") return passOn(exchange);
    const { before, until, ...config } = params[1] as Record<string, unknown>;
    const passed = await exchange.pass({ method, params: [params[0], config] });
    if (passed) exchange.answer(passed.result);
  };
}

/** Returns the fault of a node that lags behind: slots, blocks, histories and transactions end before the newest. */
function lag(slots: () => number): Fault {
  return async (exchange) => {
    const last = (await headOf(exchange)) - slots();
    const { method, params } = exchange.call;
    const needed = Number((params[1] as { minContextSlot?: number } | undefined)?.minContextSlot ?? 0);
    if (needed > last) return exchange.refuse(-32016, "Minimum context slot has not been reached");
    if (method === "getBlock" && Number(params[0]) > last)
      return exchange.refuse(-32004, "Block not available for slot");
    const passed = await exchange.pass();
    if (!passed) return;
    if (method === "getSlot") return exchange.answer(Math.min(Number(passed.result), last));
    if (Array.isArray(passed.result)) return exchange.answer(passed.result.filter((one) => slotOf(one) <= last));
    exchange.answer(slotOf(passed.result) > last ? null : passed.result);
  };
}

async function headOf(exchange: Exchange): Promise<number> {
  const passed = await exchange.pass({ method: "getSlot", params: [{ commitment: "confirmed" }] });
  return Number(passed?.result ?? 0);
}

function slotOf(result: unknown): number {
  if (typeof result === "number") return result;
  return Number((result as { slot?: number } | null)?.slot ?? 0);
}
