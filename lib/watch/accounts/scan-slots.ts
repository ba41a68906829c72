import type { Db } from "@/db/client";
import { deleteAccountCursors, listAccountCursors } from "@/db/queries/networks/accounts";
import {
  deleteBlocksAbove,
  findLowestBlock,
  insertBlocks,
  listBlocksDown,
  updateCursor,
} from "@/db/queries/networks/cursors";
import { type AccountSource, ChainError, type SlotBlock, type SlotContent } from "@/lib/chains/endpoints/source";
import { blocksIn, type Network } from "@/lib/domain/networks";
import { type AccountStep, finalSlot, type SlotPoint } from "@/lib/watch/accounts/account-step";
import { findLost, takeBackTo } from "@/lib/watch/blocks/rewind-network";
import type { ScanStep } from "@/lib/watch/scan/scan-state";
import { commitScan, takeAddresses } from "@/lib/watch/scan/scan-state";

const MAX_RETRY_MS = 120_000;
const CONCURRENCY = 4;
const SLOTS_PER_STEP = 64;
/** The maximum age of slots that are read a second time. Each slot costs a call, and older slots were final at their first read anyway. */
const FURTHEST_BACK_MS = 1_800_000;

/**
 * Reads Solana by whole blocks, one slot after the other: the cost does not depend on the number of addresses, and all their token
 * accounts are covered. A block that does not follow the previous block indicates a fork, which is rolled back.
 */
export async function scanSlots(step: AccountStep, at: SlotPoint): Promise<ScanStep> {
  const { db, source, network, scanner, head, addresses, now } = step;
  if (head.height === at.height) return takeBack(step, at);
  const owners = takeAddresses(addresses);
  const read = (slot: number, mustExist: boolean) => source.slot(slot, owners, mustExist);
  const chain = await readSlots({ read, at, to: head.height });
  if (!chain) return takeBack(step, at);
  const last = chain.at(-1)?.block;
  if (!last) throw new ChainError("inconsistent", `The head is ${head.height}, but no block follows slot ${at.height}`);
  const blocks = chain.map(({ block }) => block);
  const transfers = chain.flatMap((content) => content.transfers);
  scanner.memory.slotVerifiedTo ??= await findVerifyStart(db, network, at, finalSlot(head));
  const keepFrom = Math.min(finalSlot(head), scanner.memory.slotVerifiedTo.height);
  const isCaughtUp = last.height >= head.height;
  const seen = { head, isCaughtUp };
  const span = { from: at, to: last, blocks, transfers, keepFrom, blockMs: network.blockMs, seen };
  const found = await commitScan(db, network, scanner, span, addresses, now);
  if (found === null) return { kind: "lostLease", head, isCaughtUp: false, found: 0 };
  return { kind: "advanced", head, isCaughtUp, found, isHeadStored: true };
}

async function takeBack(step: AccountStep, at: SlotPoint): Promise<ScanStep> {
  const { db, source, network, scanner, head, now } = step;
  const ancestor = await findAncestor(step);
  const lost = await findLost(db, network.id, ancestor.height, async (transfer) => {
    return (await source.checkFinality(transfer)).kind !== "gone";
  });
  const rewind = { ...scanner, cursor: at };
  const rewound = await takeBackTo(db, network, rewind, ancestor, lost, now);
  const { memory } = scanner;
  if (memory.slotVerifiedTo && memory.slotVerifiedTo.height > ancestor.height) memory.slotVerifiedTo = ancestor;
  return { kind: rewound ? "rewound" : "lostLease", head, isCaughtUp: false, found: 0 };
}

/** Returns the highest block that was read and that the chain still has. */
async function findAncestor({ db, source, network, scanner, head }: AccountStep): Promise<SlotBlock> {
  let lowest = finalSlot(head) + 1;
  for (const known of await listBlocksDown(db, network.id)) {
    const block = await source.block(known.height);
    if (block?.hash === known.hash) return block;
    lowest = Math.min(lowest, known.height);
  }
  scanner.log.error(
    { network: network.id, height: lowest },
    "the chain forked deeper than the stored hashes: final blocks changed, or the endpoints serve another chain",
  );
  return blockUpTo(source, Math.max(0, lowest - 1));
}

/**
 * Prepares reads by whole blocks after reads by histories. A node writes the history of a block a little later than the
 * block, and histories do not reveal forks. The cursor therefore goes back to a final block, so that the last minutes
 * are read once more, as blocks. Transfers stay; those that a fork removed are found when they are confirmed.
 * @returns the step that was done; null if whole blocks were read before, too
 */
