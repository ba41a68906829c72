import { displayAddress } from "@/lib/domain/addresses/address";
import { RECEIVER_FACTORY, sweepCalldata } from "@/lib/domain/addresses/receiver";

/** Receivers that one transaction sweeps at most: beyond it, a block's gas and a wallet's patience. */
export const MOST_IN_BATCH = 50;

/** One token on one receiver. */
export interface Held {
  index: number;
  token: string;
}

/** A transaction to the factory, without value. */
export interface SweepBatch {
  indexes: number[];
  tokens: string[];
  to: string;
  data: string;
}

/** The transactions that send all that receivers of a treasury hold to it, at most fifty receivers in each. */
export function sweepBatches(treasury: string, held: readonly Held[]): SweepBatch[] {
  const all = [...new Set(held.map(({ index }) => index))].toSorted((a, b) => a - b);
  const batches: SweepBatch[] = [];
  for (let from = 0; from < all.length; from += MOST_IN_BATCH) {
    const indexes = all.slice(from, from + MOST_IN_BATCH);
    const within = new Set(indexes);
    const tokens = [...new Set(held.flatMap(({ index, token }) => (within.has(index) ? [token] : [])))].toSorted();
    const data = sweepCalldata(treasury, indexes, tokens);
    batches.push({ indexes, tokens, to: displayAddress("evm", RECEIVER_FACTORY), data });
  }
  return batches;
}

/**
 * A file for Safe's Transaction Builder, which proposes all of the batches as one transaction.
 * @see https://help.safe.global/en/articles/234052-transaction-builder
 */
export function safeFile(chainId: string, batches: readonly Pick<SweepBatch, "to" | "data">[], now: Date): string {
  const transactions = batches.map(({ to, data }) => ({ to, value: "0", data, contractMethod: null }));
  const meta = { name: "Sweep receivers", description: "", txBuilderVersion: "1.16.5" };
  return JSON.stringify({ version: "1.0", chainId, createdAt: now.getTime(), meta, transactions }, null, 2);
}
