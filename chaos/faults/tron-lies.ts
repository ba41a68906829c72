import type { Lie } from "@/chaos/chains/chain";
import { evmLies } from "@/chaos/faults/evm-lies";
import { tronHttpLies } from "@/chaos/faults/tron-http-lies";

/** Returns the false responses of TRON's endpoints, in the API of each request. */
export function tronLies(height: () => number): Readonly<Record<string, Lie>> {
  const rpc = evmLies(height);
  const http = tronHttpLies(height);
  const names = [...new Set([...Object.keys(rpc), ...Object.keys(http)])];
  return Object.fromEntries(names.map((name) => [name, either(rpc[name], http[name])]));
}

/** A fault that only one of the APIs has does not affect the other. */
function either(rpc: Lie | undefined, http: Lie | undefined): Lie {
  return (random) => {
    const inRpc = rpc?.(random);
    const inHttp = http?.(random);
    return async (exchange) => {
      const lie = exchange.call.method.startsWith("/") ? inHttp : inRpc;
      if (lie) return lie(exchange);
      const passed = await exchange.pass();
      if (passed) exchange.answer(passed.result);
    };
  };
}
