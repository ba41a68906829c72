import { z } from "zod";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { type CheckedNetwork, tokenProblem } from "@/lib/chains/endpoints/token-check";

const Supply = z.object({ value: z.object({ decimals: z.number().int().min(0).max(255) }) });
/** Agave: "Invalid param: could not find account", "… not a Token mint". */
const INVALID_PARAM = -32602;

/** Compares the chain with the networks table: its genesis hash, and the decimals of every mint. */
export async function solanaProblem(network: CheckedNetwork, endpoints: Endpoints): Promise<string | null> {
  return tokenProblem(network, endpoints, ({ contract }, check) =>
    endpoints.askOrNull<number>({
      method: "getTokenSupply",
      params: [contract, { commitment: "finalized" }],
      parse: (result) => check(Supply.parse(result).value.decimals),
      parseError: (code) => (code === INVALID_PARAM ? null : undefined),
    }),
  );
}
