import * as z from "zod";
import { askHolders, readEach } from "@/lib/chains/endpoints/balances";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { Slot } from "@/lib/chains/solana/wire";
import type { Balance, BalanceAnswer, Holder } from "@/lib/domain/transfers/balance";

/** The position of the amount in a token account: eight bytes, little-endian (SPL Token, state.rs). */
const AMOUNT = { offset: 64, length: 8 };
const Accounts = z.object({
  context: z.object({ slot: Slot }),
  value: z.array(z.object({ account: z.object({ data: z.tuple([z.string(), z.literal("base64")]) }) })),
});
const CANNOT_SHOW: ReadonlySet<number> = new Set([-32004, -32016]);

/** Reads the total balance of each owner's accounts for a mint, confirmed in this slot or in a later slot that the node chooses. */
export async function readSolanaBalances(
  endpoints: Endpoints,
  holders: readonly Holder[],
  slot: number,
): Promise<BalanceAnswer[]> {
  const config = { commitment: "confirmed", encoding: "base64", dataSlice: AMOUNT, minContextSlot: slot };
  return askHolders(endpoints, holders, (asked) =>
    readEach(asked, holders, ({ owner, token: mint }) =>
      asked.ask<Balance | null>({
        method: "getTokenAccountsByOwner",
        params: [owner, { mint }, config],
        parse: (result) => {
          const { context, value } = Accounts.parse(result);
          const amounts = value.map(({ account }) => Buffer.from(account.data[0], "base64").readBigUInt64LE());
          return { baseUnits: amounts.reduce((sum, units) => sum + units, 0n), height: context.slot };
        },
        parseError: (code) => (CANNOT_SHOW.has(code) ? null : undefined),
      }),
    ),
  );
}
