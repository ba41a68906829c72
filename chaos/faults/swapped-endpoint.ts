import type { ChaosChain, ChaosPayment } from "@/chaos/chains/chain";
import type { Fault, RpcRequest } from "@/chaos/faults/fault-proxy";
import type { Random } from "@/chaos/plan/random";

/** The name of the fault: one URL suddenly serves a different chain, with other blocks and a different identity. */
export const ANOTHER_CHAIN = "another chain";

const FINAL_BLOCKS = 40;
/** The maximum number of blocks that are mined on the other chain to put it ahead of this chain. */
const MAX_AHEAD = 400;

/** The chain id and the genesis hash of testnets; the local chains have those of mainnet. */
const CHAIN_ID = "0xcd8690dc";
const GENESIS = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY";

/**
 * Returns a fault that makes an endpoint serve a different chain, behind or far ahead of the real one, on which all `payments` are sent
 * and final.
 * @param payments the payments that are expected on the real chain
 */
export async function swapEndpoint(
  other: ChaosChain,
  payments: readonly ChaosPayment[],
  random: Random,
): Promise<Fault> {
  if (random.chance(0.5)) await other.mine(random.int(1, MAX_AHEAD));
  for (const payment of payments) await other.send([payment]);
  await other.mine(FINAL_BLOCKS);
  const [url = ""] = other.urls;
  return async (exchange) => {
    const passed = await exchange.pass(exchange.call, { url, rewrite: other.rewrite });
    if (passed) exchange.answer(withIdentity(exchange.call, passed.result));
  };
}

function withIdentity({ method, params }: RpcRequest, result: unknown): unknown {
  if (method === "eth_chainId") return CHAIN_ID;
  if (method === "getGenesisHash") return GENESIS;
  const isFirstOfTron = method === "/wallet/getblock" && (params[0] as { id_or_num?: string }).id_or_num === "0";
  if (!isFirstOfTron) return result;
  const { blockID, ...rest } = result as { blockID: string };
  return { ...rest, blockID: blockID.slice(0, -8) + CHAIN_ID.slice(2) };
}
