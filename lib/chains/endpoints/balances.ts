import type { Ask } from "@/lib/chains/endpoints/endpoint-call";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { ChainError } from "@/lib/chains/endpoints/source";
import { agreedBalance, type Balance, type BalanceAnswer } from "@/lib/domain/transfers/balance";

/** Asks every endpoint that does not rest, at once. @param request null: this endpoint cannot show it */
export async function askBalance(endpoints: Endpoints, request: Ask<Balance | null>): Promise<BalanceAnswer> {
  const said = await Promise.all(
    endpoints.inOrder().map(async ({ name: endpoint }) => {
      try {
        return { endpoint, balance: await endpoints.ask({ ...request, only: endpoint }) };
      } catch (error) {
        if (!(error instanceof ChainError)) throw error;
        const isSilent = error.kind === "unavailable" || error.kind === "rateLimited";
        return isSilent ? null : { endpoint, balance: null };
      }
    }),
  );
  return agreedBalance(said.filter((one) => one !== null));
}
