import type { AccountCursor } from "@/db/queries/account-cursors";
import type { SolanaSource } from "@/lib/chains/solana";
import type { HistorySpan } from "@/lib/chains/solana-history";
import type { ChainTransfer } from "@/lib/domain/transfer";

const AT_ONCE = 4;

interface Task {
  source: SolanaSource;
  owners: ReadonlySet<string>;
  /** What is read, with the slot after which each begins. */
  accounts: readonly AccountCursor[];
  /** Transactions that need not be read again where they are still in the same slot. */
  known: ReadonlyMap<string, number>;
  span: Omit<HistorySpan, "after">;
  /** It stops at the end of a slot after so many transactions. */
  mostTransactions: number;
}

export interface AccountsRead {
  transfers: ChainTransfer[];
  /** Signature → slot of what was read. */
  read: Map<string, number>;
  /** How far each account is read now; those that were read whole are as far as the chain. */
  reached: { account: string; slot: number | null }[];
  /** Whether every account was read to its end. */
  isWhole: boolean;
}

/**
 * Reads what happened to accounts since their cursors, oldest first. Where that is much it stops at the end of a slot, so
 * that what was found can be written before more is read.
 */
export async function readAccounts(task: Task): Promise<AccountsRead> {
  const result: AccountsRead = { transfers: [], read: new Map(), reached: [], isWhole: false };
  for (let index = 0; index < task.accounts.length; index += AT_ONCE) {
    const some = task.accounts.slice(index, index + AT_ONCE);
    const histories = await Promise.all(
      some.map(({ account, slot }) => task.source.history(account, { ...task.span, after: slot })),
    );
    for (const [place, { account }] of some.entries()) {
      const news = (histories[place] ?? []).filter(
        ({ signature, slot }) => task.known.get(signature) !== slot && result.read.get(signature) !== slot,
      );
      const end = cut(news, task.mostTransactions - result.read.size);
      const part = end === null ? news : news.filter(({ slot }) => slot <= end);
      const found = await inTurns(part, ({ signature }) => task.source.transfers(signature, task.owners));
      result.transfers.push(...found.flat());
      for (const { signature, slot } of part) result.read.set(signature, slot);
      result.reached.push({ account, slot: end });
      if (end !== null) return result;
    }
  }
  return { ...result, isWhole: true };
}

/** The last slot of `entries` that fits into what may be read; null when all do. The first slot always fits. */
function cut(entries: readonly { slot: number }[], room: number): number | null {
  if (entries.length <= room) return null;
  const first = entries[0]?.slot ?? 0;
  const tooMuch = entries[Math.max(0, room)]?.slot ?? first;
  const end = Math.max(first, tooMuch - 1);
  return entries.every(({ slot }) => slot <= end) ? null : end;
}

/** Maps with a few promises in flight. */
async function inTurns<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let index = 0; index < items.length; index += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(index, index + AT_ONCE).map(map))));
  }
  return results;
}
