import type { AccountCursor } from "@/db/queries/networks/accounts";
import { inTurns } from "@/lib/chains/endpoints/endpoints";
import {
  type AccountSource,
  type AddressSet,
  type ChainError,
  type HistorySpan,
  isUnreadable,
} from "@/lib/chains/endpoints/source";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import type { AccountMemory, UnreadableKnown } from "@/lib/watch/accounts/account-step";

const CONCURRENCY = 4;

interface Task {
  source: Pick<AccountSource, "history" | "transfers">;
  owners: AddressSet;
  /** The accounts to read, with the slot after which the read of each starts. */
  accounts: readonly AccountCursor[];
  /** The transactions that need not be read again while they are in the same slot. */
  known: ReadonlyMap<string, number>;
  /** The known transactions that no endpoint can return, with the accounts for which they are already recorded. */
  unreadable: ReadonlyMap<string, UnreadableKnown>;
  span: Omit<HistorySpan, "after">;
  /** The number of transactions after which the read stops at the end of a slot. */
  maxTransactions: number;
  /** Returns true if it is proven that no endpoint can return a transaction; otherwise it must be requested again. */
  isProven: (signature: string, error: ChainError) => boolean;
}

/** A transaction that is in an account's history and that no endpoint can return. */
export interface UnreadableEntry {
  txId: string;
  account: string;
  slot: number;
  /** A human-readable reason, from the endpoints' errors. */
  reason: string;
}

export interface AccountsRead {
  transfers: ChainTransfer[];
  unreadable: UnreadableEntry[];
  /** The slots of transactions that were read or are proven to be unreadable, by signature. */
  read: Map<string, number>;
  /** The new positions of accounts; null for an account that was read to the end of its history. */
  reached: { account: string; slot: number | null }[];
  /** True if every account was read to its end. */
  isWhole: boolean;
  /** True if a transaction may be readable soon: its account was read up to the slot before it. */
  isInDoubt: boolean;
}

type Entry = { signature: string; slot: number };
type Outcome = ChainTransfer[] | { reason: string } | "inDoubt";

/**
 * Reads the transactions of accounts since their cursors, oldest first. If there are many, it stops at the end of a
 * slot, so that the found transfers can be written before more is read. A transaction that no endpoint can return does
 * not prevent others from being read.
 */
export async function readAccounts(task: Task): Promise<AccountsRead> {
  const lists = { transfers: [], unreadable: [], read: new Map(), reached: [] };
  const result: AccountsRead = { ...lists, isWhole: false, isInDoubt: false };
  for (let index = 0; index < task.accounts.length; index += CONCURRENCY) {
    const some = task.accounts.slice(index, index + CONCURRENCY);
    const histories = await Promise.all(
      some.map(({ account, slot }) => task.source.history(account, { ...task.span, after: slot })),
    );
    for (const [cursor, { account }] of some.entries()) {
      if (!(await readAccount(task, account, histories[cursor] ?? [], result))) return result;
    }
  }
  return { ...result, isWhole: !result.isInDoubt };
}

/** Reads the new transactions of one account into the result. Returns false if the account has more of them than one read may include. */
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
  const events = history.filter(
    ({ signature, slot }) => task.known.get(signature) !== slot && result.read.get(signature) !== slot,
  );
  const end = cut(events, task.maxTransactions - result.read.size);
  const part = end === null ? events : events.filter(({ slot }) => slot <= end);
  const outcomes = await inTurns(part, CONCURRENCY, (entry) => readEntry(task, entry));
  const doubted: number[] = [];
  for (const [cursor, { signature, slot }] of part.entries()) {
    const outcome = outcomes[cursor] ?? "inDoubt";
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

/**
 * Returns the reason why an account's transaction is unreadable, if a read for a different account found it. Returns null otherwise, or if
 * the reason is already recorded for this account.
 */
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

/** Returns the last slot of `entries` within the limit; null when all entries fit. The first slot always fits. */
function cut(entries: readonly { slot: number }[], namespace: number): number | null {
  if (entries.length <= namespace) return null;
  const first = entries[0]?.slot ?? 0;
  const tooMuch = entries[Math.max(0, namespace)]?.slot ?? first;
  const end = Math.max(first, tooMuch - 1);
  return entries.every(({ slot }) => slot <= end) ? null : end;
}

export interface FoundAccount {
  owner: string;
  account: string;
}

/** Searches for unknown token accounts of receivers. Wallets pay into the associated account, but may use a different one. */
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

/** Adds accounts to the watched ones; must be called after their cursors are stored. */
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

/** Returns the receiving address that a watched account belongs to; empty for an account that is not watched. */
export function ownerOf({ accounts }: Pick<AccountMemory, "accounts">, account: string): string {
  for (const [owner, known] of accounts) if (known.includes(account)) return owner;
  return "";
}
