import type { AccountCursor } from "@/db/queries/networks/accounts";
import { inTurns } from "@/lib/chains/endpoints/endpoints";
import { type AccountSource, type ChainError, type HistorySpan, isUnreadable } from "@/lib/chains/endpoints/source";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import type { AccountMemory, UnreadableKnown } from "@/lib/watch/accounts/account-step";

const AT_ONCE = 4;

interface Task {
  source: Pick<AccountSource, "history" | "transfers">;
  owners: ReadonlySet<string>;
  /** What is read, with the slot after which each begins. */
  accounts: readonly AccountCursor[];
  /** Transactions that need not be read again where they are still in the same slot. */
  known: ReadonlyMap<string, number>;
  /** Those of them that nobody can show, with the accounts that were told so already. */
  unreadable: ReadonlyMap<string, UnreadableKnown>;
  span: Omit<HistorySpan, "after">;
  /** It stops at the end of a slot after so many transactions. */
  mostTransactions: number;
  /** Whether it is proven that nobody can show a transaction; where it is not, it must be asked for again. */
  isProven: (signature: string, error: ChainError) => boolean;
}

/** A transaction that is in an account's history and that nobody can show. */
export interface UnreadableEntry {
  txId: string;
  account: string;
  slot: number;
  /** What the endpoints say, in words. */
  reason: string;
}

export interface AccountsRead {
  transfers: ChainTransfer[];
  unreadable: UnreadableEntry[];
  /** Signature → slot of what was read, or is proven not to be readable. */
  read: Map<string, number>;
  /** How far each account is read now; those that were read whole are as far as the chain. */
  reached: { account: string; slot: number | null }[];
  /** Whether every account was read to its end. */
  isWhole: boolean;
  /** Whether a transaction may be readable in a moment: its account was read up to the slot before it. */
  isInDoubt: boolean;
}

type Entry = { signature: string; slot: number };
type Outcome = ChainTransfer[] | { reason: string } | "inDoubt";

/**
 * Reads what happened to accounts since their cursors, oldest first. Where that is much it stops at the end of a slot, so
 * that what was found can be written before more is read. A transaction that nobody can show keeps no other from being read.
 */
export async function readAccounts(task: Task): Promise<AccountsRead> {
  const lists = { transfers: [], unreadable: [], read: new Map(), reached: [] };
  const result: AccountsRead = { ...lists, isWhole: false, isInDoubt: false };
  for (let index = 0; index < task.accounts.length; index += AT_ONCE) {
    const some = task.accounts.slice(index, index + AT_ONCE);
    const histories = await Promise.all(
      some.map(({ account, slot }) => task.source.history(account, { ...task.span, after: slot })),
    );
    for (const [place, { account }] of some.entries()) {
      if (!(await readAccount(task, account, histories[place] ?? [], result))) return result;
    }
  }
  return { ...result, isWhole: !result.isInDoubt };
}

/** Reads one account's news into the result. False where there was more than may be read at once. */
async function readAccount(
  task: Task,
  account: string,
  history: readonly Entry[],
  result: AccountsRead,
): Promise<boolean> {
  for (const { signature, slot } of history) {
    const reason = reasonFor(task, account, signature, slot, result);
    if (reason !== null) result.unreadable.push({ txId: signature, account, slot, reason });
  }
  const news = history.filter(
    ({ signature, slot }) => task.known.get(signature) !== slot && result.read.get(signature) !== slot,
  );
  const end = cut(news, task.mostTransactions - result.read.size);
  const part = end === null ? news : news.filter(({ slot }) => slot <= end);
  const outcomes = await inTurns(part, AT_ONCE, (entry) => readEntry(task, entry));
  const doubted: number[] = [];
  for (const [place, { signature, slot }] of part.entries()) {
    const outcome = outcomes[place] ?? "inDoubt";
    if (outcome === "inDoubt") doubted.push(slot);
    else if ("reason" in outcome) result.unreadable.push({ txId: signature, account, slot, reason: outcome.reason });
    else result.transfers.push(...outcome);
    if (outcome !== "inDoubt") result.read.set(signature, slot);
  }
  if (doubted.length > 0) result.isInDoubt = true;
  const last = doubted.length > 0 ? Math.min(...doubted) - 1 : end;
  result.reached.push({ account, slot: last });
  return end === null;
}

/** Why an account's transaction cannot be shown, where another account brought that to light; null where none did, or it is told. */
function reasonFor(
  { unreadable }: Task,
  account: string,
  signature: string,
  slot: number,
  result: AccountsRead,
): string | null {
  const now = result.unreadable.find(({ txId }) => txId === signature);
  if (now?.slot === slot) return now.reason;
  const before = unreadable.get(signature);
  return before?.slot === slot && !before.accounts.has(account) ? before.reason : null;
}

async function readEntry({ source, owners, isProven }: Task, { signature }: Entry): Promise<Outcome> {
  try {
    return await source.transfers(signature, owners);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return isProven(signature, error) ? { reason: error.message } : "inDoubt";
  }
}

/** The last slot of `entries` that fits into what may be read; null when all do. The first slot always fits. */
function cut(entries: readonly { slot: number }[], room: number): number | null {
  if (entries.length <= room) return null;
  const first = entries[0]?.slot ?? 0;
  const tooMuch = entries[Math.max(0, room)]?.slot ?? first;
  const end = Math.max(first, tooMuch - 1);
  return entries.every(({ slot }) => slot <= end) ? null : end;
}

export interface FoundAccount {
  owner: string;
  account: string;
}

/**
 * Looks for token accounts of receivers that are not known yet: wallets pay into the associated account, but nothing
 * forces them to.
 */
export async function findAccounts(
  source: Pick<AccountSource, "accountsOf">,
  memory: Pick<AccountMemory, "accounts">,
): Promise<FoundAccount[]> {
  const found: FoundAccount[] = [];
  for (const [owner, known] of memory.accounts) {
    const others = (await source.accountsOf(owner)).filter((account) => !known.includes(account));
    found.push(...others.map((account) => ({ owner, account })));
  }
  return found;
}

/** Watches accounts from now on; call it once their cursors are stored. */
export function watchAccounts(memory: Pick<AccountMemory, "accounts">, found: readonly FoundAccount[]): void {
  for (const { owner, account } of found) {
    memory.accounts.set(owner, [...new Set([...(memory.accounts.get(owner) ?? []), account])]);
  }
}

/** Returns the token accounts of receiving addresses: associated ones, each derived once, and others that were found. */
export function tokenAccounts(
  source: Pick<AccountSource, "associatedAccounts">,
  memory: Pick<AccountMemory, "accounts">,
  owners: Iterable<string>,
): string[] {
  return [...owners].flatMap((owner) => {
    const known = memory.accounts.get(owner);
    if (known) return known;
    const accounts = source.associatedAccounts(owner);
    memory.accounts.set(owner, accounts);
    return accounts;
  });
}

/** The receiving address that a watched account belongs to; empty for one that nobody watches. */
export function ownerOf({ accounts }: Pick<AccountMemory, "accounts">, account: string): string {
  for (const [owner, known] of accounts) if (known.includes(account)) return owner;
  return "";
}
