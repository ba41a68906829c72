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

/** A transaction in the block that holds it. */
export interface Included {
  transaction: Transaction;
  block: Block;
  /** Index of its first log among the logs of the block. */
  firstLogIndex: number;
}

/** Consecutive blocks of equal distance in time. Only a block that holds transactions takes memory of its own. */
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
 * A chain whose blocks the caller mines and removes. It remembers every block that a transaction was ever in, so that the ledger can be
 * compared with it.
 */
export class ScriptedChain {
  readonly network: Network;
  /** The blocks of the chain as it is now, lowest first. */
  #segments: Segment[] = [];
  /** Every segment that there ever was, by its id. */
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

  /** Transactions that were sent and are in no block. */
  get pending(): readonly Transaction[] {
    return this.#pending;
  }

  /** The block of a height on the chain as it is now. */
  block(height: number): Block | null {
    const segment = this.#segmentAt(height);
    return segment ? this.#blockOf(segment, height) : null;
  }

  /** The block of a hash on the chain as it is now; null for a removed one, as for a node that has pruned it. */
  blockByHash(hash: string): Block | null {
    const height = heightOf(hash);
    const block = this.block(height);
    return block?.hash === hash ? block : null;
  }

  /** The true time of any block that there ever was, in milliseconds. */
  trueTimeMs(hash: string): number | null {
    const segment = this.#all[segmentOf(hash)];
    return segment ? timeMs(segment, heightOf(hash)) : null;
  }

  /** Every block that held a transaction, oldest first, removed ones included. */
  inclusions(txId: string): readonly Block[] {
    return this.#inclusions.get(txId) ?? [];
  }

  /** Heights from `from` to `to` whose blocks hold transactions, lowest first. */
  filledHeights(from: number, to: number): number[] {
    return [...this.#contents.keys()].filter((height) => height >= from && height <= to).sort((a, b) => a - b);
  }

  /** The transactions of a block, in their order. */
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

  /** Every transaction on the chain as it is now. */
  all(): Included[] {
    return this.filledHeights(0, this.height).flatMap((height) => this.contents(height));
  }

  /** Sends a transaction; the next block that is mined can hold it. */
  send(sends: readonly SentTransfer[], sentAtMs: number): Transaction {
    const number = (this.#sent++).toString(16).padStart(8, "0");
    const id = `0x${BigInt(this.network.chainId).toString(16).padStart(8, "0")}${number}`.padEnd(66, "7");
    const transaction = { id, sends, sentAtMs };
    this.#pending.push(transaction);
    return transaction;
  }

  /**
   * Mines at least `blocks` blocks at the network's pace, and as many as it takes to reach `untilMs`. A pending transaction is put
   * into the first block after it was sent, or into the last one where `isLate`.
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
   * Replaces the newest `depth` blocks by one more block than there were. Their transactions are lost, wait for the next block, or
   * are in the first of the new blocks.
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

  /** The hash holds the segment and the height, so that any hash can be traced to its block. */
  #hash({ id }: Segment, height: number): string {
    const chainId = Number(this.network.chainId).toString(16).padStart(6, "0");
    return `0x${id.toString(16).padStart(SEGMENT_DIGITS, "0")}${chainId}${height.toString(16).padStart(50, "0")}`;
  }
}

/** Timestamps of blocks are whole seconds. */
function timeMs({ from, firstMs, stepMs }: Segment, height: number): number {
  return Math.floor((firstMs + (height - from) * stepMs) / 1_000) * 1_000;
}

const segmentOf = (hash: string) => Number.parseInt(hash.slice(2, 2 + SEGMENT_DIGITS), 16);
const heightOf = (hash: string) => Number.parseInt(hash.slice(-14), 16);
