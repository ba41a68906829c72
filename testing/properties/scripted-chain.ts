import type { Network } from "@/lib/domain/networks";
import type { Block } from "@/lib/domain/networks/finality";

/** A token transfer inside a transaction. Addresses and the token are lower-case hex. */
export interface SentTransfer {
  token: string;
  from: string;
  to: string;
  baseUnits: bigint;
}

/** A transaction and the time at which its payer sent it, in milliseconds. */
export interface Transaction {
  id: string;
  sends: readonly SentTransfer[];
  sentAtMs: number;
}

/** A transaction and the block that contains it. */
export interface Included {
  transaction: Transaction;
  block: Block;
  /** The index of its first log among the logs of the block. */
  firstLogIndex: number;
}

/** Consecutive blocks at equal time intervals. Only blocks that contain transactions use additional memory. */
interface Segment {
  id: number;
  from: number;
  to: number;
  firstMs: number;
  stepMs: number;
}

const NO_HASH = `0x${"0".repeat(64)}`;
const SEGMENT_DIGITS = 8;

/**
 * A chain whose blocks the caller mines and removes. It stores every block that has included a transaction, so that the ledger can be
 * compared with it.
 */
export class ScriptedChain {
  readonly network: Network;
  /** The blocks of the current chain, lowest first. */
  #segments: Segment[] = [];
  /** All segments, including removed ones, by id. */
  readonly #all: Segment[] = [];
  readonly #contents = new Map<number, Transaction[]>();
  readonly #inclusions = new Map<string, Block[]>();
  #pending: Transaction[] = [];
  #sent = 0;

  constructor(network: Network, startMs: number, blocks: number) {
    this.network = network;
    this.#append(0, blocks, startMs - blocks * network.blockMs);
  }

  get height(): number {
    return this.#segments.at(-1)?.to ?? 0;
  }

  get headMs(): number {
    return this.block(this.height)?.time.getTime() ?? 0;
  }

  /** Returns the transactions that were sent but are not in a block. */
  get pending(): readonly Transaction[] {
    return this.#pending;
  }

  /** Returns the block at a height on the current chain. */
  block(height: number): Block | null {
    const segment = this.#segmentAt(height);
    return segment ? this.#blockOf(segment, height) : null;
  }

  /** Returns the block with a hash on the current chain; null for a removed block, as from a node that has pruned it. */
  blockByHash(hash: string): Block | null {
    const height = heightOf(hash);
    const block = this.block(height);
    return block?.hash === hash ? block : null;
  }

  /** Returns the true time of any block, including removed ones, in milliseconds. */
  trueTimeMs(hash: string): number | null {
    const segment = this.#all[segmentOf(hash)];
    return segment ? timeMs(segment, heightOf(hash)) : null;
  }

  /** Returns every block that has included a transaction, including removed blocks, oldest first. */
  inclusions(txId: string): readonly Block[] {
    return this.#inclusions.get(txId) ?? [];
  }

  /** Returns the heights from `from` to `to` whose blocks contain transactions, lowest first. */
  filledHeights(from: number, to: number): number[] {
    return [...this.#contents.keys()].filter((height) => height >= from && height <= to).sort((a, b) => a - b);
  }

  /** Returns the transactions of a block, in order. */
  contents(height: number): Included[] {
    const block = this.block(height);
    let firstLogIndex = 0;
    return (this.#contents.get(height) ?? []).flatMap((transaction) => {
      const cursor = firstLogIndex;
      firstLogIndex += transaction.sends.length;
      return block ? [{ transaction, block, firstLogIndex: cursor }] : [];
    });
  }

  /** Returns the position of a transaction on the current chain; null if it is not included. */
  find(txId: string): Included | null {
    for (const block of this.inclusions(txId)) {
      if (this.blockByHash(block.hash) === null) continue;
      const found = this.contents(block.height).find(({ transaction }) => transaction.id === txId);
      if (found) return found;
    }
    return null;
  }

  /** Returns every transaction on the current chain. */
  all(): Included[] {
    return this.filledHeights(0, this.height).flatMap((height) => this.contents(height));
  }

