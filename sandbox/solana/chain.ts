import { randomUUID } from "node:crypto";
import { RpcProblem } from "@/sandbox/nodes/json-rpc-answer";
import { Accounts, storedBlock } from "@/sandbox/solana/accounts/accounts";
import { Bank, type BankTime } from "@/sandbox/solana/bank";
import { Blocks, type Position } from "@/sandbox/solana/blocks";
import { type Commitment, Commitments, type Lag, type Standstill } from "@/sandbox/solana/commitments";
import { type Entry, type Journal, lastSlot } from "@/sandbox/solana/journal";
import { Timeline } from "@/sandbox/solana/timeline";
import { readTransaction, type SentTransaction } from "@/sandbox/solana/transactions/message";
import type { StoredTransaction } from "@/sandbox/solana/transactions/stored-transaction";
import { Votes } from "@/sandbox/solana/votes";

interface ChainOptions {
  journal: Journal;
  /** The milliseconds between slots; null if only `advance` advances the chain. */
  slotMs: number | null;
  lag: Lag;
}

/** The number of blocks for which a blockhash is valid. */
export const BLOCKHASH_BLOCKS = 150;
const SAVE_HEAD_MS = 5_000;

/** A Solana chain: its slots, their transactions, and its forks. All times are in milliseconds since 1970. */
export class Chain {
  readonly blocks = new Blocks();
  readonly #votes = new Votes(this.blocks);
  readonly #timeline = new Timeline();
  readonly #accounts: Accounts;
  readonly #journal: Journal;
  readonly #slotMs: number | null;
  readonly #reached: Commitments;
  #head = 0;
  #pending: SentTransaction[] = [];
  #skipNext = 0;
  #headSavedMs = 0;
  #alpenglowSince: number | null = null;

  constructor({ journal, slotMs, lag }: ChainOptions, nowMs: number) {
    this.#journal = journal;
    this.#slotMs = slotMs;
    const base = journal.bank();
    this.#reached = new Commitments(lag, base?.slot ?? 0);
    this.#accounts = new Accounts(base ? Bank.restore(base.snapshot) : Bank.genesis());
    for (const entry of journal.entries()) {
      this.#apply(entry);
      this.#head = Math.max(this.#head, lastSlot(entry));
    }
    for (const block of this.blocks.fullAfter(base?.slot ?? -1)) {
      const sent = block.transactions.map(({ raw }) => readTransaction(raw));
      this.#accounts.run(block.slot, sent, this.timeOf(block.slot));
    }
    // A random seed gives each new chain different blocks, so that they are not mistaken for blocks of another chain.
    if (journal.entries().length === 0) this.#write({ kind: "fork", after: 0, seed: randomUUID() });
    const known = journal.head();
    const lost = known && !known.isClean && slotMs ? Math.ceil((2 * SAVE_HEAD_MS) / slotMs) : 0;
    this.#head = Math.max(known?.slot ?? 0, this.#head) + lost;
    this.#anchor({ slot: this.#head + 1, timeMs: nowMs, stepMs: slotMs ?? 0 });
    this.#settle();
  }

  get bank(): Bank {
    return this.#accounts.head;
  }

  /** Returns the newest slot with a block at a commitment. */
  slot(commitment: Commitment): number {
    const slot = commitment === "processed" ? this.#head : this.#reached[commitment];
    return this.blocks.isSkipped(slot) ? this.blocks.parent(slot) : slot;
  }

  /** The slot of the last block before Alpenglow; null before the switch. */
  get alpenglowSince(): number | null {
    return this.#alpenglowSince;
  }

