import type { Db } from "@/db/client";
import { hastenUnreadable, listUnreadableDue, noteUnreadableTried } from "@/db/queries/networks/accounts";
import { type AccountSource, type AddressSet, ChainError, isUnreadable } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import type { AccountScanner } from "@/lib/watch/accounts/account-step";
import { commitVerified, readAddresses, takeAddresses } from "@/lib/watch/scan/scan-state";

/** The number of transactions per attempt. After an outage of hours, hundreds of transactions are pending, and each may be a payment. */
const CONCURRENCY = 32;

type Source = Pick<AccountSource, "transfers" | "isAbsent">;

/**
 * Retries unreadable transactions that are due, while the endpoints respond. A readable transaction is written to the ledger like any
 * other. A transaction that a fork removed permanently is resolved. After the first success, all other transactions are tried as well,
 * because nodes were probably upgraded. Otherwise, transactions that have been unreadable for long would be retried only minutes later. It
 * is safe to repeat.
 * @returns the number of transfers that were added to the ledger
 */
export async function retryUnreadable(
  db: Db,
  source: Source,
  network: Network,
  scanner: AccountScanner,
  now: Date,
): Promise<number> {
  const { memory, log } = scanner;
  const due = await listUnreadableDue(db, network.id, now, CONCURRENCY);
  if (due.length === 0) return 0;
  const addresses = await readAddresses(db, network, memory, now);
  let recovered = 0;
  let isReadable = false;
  for (const { txId, slot } of due) {
    const outcome = await tryAgain(source, txId, slot, takeAddresses(addresses));
    if ("reason" in outcome) {
      await noteUnreadableTried(db, network.id, txId, outcome.reason, now);
      // If the endpoints return nothing new for one transaction, the others are not requested now.
      if (outcome.reason === null) break;
      continue;
    }
    const { transfers } = outcome;
    const found = await commitVerified(db, network, scanner, { transfers, readable: [txId] }, addresses, now);
    if (found === null) return recovered;
    recovered += found;
    isReadable ||= !outcome.isGone;
    const text = outcome.isGone ? "is no longer on the chain" : "was read after a retry";
    log.info({ network: network.id, txId, found }, `an unreadable transaction ${text}`);
  }
  if (isReadable) await hastenUnreadable(db, network.id);
  return recovered;
}

type Outcome = { transfers: ChainTransfer[]; isGone: boolean } | { reason: string | null };

/** Reads a transaction again. A null reason means that the endpoints returned nothing new. */
async function tryAgain(source: Source, txId: string, slot: number, owners: AddressSet): Promise<Outcome> {
  try {
    return { transfers: await source.transfers(txId, owners), isGone: false };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    if (isUnreadable(error)) return { reason: error.message };
    const isGone = error.kind === "inconsistent" && (await source.isAbsent(slot, txId).catch(falseIfChainError));
    return isGone ? { transfers: [], isGone } : { reason: null };
  }
}

function falseIfChainError(error: unknown): false {
  if (error instanceof ChainError) return false;
  throw error;
}
