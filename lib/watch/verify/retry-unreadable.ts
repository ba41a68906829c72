import type { Db } from "@/db/client";
import { hastenUnreadable, listUnreadableDue, noteUnreadableTried } from "@/db/queries/networks/accounts";
import { type AccountSource, ChainError, isUnreadable } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import type { AccountScanner } from "@/lib/watch/accounts/account-step";
import { commitVerified, readAddresses } from "@/lib/watch/scan/scan-state";

/** After an outage of hours hundreds wait, and each is somebody's payment. */
const AT_ONCE = 32;

type Source = Pick<AccountSource, "transfers" | "isAbsent">;

/**
 * Tries transactions again that nobody could show, those whose time has come, while the endpoints answer: what can be read now is in the
 * ledger like any other transfer, and what a fork took for good is forgotten. Once one can be read, nodes were probably upgraded: all others
 * are tried as well, for those that have waited for long would wait for minutes more. Safe to repeat.
 * @returns how many transfers came into the ledger
 */
export async function retryUnreadable(
  db: Db,
  source: Source,
  network: Network,
  scanner: AccountScanner,
  now: Date,
): Promise<number> {
  const { memory, log } = scanner;
  const due = await listUnreadableDue(db, network.id, now, AT_ONCE);
  if (due.length === 0) return 0;
  const addresses = await readAddresses(db, network.id, memory, now);
  let recovered = 0;
  let isReadable = false;
  for (const { txId, slot } of due) {
    const outcome = await tryAgain(source, txId, slot, new Set(addresses.keys()));
    if ("reason" in outcome) {
      await noteUnreadableTried(db, network.id, txId, outcome.reason, now);
      // Where the endpoints say nothing new of one, they are not asked for the rest of them now.
      if (outcome.reason === null) break;
      continue;
    }
    const { transfers } = outcome;
    const found = await commitVerified(db, network.id, scanner, { transfers, readable: [txId] }, addresses, now);
    if (found === null) return recovered;
    recovered += found;
    isReadable ||= !outcome.isGone;
    const words = outcome.isGone ? "is gone from the chain" : "could be read after all";
    log.info({ network: network.id, txId, found }, `a transaction that could not be read ${words}`);
  }
  if (isReadable) await hastenUnreadable(db, network.id);
  return recovered;
}

type Outcome = { transfers: ChainTransfer[]; isGone: boolean } | { reason: string | null };

/** Null for a reason: the endpoints said nothing new. */
async function tryAgain(source: Source, txId: string, slot: number, owners: ReadonlySet<string>): Promise<Outcome> {
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
