import { toFunctionSelector } from "viem/utils";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { askFreezeState, type FreezeAnswer } from "@/lib/chains/endpoints/freeze";
import { CallResult } from "@/lib/chains/evm/logs";
import type { Currency } from "@/lib/domain/networks";
import { FREEZE_FUNCTIONS, type FreezeState } from "@/lib/domain/refunds/freeze";
import type { Holder } from "@/lib/domain/transfers/balance";

/**
 * The error codes of a call that reverts, as for a function that the contract does not have: Geth and Anvil (3), Nethermind (−32015), TRON
 * and older nodes (−32000, which has other causes too).
 */
const REVERTED: ReadonlySet<number> = new Set([3, -32015, -32000]);
const WORD = 66;

/**
 * Returns the token contract's own view of an address: the result of the first function of the currency that the contract has.
 * @param holder the address and the token contract, in canonical form
 */
export async function readEvmFreezeState(
  endpoints: Endpoints,
  { owner, token }: Holder,
  currency: Currency,
): Promise<FreezeState> {
  const argument = owner.slice(2).padStart(WORD - 2, "0");
  return askFreezeState(endpoints, async (ask) => {
    for (const name of FREEZE_FUNCTIONS[currency]) {
      const answer = await ask({
        method: "eth_call",
        params: [{ to: token, data: toFunctionSelector(name) + argument }, "latest"],
        parse: (result) => toAnswer(CallResult.parse(result)),
        parseError: (code) => (REVERTED.has(code) ? "unsupported" : undefined),
      });
      if (answer !== "unsupported") return answer;
    }
    return "unsupported";
  });
}

/** Reads a Solidity bool. Any other response is not a freeze list. */
function toAnswer(result: string): FreezeAnswer {
  if (result.length !== WORD) return "unsupported";
  const value = BigInt(result);
  if (value === 0n) return "notListed";
  return value === 1n ? "listed" : "unsupported";
}