  /** Sends a transaction; it can be included in the next mined block. */
  send(sends: readonly SentTransfer[], sentAtMs: number): Transaction {
    const number = (this.#sent++).toString(16).padStart(8, "0");
    const id = `0x${BigInt(this.network.chainId).toString(16).padStart(8, "0")}${number}`.padEnd(66, "7");
    const transaction = { id, sends, sentAtMs };
    this.#pending.push(transaction);
    return transaction;
  }

  /**
   * Mines blocks at the network's pace: at least `blocks`, and as many as necessary to reach `untilMs`. A pending transaction is included
   * in the first block after it was sent, or in the last block if `isLate`.
   */
  mine(blocks: number, untilMs: number, isLate = false): void {
    const { blockMs } = this.network;
    const firstMs = this.headMs + blockMs;
    const count = Math.max(blocks, Math.floor((untilMs - firstMs) / blockMs) + 1);
    const segment = this.#append(this.height + 1, count, firstMs);
    for (const transaction of this.#pending.splice(0)) {
      const after = Math.ceil((transaction.sentAtMs - firstMs) / blockMs);
      const index = isLate ? count - 1 : Math.min(count - 1, Math.max(0, after));
      this.#include(transaction, segment.from + index);
    }
  }

  /**
   * Replaces the newest `depth` blocks with one more block than before. Their transactions are lost, stay pending until the next block, or
   * are included in the first new block.
   */
  reorganise(depth: number, fate: "lost" | "waiting" | "included"): void {
    const height = this.height;
    const ancestor = Math.max(0, height - depth);
    const removed = this.filledHeights(ancestor + 1, height).flatMap((at) => this.#contents.get(at) ?? []);
    for (const at of this.filledHeights(ancestor + 1, height)) this.#contents.delete(at);
    this.#segments = this.#segments.flatMap((segment) =>
      segment.from > ancestor ? [] : [{ ...segment, to: Math.min(segment.to, ancestor) }],
    );
    const segment = this.#append(ancestor + 1, height - ancestor + 1, this.headMs + this.network.blockMs);
    if (fate === "included") for (const transaction of removed) this.#include(transaction, segment.from);
    if (fate === "waiting") this.#pending.push(...removed);
  }

  #include(transaction: Transaction, height: number): void {
    const block = this.block(height);
    if (!block) throw new Error(`There is no block ${height}`);
    this.#contents.set(height, [...(this.#contents.get(height) ?? []), transaction]);
    this.#inclusions.set(transaction.id, [...this.inclusions(transaction.id), block]);
  }

  #append(from: number, count: number, firstMs: number): Segment {
    const segment = { id: this.#all.length, from, to: from + count - 1, firstMs, stepMs: this.network.blockMs };
    this.#segments.push({ ...segment });
    this.#all.push(segment);
    return segment;
  }

  #segmentAt(height: number): Segment | undefined {
    return this.#segments.findLast(({ from, to }) => height >= from && height <= to);
  }

  #blockOf(segment: Segment, height: number): Block {
    const parent = height > segment.from ? segment : this.#segmentAt(height - 1);
    return {
      height,
      hash: this.#hash(segment, height),
      parentHash: parent ? this.#hash(parent, height - 1) : NO_HASH,
      time: new Date(timeMs(segment, height)),
    };
  }

  /** Returns the hash of a block. It contains the segment and the height, so that the block can be found. */
  #hash({ id }: Segment, height: number): string {
    const chainId = Number(this.network.chainId).toString(16).padStart(6, "0");
    return `0x${id.toString(16).padStart(SEGMENT_DIGITS, "0")}${chainId}${height.toString(16).padStart(50, "0")}`;
  }
}

/** Returns the time of a block in milliseconds. Block timestamps are whole seconds. */
function timeMs({ from, firstMs, stepMs }: Segment, height: number): number {
  return Math.floor((firstMs + (height - from) * stepMs) / 1_000) * 1_000;
}

const segmentOf = (hash: string) => Number.parseInt(hash.slice(2, 2 + SEGMENT_DIGITS), 16);
const heightOf = (hash: string) => Number.parseInt(hash.slice(-14), 16);
