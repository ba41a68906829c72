import type { Db } from "@/db/client";
import { findCursor, updateHead } from "@/db/queries/networks/cursors";
import { type AccountSource, type ChainError, isUnreadable } from "@/lib/chains/endpoints/source";
import { atBlockTime, type Network } from "@/lib/domain/networks";
import { watchedTokens } from "@/lib/domain/transfers/transfer";
import {
  type AccountScanner,
  type AccountStep,
  type At,
  BLOCK_DOUBT_MS,
  isFarBehind,
  isProven,
} from "@/lib/watch/accounts/account-step";
import { tokenAccounts } from "@/lib/watch/accounts/read-accounts";
import { scanAccounts } from "@/lib/watch/accounts/scan-accounts";
import { beginSlots, scanSlots } from "@/lib/watch/accounts/scan-slots";
import type { ScanStep } from "@/lib/watch/scan/scan-state";
import { readAddresses } from "@/lib/watch/scan/scan-state";

const MAX_ACCOUNTS = 50;
/** The time for which histories are read instead of an unreadable block, and the maximum of this time after repeated failures. */
const INSTEAD_MS = 300_000;
const LONGEST_INSTEAD_MS = 3_600_000;

/**
 * Runs one step of reading Solana. It reads by accounts if they are few, the ledger is far behind, or whole blocks are unreadable, and
 * otherwise by slots. It is safe to repeat and to run concurrently: only the holder of the lease writes, and only if the cursor has not
 * moved since it was read.
 * @throws ChainError if the endpoints returned no trustworthy response; the cursor is then unchanged
 */
export async function scanAccountNetwork(
  db: Db,
  source: AccountSource,
  network: Network,
  scanner: AccountScanner,
  now: Date,
): Promise<ScanStep> {
  const cursor = await findCursor(db, network.id);
  const { isIdle = false, finalMayBeMs = 0 } = scanner;
  const head = await source.head({ isIdle, finalMayBeMs });
  const addresses = await readAddresses(db, network, scanner.memory, now);
  for (const owner of scanner.memory.accounts.keys()) if (!addresses.has(owner)) scanner.memory.accounts.delete(owner);
  const at: At =
    cursor?.height == null || cursor.hash === null
      ? { height: null, hash: null }
      : { height: cursor.height, hash: cursor.hash };
  const live = atBlockTime(network, head.blockMs);
  const done = await advance({ db, source, network: live, scanner, at, head, addresses, now });
  if (done.kind !== "lostLease" && !done.isHeadStored)
    await updateHead(db, network.id, scanner.owner, { head, isCaughtUp: done.isCaughtUp }, now);
  return done;
}

/** Advances the ledger. A lower head means a lagging node, or a fork that will soon be higher, so no blocks are read from it. */
async function advance(step: AccountStep): Promise<ScanStep> {
  const { at, head } = step;
  if (at.height === null || isFarBehind(step)) return scanAccounts(step);
  const isNew = head.height > at.height || (head.height === at.height && head.hash !== at.hash);
  if (!isNew) return { kind: "idle", head, isCaughtUp: head.height === at.height, found: 0 };
  const { memory } = step.scanner;
  if (areFew(step) || (memory.instead !== null && memory.instead.until > step.now)) return scanAccounts(step);
  try {
    return (await beginSlots(step, at)) ?? (await scanSlots(step, at));
  } catch (error) {
    if (!isUnreadable(error) || !isProven(memory, `after ${at.height}`, error, step.now, BLOCK_DOUBT_MS)) throw error;
    readInstead(step, error);
    return scanAccounts(step);
  }
}

/**
 * Switches to histories for a while. An unreadable transaction makes its whole block unreadable, but does not affect the other
 * transactions in the histories of accounts.
 */
function readInstead({ network, scanner: { memory, log }, at, now }: AccountStep, error: ChainError): void {
  const { instead } = memory;
  const isAgain = instead !== null && now.getTime() - instead.until.getTime() < instead.waitMs;
  const waitMs = isAgain ? Math.min(LONGEST_INSTEAD_MS, instead.waitMs * 2) : INSTEAD_MS;
  memory.instead = { until: new Date(now.getTime() + waitMs), waitMs };
  const facts = { network: network.id, after: at.height, forSeconds: waitMs / 1_000, reason: error.message };
  log.warn(facts, "a block cannot be read completely: the histories of accounts are read instead");
}

/**
 * Returns true if the accounts are few enough to read their histories. Anyone can open more accounts for an owner, so found accounts count
 * too.
 */
function areFew({ source, network, scanner, addresses }: AccountStep): boolean {
  const max = scanner.maxAccounts ?? MAX_ACCOUNTS;
  if (addresses.size * watchedTokens(network).size > max) return false;
  return tokenAccounts(source, scanner.memory, addresses.keys()).length <= max;
}
