import type { Falsification } from "@/chaos/chains/chain";
import { evmFalsifications } from "@/chaos/faults/evm-falsifications";
import { tronHttpFalsifications } from "@/chaos/faults/tron-http-falsifications";

/** Returns the false responses of TRON endpoints, in the format of the API that a request uses. */
export function tronFalsifications(height: () => number): Readonly<Record<string, Falsification>> {
  const rpc = evmFalsifications(height);
  const http = tronHttpFalsifications(height);
  const names = [...new Set([...Object.keys(rpc), ...Object.keys(http)])];
  return Object.fromEntries(names.map((name) => [name, either(rpc[name], http[name])]));
}

/** Combines the falsifications of both APIs. A fault that only one API has does not affect the other. */
function either(rpc: Falsification | undefined, http: Falsification | undefined): Falsification {
  return (random) => {
    const inRpc = rpc?.(random);
    const inHttp = http?.(random);
    return async (exchange) => {
      const falsify = exchange.call.method.startsWith("/") ? inHttp : inRpc;
      if (falsify) return falsify(exchange);
      const passed = await exchange.pass();
      if (passed) exchange.answer(passed.result);
    };
  };
}
