import { ChainError } from "@/lib/chains/endpoints/source";
import type { SlotContent } from "@/lib/chains/solana/source";

const AT_ONCE = 4;
const SLOTS_PER_STEP = 64;

interface Task {
  /** The block of a slot; null where a node says that it was skipped, unless the block must exist. */
  read: (slot: number, mustExist: boolean) => Promise<SlotContent | null>;
  /** The block that the ledger ends with. */
  at: { height: number; hash: string };
  /** The newest slot to read. */
  to: number;
  /** So many slots are read, and more only while none of them has a block. */
  slotsPerStep?: number;
}

/**
 * Reads the blocks that follow one another after `at`. A slot counts as skipped only where the next block's parent proves
 * it; a block that a node hides is asked of others.
 * @returns the chain, or null when its first block does not follow `at`: a fork
 */
export async function readSlots(task: Task): Promise<SlotContent[] | null> {
  const chain: SlotContent[] = [];
  const step = task.slotsPerStep ?? SLOTS_PER_STEP;
  let last: { height: number; hash: string } = task.at;

  /** Appends a block with all before it that are missing. False when they contradict what was read. */
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

/** The blocks of a range of slots up to the first that could not be read. */
async function readContents({ read }: Task, from: number, to: number) {
  const contents: SlotContent[] = [];
  for (let first = from; first <= to; first += AT_ONCE) {
    const slots = Array.from({ length: Math.min(AT_ONCE, to - first + 1) }, (_, index) => first + index);
    for (const answer of await Promise.allSettled(slots.map((slot) => read(slot, false)))) {
      if (answer.status === "rejected") return { contents, failure: answer.reason };
      if (answer.value) contents.push(answer.value);
    }
  }
  return { contents, failure: null };
}
