import { Bank, type BankTime } from "@/sandbox/solana/bank";
import type { FullBlock } from "@/sandbox/solana/blocks";
import { accountKeys, readTransaction, type SentTransaction } from "@/sandbox/solana/transactions/message";
import type { StoredTransaction } from "@/sandbox/solana/transactions/stored-transaction";

/**
 * The accounts at the head, and as they were before each block that may still be dropped. Forks and queries with a commitment below the
 * head use these earlier states.
 */
export class Accounts {
  #head: Bank;
  readonly #before = new Map<number, Uint8Array>();
  #past: { slot: number; bank: Bank } | null = null;

  constructor(head: Bank) {
    this.#head = head;
  }

  get head(): Bank {
    return this.#head;
  }

  /**
   * Runs a block's transactions.
   * @returns the block with the included transactions, or null if none was included
   */
  run(slot: number, transactions: readonly SentTransaction[], time: BankTime): FullBlock | null {
    const before = this.#head.snapshot();
    const stored: StoredTransaction[] = [];
    const keys: string[][] = [];
    for (const sent of transactions) {
      const outcome = this.#head.run(sent, time);
      if (!outcome.included) continue;
      stored.push({ signature: sent.signature, raw: sent.raw, meta: outcome.meta });
      keys.push(accountKeys(sent, outcome.meta.loadedAddresses));
    }
    if (stored.length === 0) return null;
    this.#before.set(slot, before);
    return { slot, transactions: stored, keys };
  }

  /** Restores the accounts as they were before the block of a slot. */
  rewind(slot: number): void {
    const snapshot = this.#before.get(slot);
    if (!snapshot) throw new Error(`The accounts before slot ${slot} are no longer kept`);
    this.#head = Bank.restore(snapshot);
    for (const later of [...this.#before.keys()].filter((key) => key >= slot)) this.#before.delete(later);
    this.#past = null;
  }

  /** Returns the accounts as they were before the block of a slot; null returns the current accounts. */
  asBefore(slot: number | null): Bank {
    const snapshot = slot === null ? undefined : this.#before.get(slot);
    if (slot === null || !snapshot) return this.#head;
    if (this.#past?.slot !== slot) this.#past = { slot, bank: Bank.restore(snapshot) };
    return this.#past.bank;
  }

  /** Deletes the undo data up to a slot that can no longer be dropped. */
  forgetUpTo(slot: number): void {
    for (const key of this.#before.keys()) if (key <= slot) this.#before.delete(key);
  }
}

/** Returns the block of a journal entry. */
export function storedBlock(slot: number, transactions: readonly StoredTransaction[]): FullBlock {
  const keys = transactions.map(({ raw, meta }) => accountKeys(readTransaction(raw), meta.loadedAddresses));
  return { slot, transactions, keys };
}
