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
import { commitScan, commitVerified, takeAddresses } from "@/lib/watch/scan/scan-state";
import { blocksBack } from "@/lib/watch/scan/verify-pass";

const MARGIN_MS = 600_000;
/** The largest observed ratio of the block time in the network's row to the actual slot time. */
const MAX_SPEED_UP = 4;
const TRANSACTIONS_PER_STEP = 400;
/**
 * The delay of histories: a node may write the history of a block after the block itself, which may be final by then.
 */
const LATE_HISTORY_MS = 6_000;

/**
 * Reads Solana by the histories of the token accounts of all receiving addresses, up to the head. The cost depends on the accounts and
 * their transactions, not on the number of slots or of open orders. Cursors of accounts stop at the newest final slot, and some seconds
 * before the head. Everything later is listed again at every step, so a transaction that a fork moved, or whose history came late, is
 * found again. A transaction that no endpoint can return is stored for manual review and does not delay others. Until this is proven, the
 * network's cursor does not advance.
 */
export async function scanAccounts(step: AccountStep): Promise<ScanStep> {
  const { db, source, network, scanner, at, head, addresses } = step;
  const { memory, log } = scanner;
  const [cursors, start] = await Promise.all([
    listAccountCursors(db, network.id),
    at.height === null ? findStartSlot(step) : finalSlotRead(step, at.height),
  ]);
  if (isFarBehind(step)) await searchAccounts(step);
  const accounts = tokenAccounts(source, memory, addresses.keys()).map((account) => ({
    account,
    slot: cursors.get(account) ?? start,
  }));
  const unknown = accounts.filter(({ account }) => !cursors.has(account));
  if (at.height === null && unknown.length > 0) {
    const aside = { from: at, transfers: [], accounts: unknown };
    if ((await commitVerified(db, network, scanner, aside, addresses, step.now)) === null) return lostLease(step);
    log.info({ network: network.id, after: start, head: head.height }, "this network is read from the next slot on");
  }
  const owners = takeAddresses(addresses);
  const span = { head: head.height, blockMs: network.blockMs };
  const task = {
    source,
    owners,
    accounts,
    known: memory.known,
    unreadable: memory.unreadable,
    span,
    maxTransactions: TRANSACTIONS_PER_STEP,
  };
  const proof = { isProven: (txId: string, error: ChainError) => isProven(memory, txId, error, step.now) };
  return write(step, await readAccounts({ ...task, ...proof }));
}

/** Searches for accounts once before a long catch-up, because payments to unknown accounts may have arrived in the meantime. */
async function searchAccounts({ source, scanner: { memory }, at, addresses }: AccountStep): Promise<void> {
  const cursor = at.height ?? -1;
  if (memory.searchedAt === cursor) return;
  tokenAccounts(source, memory, addresses.keys());
  watchAccounts(memory, await findAccounts(source, memory));
  memory.searchedAt = cursor;
}

/** Returns the slot up to which the ledger is final; anything above may have been read on a fork. */
async function finalSlotRead({ db, network, head }: AccountStep, height: number): Promise<number> {
  const anchor = await findLowestBlock(db, network.id);
  return Math.min(height, finalSlot(head), anchor?.height ?? height);
}

/** Returns the slot after which a new network is read: final, and well before the oldest live quote. */
async function findStartSlot({ db, network, head, now }: AccountStep): Promise<number> {
  const oldest = await findOldestUnreadQuoteTime(db, network.id);
  const agoMs = oldest ? now.getTime() - oldest.getTime() + MARGIN_MS : 0;
  return Math.max(0, finalSlot(head) - Math.ceil((agoMs * MAX_SPEED_UP) / network.blockMs));
}

async function write(step: AccountStep, result: AccountsRead): Promise<ScanStep> {
  const { db, network, scanner, at: from, head, addresses, now } = step;
  const { transfers, reached, isWhole } = result;
  const settled = settledSlot(step);
  const accounts = reached.map(({ account, slot }) => ({ account, slot: Math.min(slot ?? settled, settled) }));
  const unreadable = result.unreadable.map((entry) => ({ ...entry, owner: ownerOf(scanner.memory, entry.account) }));
  const aside = { from, transfers, accounts, unreadable, readable: [...new Set(transfers.map(({ txId }) => txId))] };
  const seen = { head, isCaughtUp: true };
  const whole = { ...aside, to: head, blocks: [head], keepFrom: finalSlot(head), blockMs: network.blockMs, seen };
  const found = isWhole
    ? await commitScan(db, network, scanner, whole, addresses, now)
    : await commitVerified(db, network, scanner, aside, addresses, now);
  if (found === null) return lostLease(step);
  remember(step, result);
  for (const { txId, account, slot, reason } of result.unreadable) {
    const facts = { network: network.id, txId, account, slot, reason };
    scanner.log.error(facts, "a transaction of a watched account cannot be read: it is kept for review and retried");
  }
  const kind = result.isInDoubt ? "idle" : "advanced";
  return { kind, head, isCaughtUp: isWhole, found, ...(isWhole && { isHeadStored: true as const }) };
}

/** Returns the slot up to which histories are not read again. */
function settledSlot({ network, head }: AccountStep): number {
  return Math.max(0, Math.min(finalSlot(head), head.height - blocksIn(LATE_HISTORY_MS, network)));
}

/** Updates the state. A new worker does not have the verification progress of the previous one, so it starts further back. */
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
