import { askBalance } from "@/lib/chains/endpoints/balances";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { ChainError } from "@/lib/chains/endpoints/source";
import { CallResult, quantity } from "@/lib/chains/evm/logs";
import type { Network } from "@/lib/domain/networks";
import type { BalanceAnswer, Holder } from "@/lib/domain/transfers/balance";

/** Selector of balanceOf(address) */
const BALANCE_OF = "0x70a08231";
/** Nodes say so where they have the block or its state no longer, or not yet. */
const SERVER_ERROR = -32000;

/**
 * What an address holds of a token after a block. TRON's nodes show the newest state alone: there the height is that of the node's head
 * right before, and what came in between is counted too early by a block.
 */
export async function readEvmBalance(
  { family }: Pick<Network, "family">,
  endpoints: Endpoints,
  { owner, token }: Holder,
  height: number,
): Promise<BalanceAnswer> {
  const heads = new Map<string, number>();
  const isNewest = family === "tron";
  const data = BALANCE_OF + owner.slice(2).padStart(64, "0");
  return askBalance(endpoints, {
    method: "eth_call",
    params: [{ to: token, data }, isNewest ? "latest" : quantity(height)],
    before: async (call, { name }) => {
      if (isNewest) heads.set(name, Number(CallResult.parse(await call({ method: "eth_blockNumber", params: [] }))));
    },
    parse: (result, { name }) => {
      const text = CallResult.parse(result);
      if (text === "0x") return null;
      if (text.length !== 66) throw new ChainError("inconsistent", "balanceOf(): the answer is no number");
      return { baseUnits: BigInt(text), height: heads.get(name) ?? height };
    },
    parseError: (code) => (code === SERVER_ERROR ? null : undefined),
  });
}
