import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import * as z from "zod";

const Contract = z.object({
  type: z.string(),
  parameter: z.object({ type_url: z.string(), value: z.record(z.string(), z.unknown()) }),
  Permission_id: z.number().optional(),
});

/** The signed part of a TRON transaction, as JSON. */
export const RawData = z.object({
  contract: z.array(Contract).min(1),
  ref_block_bytes: z.string(),
  ref_block_hash: z.string(),
  expiration: z.number(),
  timestamp: z.number().optional(),
  fee_limit: z.number().optional(),
  data: z.string().optional(),
});
export type RawData = z.infer<typeof RawData>;

export const SignedTransaction = z.object({
  txID: z.string().regex(/^[0-9a-f]{64}$/),
  raw_data: RawData,
  raw_data_hex: z.string().regex(/^[0-9a-fA-F]+$/),
  signature: z.array(z.string()).min(1),
});
export type SignedTransaction = z.infer<typeof SignedTransaction>;

const Entry = z.object({ evmHash: z.string(), transaction: SignedTransaction });

/**
 * A mapping from TRON transactions to the EVM transactions that carry them. After a reorg, a different EVM transaction may carry a TRON
 * transaction. EVM transactions that were not sent through TRON's API use their own hash as id.
 */
export class TransactionBook {
  readonly #file: string | null;
  readonly #byHash = new Map<string, SignedTransaction>();
  readonly #hashes = new Map<string, string>();

  /** Opens the book in a file, which may exist from an earlier start. If `file` is null, the book is not stored. */
  constructor(file: string | null) {
    this.#file = file;
    if (!file || !existsSync(file)) return;
    const text = readFileSync(file);
    const whole = text.lastIndexOf("\n") + 1;
    if (whole < text.length) truncateSync(file, whole);
    for (const line of text.subarray(0, whole).toString("utf8").split("\n").filter(Boolean)) {
      const { evmHash, transaction } = Entry.parse(JSON.parse(line));
      this.#remember(evmHash, transaction);
    }
  }

  write(evmHash: string, transaction: SignedTransaction): void {
    this.#remember(evmHash, transaction);
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify({ evmHash, transaction })}\n`, { mode: 0o600 });
  }

  /** Returns the signed transaction that an EVM transaction carries, or null if it was not sent through TRON's interface. */
  signed(evmHash: string): SignedTransaction | null {
    return this.#byHash.get(evmHash) ?? null;
  }

  isKnown(txId: string): boolean {
    return this.#hashes.has(txId);
  }

  /** Without 0x. */
  txId(evmHash: string): string {
    return this.#byHash.get(evmHash)?.txID ?? evmHash.replace(/^0x/, "");
  }

  /** Returns the EVM transaction that currently carries a TRON transaction; accepts ids with and without 0x. */
  evmHash(txId: string): string {
    const id = txId.replace(/^0x/, "").toLowerCase();
    return this.#hashes.get(id) ?? `0x${id}`;
  }

  #remember(evmHash: string, transaction: SignedTransaction): void {
    this.#byHash.set(evmHash, transaction);
    this.#hashes.set(transaction.txID, evmHash);
  }
}
