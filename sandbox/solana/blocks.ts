import { createHash } from "node:crypto";
import { toBase58 } from "@/sandbox/solana/kit";
import type { StoredTransaction } from "@/sandbox/solana/transactions/stored-transaction";

/** A block that has transactions. */
export interface FullBlock {
  slot: number;
  transactions: readonly StoredTransaction[];
  /** The accounts that each transaction touched, in the same order. */
  keys: readonly (readonly string[])[];
}

export interface Position {
  slot: number;
  index: number;
  transaction: StoredTransaction;
}

const FIRST_PARENT = "11111111111111111111111111111111";

/**
 * The slots with blocks and their contents. Blocks without transactions use no memory, because they are derived from their slot and fork.
 */
export class Blocks {
  readonly #full = new Map<number, FullBlock>();
  /** The same blocks, oldest first. */
  readonly #order: FullBlock[] = [];
  readonly #positions = new Map<string, Position>();
  /** Oldest first. */
  readonly #byAddress = new Map<string, Position[]>();
  #skipped: number[] = [];
  #forks: { from: number; seed: string }[] = [{ from: 0, seed: "genesis" }];
  readonly #hashes = new Map<number, string>();

  add(block: FullBlock): void {
    this.#full.set(block.slot, block);
    this.#order.push(block);
    for (const [index, transaction] of block.transactions.entries()) {
      const positionOf = { slot: block.slot, index, transaction };
      this.#positions.set(transaction.signature, positionOf);
      for (const key of new Set(block.keys[index])) {
        const known = this.#byAddress.get(key);
        if (known) known.push(positionOf);
        else this.#byAddress.set(key, [positionOf]);
      }
    }
  }

  /** Marks a slot as skipped. Slots must be skipped in ascending order. */
  skip(slot: number): void {
    this.#skipped.push(slot);
  }

  /**
   * Drops everything above a slot. Later blocks are on a different fork.
   * @returns the dropped blocks, oldest first
   */
  fork(after: number, seed: string): FullBlock[] {
    const dropped = this.fullAfter(after);
    this.#order.length -= dropped.length;
    for (const block of dropped) {
      this.#full.delete(block.slot);
      for (const { signature } of block.transactions) this.#positions.delete(signature);
      for (const key of new Set(block.keys.flat())) {
        const kept = this.#byAddress.get(key)?.filter((positionOf) => positionOf.slot <= after) ?? [];
        this.#byAddress.set(key, kept);
      }
    }
    this.#skipped = this.#skipped.filter((slot) => slot <= after);
    this.#forks = [...this.#forks.filter((fork) => fork.from <= after), { from: after + 1, seed }];
    this.#hashes.clear();
    return dropped;
  }

  full(slot: number): FullBlock | undefined {
    return this.#full.get(slot);
  }

  /** Returns the blocks with transactions above a slot, oldest first. */
  fullAfter(slot: number): FullBlock[] {
    let first = this.#order.length;
    while (first > 0 && (this.#order[first - 1]?.slot ?? 0) > slot) first -= 1;
    return this.#order.slice(first);
  }

  positionOf(signature: string): Position | undefined {
    return this.#positions.get(signature);
  }

  /** Returns the transactions that touched an account, oldest first. */
  positionsOf(key: string): readonly Position[] {
    return this.#byAddress.get(key) ?? [];
  }

  isSkipped(slot: number): boolean {
    return this.#skipped[this.#skippedBelow(slot)] === slot;
  }

  /** Returns the number of blocks before a slot. */
  height(slot: number): number {
    return slot - this.#skippedBelow(slot + 1);
  }

  /** Returns the newest slot before this one that has a block; 0 for the first. */
  parent(slot: number): number {
    let parent = slot - 1;
    while (parent > 0 && this.isSkipped(parent)) parent -= 1;
    return Math.max(0, parent);
  }

  /** Returns the last `count` blocks before a slot, newest first. */
  recent(slot: number, count: number): { slot: number; hash: string }[] {
    const recent: { slot: number; hash: string }[] = [];
    for (let at = slot - 1; at >= 0 && recent.length < count; at -= 1) {
      if (!this.isSkipped(at)) recent.push({ slot: at, hash: this.hash(at) });
    }
    return recent;
  }

  hash(slot: number): string {
    const known = this.#hashes.get(slot);
    if (known) return known;
    const seed = this.#forks.findLast((fork) => fork.from <= slot)?.seed ?? "";
    const hash = toBase58(createHash("sha256").update(`${seed}:${slot}`).digest());
    if (this.#hashes.size > 2_000) this.#hashes.clear();
    this.#hashes.set(slot, hash);
    return hash;
  }

  previousHash(slot: number): string {
    return slot === 0 ? FIRST_PARENT : this.hash(this.parent(slot));
  }

  #skippedBelow(slot: number): number {
    let low = 0;
    let high = this.#skipped.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#skipped[middle] ?? 0) < slot) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
