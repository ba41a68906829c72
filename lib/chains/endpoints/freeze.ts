import type { Ask } from "@/lib/chains/endpoints/endpoint-call";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { ChainError } from "@/lib/chains/endpoints/source";
import { agreedFreezeState, type FreezeState } from "@/lib/domain/refunds/freeze";

/** A result of one endpoint. */
export type FreezeAnswer = Exclude<FreezeState, "unchecked">;

/**
 * Queries every endpoint that is not cooling down, and returns the result on which they agree. An endpoint counts only if it confirms that
 * it serves the network.
 * @param read returns the result of one endpoint, queried by the given function
 */
export async function askFreezeState(
  endpoints: Endpoints,
  read: (ask: (request: Ask<FreezeAnswer>) => Promise<FreezeAnswer>) => Promise<FreezeAnswer>,
): Promise<FreezeState> {
  const answers = await Promise.all(
    endpoints.inOrder().map(async ({ name }) => {
      const ask = (request: Ask<FreezeAnswer>) =>
        endpoints.ask({ ...request, only: name, mustVerifyChainId: () => true });
      try {
        return await read(ask);
      } catch (error) {
        if (!(error instanceof ChainError)) throw error;
        return null;
      }
    }),
  );
  return agreedFreezeState(
    answers.filter((answer) => answer !== null),
    endpoints.all.length,
  );
}
