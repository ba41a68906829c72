import type { Db } from "@/db/client";
import { findCursor } from "@/db/queries/cursors";
import type { SolanaSource } from "@/lib/chains/solana";
import type { Head } from "@/lib/domain/block";
import type { Network } from "@/lib/domain/networks";
import { commitAside } from "@/lib/transfers/commit-scan";
import { findAccounts, watchAccounts } from "@/lib/transfers/find-accounts";
import { readAccounts } from "@/lib/transfers/read-accounts";
import { finalSlot, type SolanaScanner } from "@/lib/transfers/solana-scan";
import { tokenAccounts } from "@/lib/transfers/token-accounts";

const EVERY_MS = 60_000;
const AGAIN_MS = 10_000;
const LONGEST_WAIT_MS = 900_000;
/** About half an hour: as far back as an account that was just found is read. */
const SLOTS_BACK = 4_500;

/**
 * Reads the histories of accounts a second time once they are final, about a minute's worth at a time: a node writes the
 * history of a block a little later than the block itself. Looks for new accounts too. Not where whole blocks are read, for those have no holes.
 * Every endpoint is asked: what one keeps back another tells. While one does not answer they are read again later.
 * @param sources one for each endpoint
 * @returns how many transfers had been missed
 */
export async function rereadAccounts(
  db: Db,
  sources: readonly SolanaSource[],
  network: Network,
  scanner: SolanaScanner,
  head: Head,
  now: Date,
): Promise<number> {
  const { memory, owner, log } = scanner;
  const { rereadTo, addresses } = memory;
  const to = finalSlot(head);
  const cursor = await findCursor(db, network.id);
  if (rereadTo === null || cursor?.height == null || cursor.height < to) return 0;
  if (to - rereadTo < EVERY_MS / network.blockMs || memory.rereadAfter > now) return 0;
  memory.rereadAfter = new Date(now.getTime() + AGAIN_MS);
  const accounts = tokenAccounts(network, memory, addresses.keys()).map((account) => ({ account, slot: rereadTo }));
  const span = { head: to, commitment: "finalized" as const };
  const owners = new Set(addresses.keys());
  const read = async (source: SolanaSource) => {
    const task = { source, owners, accounts, known: new Map(), span, mostTransactions: Number.POSITIVE_INFINITY };
    return { ...(await readAccounts(task)), accounts: await findAccounts(source, memory) };
  };
  const { readings, isWhole } = await readEach(sources, read);
  const transfers = readings.flatMap((reading) => reading.transfers);
  const from = { height: cursor.height, hash: cursor.hash };
  const found = readings.flatMap((reading) => reading.accounts);
  const slot = Math.max(0, rereadTo - SLOTS_BACK);
  const missed = await commitAside(
    db,
    network.id,
    owner,
    { from, transfers, accounts: found.map(({ account }) => ({ account, slot })) },
    addresses,
    now,
  );
  if (missed === null) return 0;
  watchAccounts(memory, found);
  if (isWhole || to - rereadTo >= LONGEST_WAIT_MS / network.blockMs) [memory.rereadTo, memory.rereadAfter] = [to, now];
  if (missed > 0)
    log.warn({ network: network.id, from: rereadTo, to, missed }, "transfers were missed at the first reading");
  return missed;
}

/** @throws the first error when no source answers */
async function readEach<T>(sources: readonly SolanaSource[], read: (source: SolanaSource) => Promise<T>) {
  const answers = await Promise.allSettled(sources.map(read));
  const readings = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
  const [first] = answers;
  if (readings.length === 0 && first?.status === "rejected") throw first.reason;
  return { readings, isWhole: readings.length === sources.length };
}
