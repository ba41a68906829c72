import { listBlocksDown } from "@/db/queries/networks/blocks";
import { ChainError } from "@/lib/chains/endpoints/source";
import type { SlotBlock } from "@/lib/chains/solana/blocks";
import { finalSlot, type SlotPoint, type SolanaStep } from "@/lib/watch/accounts/solana-scan";
import { blockUpTo } from "@/lib/watch/blocks/begin-slots";
import { readSlots } from "@/lib/watch/blocks/read-slots";
import { findLost, takeBackTo } from "@/lib/watch/blocks/rewind-network";
import type { ScanStep } from "@/lib/watch/blocks/scan-network";
import { commitScan } from "@/lib/watch/commit-scan";
import { findVerifyStart } from "@/lib/watch/verify/verify-slots";

/**
 * Reads Solana by whole blocks, one slot after the other: the cost does not depend on how many addresses are watched, and
 * every token account of theirs is seen. A block that does not follow the one before it is a fork, which is taken back.
 */
export async function scanSlots(step: SolanaStep, at: SlotPoint): Promise<ScanStep> {
  const { db, source, network, scanner, head, addresses, now } = step;
  if (head.height === at.height) return takeBack(step, at);
  const owners = new Set(addresses.keys());
  const read = (slot: number, mustExist: boolean) => source.slot(slot, owners, mustExist);
  const chain = await readSlots({ read, at, to: head.height });
  if (!chain) return takeBack(step, at);
  const last = chain.at(-1)?.block;
  if (!last) throw new ChainError("inconsistent", `The head is ${head.height}, but no block follows slot ${at.height}`);
  const blocks = chain.map(({ block }) => block);
  const transfers = chain.flatMap((content) => content.transfers);
  scanner.memory.slotVerifiedTo ??= await findVerifyStart(db, network, at, finalSlot(head));
  const keepFrom = Math.min(finalSlot(head), scanner.memory.slotVerifiedTo.height);
  const span = { from: at, to: last, blocks, transfers, keepFrom, blockMs: network.blockMs };
  const found = await commitScan(db, network.id, scanner.owner, span, addresses, now);
  if (found === null) return { kind: "lostLease", head, isCaughtUp: false, found: 0 };
  return { kind: "advanced", head, isCaughtUp: last.height >= head.height, found };
}

async function takeBack(step: SolanaStep, at: SlotPoint): Promise<ScanStep> {
  const { db, source, network, scanner, head, now } = step;
  const ancestor = await findAncestor(step);
  const lost = await findLost(db, network.id, ancestor.height, async (transfer) => {
    return (await source.checkFinality(transfer)).kind !== "gone";
  });
  const rewind = { owner: scanner.owner, cursor: at, log: scanner.log };
  const taken = await takeBackTo(db, network, rewind, ancestor, lost, now);
  const { memory } = scanner;
  if (memory.slotVerifiedTo && memory.slotVerifiedTo.height > ancestor.height) memory.slotVerifiedTo = ancestor;
  return { kind: taken ? "rewound" : "lostLease", head, isCaughtUp: false, found: 0 };
}

/** The highest block that was read and that the chain still has. */
async function findAncestor({ db, source, network, scanner, head }: SolanaStep): Promise<SlotBlock> {
  let lowest = finalSlot(head) + 1;
  for (const known of await listBlocksDown(db, network.id)) {
    const block = await source.block(known.height);
    if (block?.hash === known.hash) return block;
    lowest = Math.min(lowest, known.height);
  }
  scanner.log.error(
    { network: network.id, height: lowest },
    "the chain forked deeper than the hashes that are kept: final blocks changed, or the endpoints serve another chain",
  );
  return blockUpTo(source, Math.max(0, lowest - 1));
}
