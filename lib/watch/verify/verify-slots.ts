import type { Db } from "@/db/client";
import { findLowestBlock } from "@/db/queries/networks/cursors";
import { type AccountSource, ChainError, isUnreadable } from "@/lib/chains/endpoints/source";
import { blocksIn, type Network } from "@/lib/domain/networks";
import type { Head } from "@/lib/domain/networks/finality";
import { type AccountScanner, finalSlot, type SlotPoint } from "@/lib/watch/accounts/account-step";
import { readSlots, slotsBack } from "@/lib/watch/accounts/scan-slots";
import { commitVerified, takeAddresses } from "@/lib/watch/scan/scan-state";
import { AGAIN_MS, LONGEST_WAIT_MS } from "@/lib/watch/scan/verify-pass";

const SLOT_CONCURRENCY = 8;

/**
 * Reads blocks of final slots a second time, in the order of the chain, a few at each call, because a node may return a block before it
 * has all of its transactions, or omit some. Each block is read from a different endpoint than the first time, if there is one. After a
 * quarter of an hour of waiting for it, any endpoint may respond. The cost is one `getBlock` for each slot, regardless of the number of
 * addresses. Histories would cost one call for each account, and do not cover unknown accounts. A block that no endpoint can return any
 * more was read once, and is skipped.
 * @returns the number of transfers that had been missed
 * @throws ChainError if no endpoint returned the next blocks; they are requested again some seconds later
 */
export async function verifySlots(
  db: Db,
  source: AccountSource,
  network: Network,
  scanner: AccountScanner,
  head: Head,
  now: Date,
): Promise<number> {
  const { memory, log } = scanner;
  const final = finalSlot(head);
  const known = memory.slotVerifiedTo;
  if (known === null || final - known.height < SLOT_CONCURRENCY || memory.verifyAfter > now) return 0;
  memory.verifyAfter = new Date(now.getTime() + AGAIN_MS);
  const at = await notTooFarBack(db, network, known, final);
  const byAnyone = final - at.height >= blocksIn(LONGEST_WAIT_MS, network);
  const owners = takeAddresses(memory.addresses);
  const read = (slot: number, mustExist: boolean) =>
    source.slotAgain(slot, owners, { mustExist, byAnyone }).catch(async (error) => {
      if (!isUnreadable(error)) throw error;
      const block = await source.block(slot);
      return block && { block, transfers: [] };
    });
  const chain = await readSlots({ read, at, to: final, slotsPerStep: SLOT_CONCURRENCY });
  const last = chain?.at(-1)?.block;
  if (!chain || !last)
    throw new ChainError("inconsistent", `No endpoint has the final block that follows ${at.height}`);
  const transfers = chain.flatMap((content) => content.transfers);
  const missed = await commitVerified(db, network, scanner, { transfers }, memory.addresses, now);
  if (missed === null) return 0;
  if (memory.slotVerifiedTo === known) Object.assign(memory, { slotVerifiedTo: last, verifyAfter: now });
  const facts = { network: network.id, from: at.height + 1, to: last.height, missed };
  if (missed > 0) log.warn(facts, "transfers were missed on the first read");
  return missed;
}

async function notTooFarBack(db: Db, network: Network, at: SlotPoint, final: number): Promise<SlotPoint> {
  const oldest = final - slotsBack(network);
  return at.height >= oldest ? at : ((await findLowestBlock(db, network.id, oldest)) ?? at);
}
