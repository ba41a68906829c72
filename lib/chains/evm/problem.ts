import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { ChainError } from "@/lib/chains/endpoints/source";
import { type CheckedNetwork, tokenProblem } from "@/lib/chains/endpoints/token-check";
import { CallResult } from "@/lib/chains/evm/logs";
import { canonicalAddress } from "@/lib/domain/addresses/address";

/** Selector of decimals() */
const DECIMALS = "0x313ce567";

/** Compares the chain with the networks table: its chain id, and the decimals of every token. */
export async function evmProblem(network: CheckedNetwork, endpoints: Endpoints): Promise<string | null> {
  return tokenProblem(network, endpoints, ({ contract }, check) =>
    endpoints.askOrNull({
      method: "eth_call",
      params: [{ to: canonicalAddress(network.family, contract), data: DECIMALS }, "latest"],
      parse: (result) => {
        const text = CallResult.parse(result);
        if (text === "0x") return null;
        if (text.length !== 66) throw new ChainError("inconsistent", "decimals(): the answer is no number");
        return check(Number(BigInt(text)));
      },
    }),
  );
}
