import type { Db } from "@/db/client";
import { findCursor } from "@/db/queries/cursors";
import type { SolanaSource } from "@/lib/chains/solana";
import { ChainError } from "@/lib/chains/source";
import type { Head } from "@/lib/domain/block";
import type { Network } from "@/lib/domain/networks";
import { commitAside } from "@/lib/transfers/commit-scan";
import { findAccounts, watchAccounts } from "@/lib/transfers/find-accounts";
import { readAccounts } from "@/lib/transfers/read-accounts";
import type { Range } from "@/lib/transfers/read-pieces";
import { blocksBack, rereadEach } from "@/lib/transfers/reread-each";
import { finalSlot, type SolanaScanner } from "@/lib/transfers/solana-scan";
import { tokenAccounts } from "@/lib/transfers/token-accounts";

/** One endpoint, and what of the final slots it is asked for. */
interface Task {
  source: SolanaSource;
  network: Network;
  scanner: SolanaScanner;
  range: Range;
  now: Date;
}

/**
 * Reads the histories of accounts a second time once they are final, from every endpoint as `rereadEach` says: a node
 * writes the history of a block a little later than the block itself. Looks for new accounts too.
 * @returns how many transfers had been missed
 */
export async function rereadAccounts(
  db: Db,
  source: SolanaSource,
  network: Network,
  scanner: SolanaScanner,
  head: Head,
  now: Date,
): Promise<number> {
  const { memory } = scanner;
  const final = finalSlot(head);
  const cursor = await findCursor(db, network.id);
  if (cursor?.height == null || cursor.height < final) return 0;
  const read = async (endpoint: string, range: Range) => {
    const task = { source: source.alone(endpoint), network, scanner, range, now };
    try {
      const missed = await rereadOne(db, endpoint, task);
      return missed === null ? null : { to: range.to, missed };
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      return { to: range.from - 1, missed: 0 };
    }
  };
  return rereadEach({ memory, network, endpoints: source.endpoints, final, now, read });
}

async function rereadOne(db: Db, endpoint: string, task: Task): Promise<number | null> {
  const { source, network, scanner, range, now } = task;
  const { memory, owner, log } = scanner;
  const { addresses } = memory;
  const after = range.from - 1;
  const accounts = tokenAccounts(network, memory, addresses.keys()).map((account) => ({ account, slot: after }));
  const span = { head: range.to, commitment: "finalized" as const, blockMs: network.blockMs };
  const everything = { known: new Map(), mostTransactions: Number.POSITIVE_INFINITY };
  const { transfers } = await readAccounts({
    source,
    owners: new Set(addresses.keys()),
    accounts,
    span,
    ...everything,
  });
  const found = await findAccounts(source, memory);
  const slot = Math.max(0, after - blocksBack(network));
  const cursors = found.map(({ account }) => ({ account, slot }));
  const missed = await commitAside(db, network.id, owner, { transfers, accounts: cursors }, addresses, now);
  if (missed === null) return null;
  watchAccounts(memory, found);
  const facts = { network: network.id, endpoint, ...range, missed };
  if (missed > 0) log.warn(facts, "transfers were missed at the first reading");
  return missed;
}
