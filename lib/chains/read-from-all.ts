import type { Endpoints } from "@/lib/chains/endpoints";
import { ChainError, type JointReading } from "@/lib/chains/source";
import type { ChainTransfer } from "@/lib/domain/transfer";

/**
 * Reads the same from every endpoint, one after another. One that fails is left out where another one answers, but it
 * may have known more: also one that refuses or takes less at once, for that is often only believed of it for a while.
 * @param read asks the endpoint of that name alone
 * @throws ChainError when none answers
 */
export async function readFromAll(
  endpoints: Pick<Endpoints, "all">,
  read: (endpoint: string) => Promise<ChainTransfer[]>,
): Promise<JointReading> {
  const found = new Map<string, ChainTransfer>();
  const failures: ChainError[] = [];
  for (const { name } of endpoints.all) {
    try {
      for (const transfer of await read(name)) found.set(`${transfer.txId} ${transfer.position}`, transfer);
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      failures.push(error);
    }
  }
  const [first] = failures;
  const tooMuch = failures.find(({ kind }) => kind === "rangeTooLarge");
  if (first && failures.length === endpoints.all.length) throw tooMuch ?? first;
  return { transfers: [...found.values()], isWhole: failures.length === 0 };
}
