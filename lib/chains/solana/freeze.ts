import * as z from "zod";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { askFreezeState, type FreezeAnswer } from "@/lib/chains/endpoints/freeze";
import { associatedAccount } from "@/lib/domain/checkout/solana-payment";
import type { FreezeState } from "@/lib/domain/refunds/freeze";
import type { Holder } from "@/lib/domain/transfers/balance";

/** The position of the state in a token account: one byte; 2 means frozen (SPL Token, state.rs). */
const STATE = { offset: 108, length: 1 };
const FROZEN = 2;
const Account = z.object({
  value: z.nullable(z.object({ data: z.tuple([z.string(), z.literal("base64")]) })),
});

/**
 * Returns the state of the token account that receives transfers of a mint to an owner. An account that does not exist yet is not frozen.
 * @param holder the owner and the mint, in base58
 */
export async function readSolanaFreezeState(endpoints: Endpoints, { owner, token }: Holder): Promise<FreezeState> {
  const account = associatedAccount(owner, token);
  return askFreezeState(endpoints, (ask) =>
    ask({
      method: "getAccountInfo",
      params: [account, { commitment: "confirmed", encoding: "base64", dataSlice: STATE }],
      parse: (result): FreezeAnswer => {
        const { value } = Account.parse(result);
        return value && Buffer.from(value.data[0], "base64")[0] === FROZEN ? "listed" : "notListed";
      },
    }),
  );
}
