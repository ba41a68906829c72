import type { Db } from "@/db/client";
import { findCursor, updateHead } from "@/db/queries/cursors";
import type { SolanaSource } from "@/lib/chains/solana";
import { atBlockTime, type Network } from "@/lib/domain/networks";
import { watchedTokens } from "@/lib/domain/token";
import { beginSlots } from "@/lib/transfers/begin-slots";
import { scanAccounts } from "@/lib/transfers/scan-accounts";
import { readAddresses } from "@/lib/transfers/scan-memory";
import type { ScanStep } from "@/lib/transfers/scan-network";
import { scanSlots } from "@/lib/transfers/scan-slots";
import { type At, isFarBehind, type SolanaScanner, type SolanaStep } from "@/lib/transfers/solana-scan";
import { tokenAccounts } from "@/lib/transfers/token-accounts";

const MOST_ACCOUNTS = 50;

/**
 * One step of reading Solana: by accounts where they are few or the ledger is far behind, else by slots. Safe to repeat
 * and to race: only the holder of the lease writes, and only from where the cursor was read.
 * @throws ChainError when the endpoints gave no answer to trust; the cursor has not moved then.
 */
export async function scanSolana(
  db: Db,
  source: SolanaSource,
  network: Network,
  scanner: SolanaScanner,
  now: Date,
): Promise<ScanStep> {
  const cursor = await findCursor(db, network.id);
  const head = await source.head();
  const addresses = await readAddresses(db, network.id, scanner.memory, now);
  const at: At =
    cursor?.height == null || cursor.hash === null
      ? { height: null, hash: null }
      : { height: cursor.height, hash: cursor.hash };
  const live = atBlockTime(network, head.blockMs);
  const done = await advance({ db, source, network: live, scanner, at, head, addresses, now });
  if (done.kind !== "lostLease") await updateHead(db, network.id, scanner.owner, head, done.isCaughtUp, now);
  return done;
}

/** A lower head is a node that lags, or a fork that will soon be higher: nothing is read from it. */
async function advance(step: SolanaStep): Promise<ScanStep> {
  const { at, head } = step;
  if (at.height === null || isFarBehind(step)) return scanAccounts(step);
  const isNew = head.height > at.height || (head.height === at.height && head.hash !== at.hash);
  if (!isNew) return { kind: "idle", head, isCaughtUp: head.height === at.height, found: 0 };
  if (areFew(step)) return scanAccounts(step);
  return (await beginSlots(step, at)) ?? scanSlots(step, at);
}

/** Anybody can open more accounts for an owner, so those that were found count too. */
function areFew({ network, scanner, addresses }: SolanaStep): boolean {
  const most = scanner.mostAccounts ?? MOST_ACCOUNTS;
  if (addresses.size * watchedTokens(network).size > most) return false;
  return tokenAccounts(network, scanner.memory, addresses.keys()).length <= most;
}
