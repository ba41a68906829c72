import { listAccountCursors } from "@/db/queries/networks/accounts";
import { findLowestBlock, findOldestUnreadQuoteTime } from "@/db/queries/networks/cursors";
import type { ChainError } from "@/lib/chains/endpoints/source";
import { blocksIn } from "@/lib/domain/networks";
import { type AccountStep, finalSlot, isFarBehind, isProven } from "@/lib/watch/accounts/account-step";
import {
  type AccountsRead,
  findAccounts,
  ownerOf,
  readAccounts,
  tokenAccounts,
  watchAccounts,
} from "@/lib/watch/accounts/read-accounts";
import type { ScanStep } from "@/lib/watch/scan/scan-state";
import { commitScan, commitVerified } from "@/lib/watch/scan/scan-state";
import { blocksBack } from "@/lib/watch/scan/verify-pass";

const MARGIN_MS = 600_000;
/** Slots were never so much shorter than the row says. */
const SLOTS_FASTER_AT_MOST = 4;
const TRANSACTIONS_PER_STEP = 400;
/** A node writes the history of a block a little later than the block, which may be final by then. */
const LATE_HISTORY_MS = 6_000;

/**
 * Reads Solana by the histories of the token accounts of all receiving addresses, up to the head. What it costs depends on
 * the accounts and what happened to them, not on how many slots passed or how many orders wait. Cursors of accounts stop at
 * the newest final slot, and some seconds before the head: everything later is listed again at every step, so a transaction
 * that a fork moved, or whose history came late, is found again. One that nobody can show is kept for a person, and stops
 * nothing; as long as that is not proven the network's cursor waits.
 */
export async function scanAccounts(step: AccountStep): Promise<ScanStep> {
  const { db, source, network, scanner, at, head, addresses } = step;
  const { memory, log } = scanner;
  const cursors = await listAccountCursors(db, network.id);
  if (isFarBehind(step)) await searchAccounts(step);
  const start = at.height === null ? await findStartSlot(step) : await finalSlotRead(step, at.height);
  const accounts = tokenAccounts(source, memory, addresses.keys()).map((account) => ({
    account,
    slot: cursors.get(account) ?? start,
  }));
  const unknown = accounts.filter(({ account }) => !cursors.has(account));
  if (at.height === null && unknown.length > 0) {
    const aside = { from: at, transfers: [], accounts: unknown };
    if ((await commitVerified(db, network.id, scanner, aside, addresses, step.now)) === null) return lostLease(step);
    log.info({ network: network.id, after: start, head: head.height }, "this network is read from here on");
  }
  const owners = new Set(addresses.keys());
  const span = { head: head.height, blockMs: network.blockMs };
  const task = {
    source,
    owners,
    accounts,
    known: memory.known,
    unreadable: memory.unreadable,
    span,
    mostTransactions: TRANSACTIONS_PER_STEP,
  };
  const proof = { isProven: (txId: string, error: ChainError) => isProven(memory, txId, error, step.now) };
  return write(step, await readAccounts({ ...task, ...proof }));
}

/** Once before much is caught up: what happened meanwhile may have happened to accounts that nobody knows. */
async function searchAccounts({ source, scanner: { memory }, at, addresses }: AccountStep): Promise<void> {
  const place = at.height ?? -1;
  if (memory.searchedAt === place) return;
  tokenAccounts(source, memory, addresses.keys());
  watchAccounts(memory, await findAccounts(source, memory));
  memory.searchedAt = place;
}

/** The slot up to which what was read is final: what is above it may have been read on a fork. */
async function finalSlotRead({ db, network, head }: AccountStep, height: number): Promise<number> {
  const anchor = await findLowestBlock(db, network.id);
  return Math.min(height, finalSlot(head), anchor?.height ?? height);
}

/** The slot after which a network that was never read is read: final, and well before the oldest live quote. */
async function findStartSlot({ db, network, head, now }: AccountStep): Promise<number> {
  const oldest = await findOldestUnreadQuoteTime(db, network.id);
  const agoMs = oldest ? now.getTime() - oldest.getTime() + MARGIN_MS : 0;
  return Math.max(0, finalSlot(head) - Math.ceil((agoMs * SLOTS_FASTER_AT_MOST) / network.blockMs));
}

async function write(step: AccountStep, result: AccountsRead): Promise<ScanStep> {
  const { db, network, scanner, at: from, head, addresses, now } = step;
  const { transfers, reached, isWhole } = result;
  const settled = settledSlot(step);
  const accounts = reached.map(({ account, slot }) => ({ account, slot: Math.min(slot ?? settled, settled) }));
  const unreadable = result.unreadable.map((entry) => ({ ...entry, owner: ownerOf(scanner.memory, entry.account) }));
  const aside = { from, transfers, accounts, unreadable, readable: [...new Set(transfers.map(({ txId }) => txId))] };
  const whole = { ...aside, to: head, blocks: [head], keepFrom: finalSlot(head), blockMs: network.blockMs };
  const found = isWhole
    ? await commitScan(db, network.id, scanner, whole, addresses, now)
    : await commitVerified(db, network.id, scanner, aside, addresses, now);
  if (found === null) return lostLease(step);
  remember(step, result);
  for (const { txId, account, slot, reason } of result.unreadable) {
    const facts = { network: network.id, txId, account, slot, reason };
    scanner.log.error(
      facts,
      "a transaction of a watched account cannot be read: it is kept for a person and tried again",
    );
  }
  return { kind: result.isInDoubt ? "idle" : "advanced", head, isCaughtUp: isWhole, found };
}

/** The slot up to which histories are not read again. */
function settledSlot({ network, head }: AccountStep): number {
  return Math.max(0, Math.min(finalSlot(head), head.height - blocksIn(LATE_HISTORY_MS, network)));
}

/** A worker that starts does not know what the one before it read a second time. */
function remember(step: AccountStep, { read, unreadable }: AccountsRead): void {
  const {
    scanner: { memory },
    network,
    head,
  } = step;
  for (const [signature, slot] of read) memory.known.set(signature, slot);
  for (const { txId, account, slot, reason } of unreadable) {
    const before = memory.unreadable.get(txId);
    const accounts = new Set(before?.slot === slot ? before.accounts : []).add(account);
    memory.unreadable.set(txId, { slot, reason, accounts });
  }
  const settled = settledSlot(step);
  for (const [signature, slot] of memory.known) if (slot <= settled) memory.known.delete(signature);
  for (const [signature, { slot }] of memory.unreadable) if (slot <= settled) memory.unreadable.delete(signature);
  Object.assign(memory, { isBySlots: false, slotVerifiedTo: null });
  memory.verifiedTo ??= Math.max(0, finalSlot(head) - blocksBack(network));
}

function lostLease({ head }: AccountStep): ScanStep {
  return { kind: "lostLease", head, isCaughtUp: false, found: 0 };
}