  /** Returns the content of a slot's block: transactions, then a vote. */
  content(slot: number): StoredTransaction[] {
    return [...(this.blocks.full(slot)?.transactions ?? []), ...this.#votes.at(slot)];
  }

  positionOf(signature: string): Position | undefined {
    return this.blocks.positionOf(signature) ?? this.#votes.positionOf(signature);
  }

  /** Returns the accounts at a commitment. */
  bankAt(commitment: Commitment): Bank {
    if (commitment === "processed") return this.bank;
    return this.#accounts.asBefore(this.blocks.fullAfter(this.#reached[commitment])[0]?.slot ?? null);
  }

  unixTime(slot: number): number {
    return Math.floor(this.#timeline.timeMs(slot) / 1_000);
  }

  /** Returns the time at which a transaction in a slot runs. */
  timeOf(slot: number): BankTime {
    return { slot, unixTime: this.unixTime(slot), recent: this.blocks.recent(slot, BLOCKHASH_BLOCKS) };
  }

  /** Returns true if a transaction in that slot may use this blockhash. */
  isGoodHash(hash: string, slot: number): boolean {
    return this.blocks.recent(slot, BLOCKHASH_BLOCKS).some((block) => block.hash === hash);
  }

  isKnown(signature: string): boolean {
    return (
      this.blocks.positionOf(signature) !== undefined || this.#pending.some((sent) => sent.signature === signature)
    );
  }

  /** Queues a transaction for the next block, which includes it if it is valid by then. */
  submit(sent: SentTransaction): void {
    if (!this.isKnown(sent.signature)) this.#pending.push(sent);
  }

  /** Advances through all slots that are due. */
  tick(nowMs: number): void {
    if (this.#slotMs === null || this.#reached.still === "head") return;
    this.#advanceTo(this.#timeline.slotAt(nowMs));
    this.#settle();
    if (nowMs - this.#headSavedMs < SAVE_HEAD_MS) return;
    this.#headSavedMs = nowMs;
    this.#journal.writeHead({ slot: this.#head, isClean: false });
  }

  /**
   * Advances the chain by `count` slots immediately.
   * @throws RpcProblem while the head is held
   */
  advance(count: number, nowMs: number): void {
    if (this.#reached.still === "head")
      throw new RpcProblem(-32602, "The head is held; solana_hold [null] releases it");
    const target = this.#head + count;
    this.#anchor({ slot: this.#head + 1, timeMs: nowMs, stepMs: 0 });
    this.#advanceTo(target);
    if (this.#slotMs) this.#anchor({ slot: target + 1, timeMs: nowMs + this.#slotMs, stepMs: this.#slotMs });
    this.#settle();
    this.#journal.writeHead({ slot: this.#head, isClean: false });
  }

  /** Skips the next `count` slots, so that they have no block. */
  skip(count: number): void {
    this.#skipNext += count;
  }

  setLag(lag: Lag): void {
    this.#reached.setLag(lag);
    this.#settle();
  }

  /**
   * Halts the given part of the chain, or resumes all parts if `still` is null. Slots that were missed during a halt are not added later.
   */
  hold(still: Standstill | null, nowMs: number): void {
    const wasHeld = this.#reached.still === "head";
    if (!wasHeld) this.tick(nowMs);
    this.#reached.still = still;
    if (wasHeld && still !== "head" && this.#slotMs)
      this.#anchor({ slot: this.#head + 1, timeMs: nowMs, stepMs: this.#slotMs });
    this.#settle();
  }

  /** Switches the chain to Alpenglow: confirmed slots are final, and blocks contain no votes. This cannot be undone. */
  switchToAlpenglow(): void {
    if (this.#alpenglowSince === null) this.#write({ kind: "alpenglow", slot: this.#reached.confirmed });
    this.#settle();
  }

  /**
   * Abandons the last `depth` slots. The same slots are then on a different fork: without blocks if `skip`, otherwise with empty ones.
   * With `reinclude`, the next block includes their transactions again, unless their blockhash belongs to the abandoned fork.
   * @throws RpcProblem if that would affect a finalized slot
   */
  fork(depth: number, { reinclude, skip }: { reinclude: boolean; skip: boolean }): void {
    const after = this.#head - depth;
    if (after < this.#reached.finalized)
      throw new RpcProblem(
        -32602,
        `Slot ${after + 1} is final; at most ${this.#head - this.#reached.finalized} slots can be replaced`,
      );
    const dropped = this.#write({ kind: "fork", after, seed: randomUUID() });
    const [first] = dropped;
    if (first) this.#accounts.rewind(first.slot);
    if (skip && depth > 0) this.#write({ kind: "skip", from: after + 1, to: this.#head });
    const again = dropped.flatMap((block) => block.transactions.map(({ raw }) => readTransaction(raw)));
    if (reinclude) this.#pending.unshift(...again);
  }

  /** Stores the state that the next start needs. */
  close(): void {
    this.#journal.writeHead({ slot: this.#head, isClean: true });
    this.#journal.writeBank(this.#reached.finalized, this.bankAt("finalized").snapshot());
  }

  #advanceTo(target: number): void {
    while (this.#head < target) {
      const slot = this.#head + 1;
      if (this.#skipNext > 0) {
        this.#skipNext -= 1;
        this.#write({ kind: "skip", from: slot, to: slot });
      } else if (this.#pending.length > 0) {
        this.#closeBlock(slot);
      } else {
        this.#head = target;
        return;
      }
      this.#head = slot;
    }
  }

  #closeBlock(slot: number): void {
    const time = this.timeOf(slot);
    const valid = new Set(time.recent.map((block) => block.hash));
    const sent = this.#pending.filter((one) => valid.has(one.recentBlockhash));
    this.#pending = [];
    const block = this.#accounts.run(slot, sent, time);
    if (block) this.#write({ kind: "block", slot, transactions: [...block.transactions] });
  }

  #settle(): void {
    this.#reached.follow(this.#head);
    this.#accounts.forgetUpTo(this.#reached.finalized);
  }

  #anchor(anchor: { slot: number; timeMs: number; stepMs: number }): void {
    this.#write({ kind: "anchor", anchor });
  }

  #write(entry: Entry) {
    this.#journal.write(entry);
    return this.#apply(entry);
  }

  #apply(entry: Entry) {
    if (entry.kind === "anchor") this.#timeline.add(entry.anchor);
    if (entry.kind === "skip") for (let slot = entry.from; slot <= entry.to; slot += 1) this.blocks.skip(slot);
    if (entry.kind === "block") this.blocks.add(storedBlock(entry.slot, entry.transactions));
    if (entry.kind === "alpenglow") {
      this.#alpenglowSince = entry.slot;
      this.#votes.endAfter(entry.slot);
      this.#reached.unite();
    }
    return entry.kind === "fork" ? this.blocks.fork(entry.after, entry.seed) : [];
  }
}