export async function beginSlots(step: AccountStep, at: { height: number; hash: string }): Promise<ScanStep | null> {
  const { db, source, network, scanner, head, now } = step;
  const { memory, owner } = scanner;
  if (memory.isBySlots) return null;
  const isModeSwitch = (await listAccountCursors(db, network.id)).size > 0;
  if (isModeSwitch) {
    const final = Math.min(at.height, finalSlot(head));
    const readTwice = Math.min(final, memory.verifiedTo ?? final);
    const block = await blockUpTo(source, Math.max(0, readTwice, final - blocksIn(MAX_RETRY_MS, network)));
    const isMine = await db.transaction(async (tx) => {
      if (!(await updateCursor(tx, network.id, owner, at, block, now))) return false;
      await deleteBlocksAbove(tx, network.id, block.height);
      await insertBlocks(tx, network.id, [block]);
      await deleteAccountCursors(tx, network.id);
      return true;
    });
    memory.slotVerifiedTo = block;
    if (!isMine) return { kind: "lostLease", head, isCaughtUp: false, found: 0 };
  }
  Object.assign(memory, { isBySlots: true, verifiedTo: null });
  memory.known.clear();
  memory.unreadable.clear();
  memory.verifyPasses.clear();
  return isModeSwitch ? { kind: "rewound", head, isCaughtUp: false, found: 0 } : null;
}

/** Returns the newest block at or below a final slot. */
async function blockUpTo(source: Pick<AccountSource, "block">, slot: number): Promise<SlotBlock> {
  for (let at = slot; at >= 0; at--) {
    const block = await source.block(at);
    if (block) return block;
  }
  throw new ChainError("inconsistent", `No endpoint has a block up to slot ${slot}`);
}

/** The slots to read. */
interface Task {
  /** Returns the block of a slot; null if a node reports that it was skipped, unless the block must exist. */
  read: (slot: number, mustExist: boolean) => Promise<SlotContent | null>;
  /** The last block of the ledger. */
  at: { height: number; hash: string };
  /** The newest slot to read. */
  to: number;
  /** The number of slots to read; more are read only while none of them has a block. */
  slotsPerStep?: number;
}

/**
 * Reads the blocks that follow one another after `at`. A slot counts as skipped only if the next block's parent proves
 * it; a block that one node omits is read from others.
 * @returns the chain, or null when its first block does not follow `at`: a fork
 */
export async function readSlots(task: Task): Promise<SlotContent[] | null> {
  const chain: SlotContent[] = [];
  const step = task.slotsPerStep ?? SLOTS_PER_STEP;
  let last: { height: number; hash: string } = task.at;

  /** Appends a block after all missing ones before it. Returns false when they contradict the chain. */
  async function append(content: SlotContent): Promise<boolean> {
    const { height, parentHeight, parentHash, hash } = content.block;
    if (parentHeight > last.height && !(await append(await readHidden(task, parentHeight)))) return false;
    if (parentHeight !== last.height || parentHash !== last.hash) return false;
    chain.push(content);
    last = { height, hash };
    return true;
  }

  for (let from = task.at.height + 1; from <= task.to && chain.length === 0; from += step) {
    const { contents, failure } = await readContents(task, from, Math.min(task.to, from + step - 1));
    for (const content of contents) {
      if (await append(content)) continue;
      return chain.length === 0 ? null : chain;
    }
    if (chain.length === 0 && failure) throw failure;
  }
  return chain;
}

async function readHidden({ read }: Task, slot: number): Promise<SlotContent> {
  const content = await read(slot, true);
  if (content) return content;
  throw new ChainError("inconsistent", `Slot ${slot} has a child, but no endpoint has its block`);
}

/** Returns the blocks of a range of slots up to the first that could not be read. */
async function readContents({ read }: Task, from: number, to: number) {
  const contents: SlotContent[] = [];
  for (let first = from; first <= to; first += CONCURRENCY) {
    const slots = Array.from({ length: Math.min(CONCURRENCY, to - first + 1) }, (_, index) => first + index);
    for (const answer of await Promise.allSettled(slots.map((slot) => read(slot, false)))) {
      if (answer.status === "rejected") return { contents, failure: answer.reason };
      if (answer.value) contents.push(answer.value);
    }
  }
  return { contents, failure: null };
}

/** Returns the block after which a new worker reads blocks a second time: the end of the previous worker's second read. */
export async function findVerifyStart(db: Db, network: Network, at: SlotPoint, final: number): Promise<SlotPoint> {
  const lowest = await findLowestBlock(db, network.id, final - slotsBack(network));
  return lowest && lowest.height < at.height ? lowest : at;
}

/** Returns the largest number of slots that are read a second time. */
export function slotsBack(network: Network): number {
  return blocksIn(FURTHEST_BACK_MS, network);
}
