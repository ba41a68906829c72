import type { Lie } from "@/chaos/chain";
import { type Exchange, type Fault, passOn } from "@/chaos/fault-proxy";

const NOT_AVAILABLE = { code: -32004, message: "Block not available for slot" };
const LONG_AGO = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY";

/** What Solana endpoints say that is not so. */
export const SOLANA_LIES: Readonly<Record<string, Lie>> = {
  "no signatures where there are some": () => answerTo("getSignaturesForAddress", []),
  "no signatures now and then": (random) => (exchange) =>
    random.chance(0.5) ? answerTo("getSignaturesForAddress", [])(exchange) : passOn(exchange),
  "null transactions": () => answerTo("getTransaction", null),
  "null blocks": () => answerTo("getBlock", null),
  "blocks not available yet": () => refuse("getBlock"),
  "lags by many slots": () => lag(25),
  "mixed backends": (random) => (exchange) => (random.chance(0.5) ? passOn(exchange) : lag(6)(exchange)),
  "wrong chain": () => answerTo("getGenesisHash", LONG_AGO),
};

function answerTo(method: string, result: unknown): Fault {
  return async (exchange) => (exchange.call.method === method ? exchange.answer(result) : passOn(exchange));
}

function refuse(method: string): Fault {
  return async (exchange) => {
    if (exchange.call.method !== method) return passOn(exchange);
    exchange.response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: NOT_AVAILABLE }));
  };
}

/** Slots, histories and transactions end before the newest. */
function lag(slots: number): Fault {
  return async (exchange) => {
    const passed = await exchange.pass();
    if (!passed) return;
    const head = await headOf(exchange);
    const { method } = exchange.call;
    if (method === "getSlot") return exchange.answer(Number(passed.result) - slots);
    if (Array.isArray(passed.result))
      return exchange.answer(passed.result.filter((one) => slotOf(one) <= head - slots));
    exchange.answer(slotOf(passed.result) > head - slots ? null : passed.result);
  };
}

async function headOf(exchange: Exchange): Promise<number> {
  const passed = await exchange.pass({ method: "getSlot", params: [{ commitment: "processed" }] });
  return Number(passed?.result ?? 0);
}

function slotOf(result: unknown): number {
  if (typeof result === "number") return result;
  return Number((result as { slot?: number } | null)?.slot ?? 0);
}
