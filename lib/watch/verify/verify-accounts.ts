import type { Db } from "@/db/client";
import { findCursor } from "@/db/queries/networks/cursors";
import { type AccountSource, ChainError, isUnreadable } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";
import type { Head } from "@/lib/domain/networks/finality";
import { type AccountScanner, finalSlot, isProven } from "@/lib/watch/accounts/account-step";
import { findAccounts, ownerOf, readAccounts, tokenAccounts, watchAccounts } from "@/lib/watch/accounts/read-accounts";
import { commitVerified, takeAddresses } from "@/lib/watch/scan/scan-state";
import { blocksBack, type Range, verifyEach } from "@/lib/watch/scan/verify-pass";

/** An endpoint, and the range of final slots to read from it. */
interface Task {
  source: AccountSource;
  /** All endpoints, to read transactions that `source` has and cannot return. */
  all: Pick<AccountSource, "transfers">;
  network: Network;
  scanner: AccountScanner;
  range: Range;
  now: Date;
}

/**
 * Reads the histories of accounts a second time once they are final, from every endpoint by `verifyEach`: a node writes
 * the history of a block a little later than the block itself. Searches for new accounts too.
 * @returns the number of transfers that had been missed
 */
export async function verifyAccounts(
  db: Db,
  source: AccountSource,
  network: Network,
  scanner: AccountScanner,
  head: Head,
  now: Date,
): Promise<number> {
  const { memory } = scanner;
  const final = finalSlot(head);
  const cursor = await findCursor(db, network.id);
  if (cursor?.height == null || cursor.height < final) return 0;
  const read = async (endpoint: string, range: Range) => {
    const task = { source: source.single(endpoint), all: source, network, scanner, range, now };
    try {
      return await verifyOne(db, endpoint, task);
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      return { to: range.from - 1, missed: 0 };
    }
  };
  return verifyEach({ memory, network, endpoints: source.endpoints, final, now, isIdle: scanner.isIdle, read });
}

async function verifyOne(db: Db, endpoint: string, task: Task): Promise<{ to: number; missed: number } | null> {
  const { source, network, scanner, range, now } = task;
  const { memory, log } = scanner;
  const { addresses } = memory;
  const after = range.from - 1;
  const accounts = tokenAccounts(source, memory, addresses.keys()).map((account) => ({ account, slot: after }));
  const span = { head: range.to, commitment: "finalized" as const, blockMs: network.blockMs };
  const everything = { known: new Map(), unreadable: new Map(), maxTransactions: Number.POSITIVE_INFINITY };
  const { transfers, read, ...result } = await readAccounts({
    source: { history: source.history, transfers: shownByAnyone(task) },
    owners: takeAddresses(addresses),
    accounts,
    span,
    isProven: (txId, error) => isProven(memory, txId, error, now),
    ...everything,
  });
  const found = await findAccounts(source, memory);
  const slot = Math.max(0, after - blocksBack(network));
  const cursors = found.map(({ account }) => ({ account, slot }));
  const unreadable = result.unreadable.map((entry) => ({ ...entry, owner: ownerOf(memory, entry.account) }));
  const unread = new Set(unreadable.map(({ txId }) => txId));
  const readable = [...read.keys()].filter((txId) => !unread.has(txId));
  const aside = { transfers, accounts: cursors, unreadable, readable };
  const missed = await commitVerified(db, network, scanner, aside, addresses, now);
  if (missed === null) return null;
  watchAccounts(memory, found);
  const facts = { network: network.id, endpoint, ...range, missed };
  if (missed > 0) log.warn(facts, "transfers were missed on the first read");
  return { to: result.isInDoubt ? after : range.to, missed };
}

/**
 * Returns a function that reads a transaction from the endpoint, or from any other endpoint if this one cannot return it. Another endpoint
 * may have returned it at the first read.
 */
function shownByAnyone({ source, all }: Task): AccountSource["transfers"] {
  return (signature, owners) =>
    source.transfers(signature, owners).catch((error) => {
      if (isUnreadable(error)) return all.transfers(signature, owners);
      throw error;
    });
}
