import { createHash } from "node:crypto";
import { PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } from "@solana/web3.js";
import { FAUCET } from "@/sandbox/solana/accounts/mints";
import type { Blocks, Position } from "@/sandbox/solana/blocks";
import { fromBase58, toBase58 } from "@/sandbox/solana/kit";
import type { StoredTransaction } from "@/sandbox/solana/transactions/stored-transaction";

const VOTE_PROGRAM = new PublicKey("Vote111111111111111111111111111111111111111");
const VOTE_ACCOUNT = new PublicKey(createHash("sha256").update("stablegate sandbox: votes").digest());
const FEE = 5_000;
const SIGNATURE_AT = 1;
const SIGNATURE_BYTES = 64;
const HASH_BYTES = 32;
const SLOT_BYTES = 8;
const BALANCES = [1_000_000_000, 27_074_400, 1];
const MAX_REMEMBERED = 20_000;

/**
 * The vote that each block of a chain contains until Alpenglow: one validator's vote for the previous block. Votes are not stored, because
 * they can be derived from the block. Their signatures are not verified.
 */
export class Votes {
  readonly #blocks: Blocks;
  /** The slots of votes by signature; the signature of a vote is known only after its block was read. */
  readonly #slots = new Map<string, number>();
  #last = Number.POSITIVE_INFINITY;

  constructor(blocks: Blocks) {
    this.#blocks = blocks;
  }

  /** Stops adding votes to blocks above a slot. */
  endAfter(slot: number): void {
    this.#last = slot;
  }

  /** Returns the vote in a block; none for the first block, because no block precedes it. */
  at(slot: number): StoredTransaction[] {
    if (slot < 1 || slot > this.#last || this.#blocks.isSkipped(slot)) return [];
    const vote = makeVote(slot, this.#blocks.previousHash(slot));
    this.#slots.set(vote.signature, slot);
    const [oldest] = this.#slots.keys();
    if (this.#slots.size > MAX_REMEMBERED && oldest !== undefined) this.#slots.delete(oldest);
    return [vote];
  }

  /** Returns the position of a vote whose block was read; a fork removes it. */
  positionOf(signature: string): Position | undefined {
    const slot = this.#slots.get(signature);
    const [transaction] = slot === undefined ? [] : this.at(slot);
    if (slot === undefined || transaction?.signature !== signature) return undefined;
    return { slot, index: this.#blocks.full(slot)?.transactions.length ?? 0, transaction };
  }
}

/** The bytes of a vote; only blockhash, slot and signature differ between votes. */
const FORM = (() => {
  const keys = [
    { pubkey: VOTE_ACCOUNT, isSigner: false, isWritable: true },
    { pubkey: FAUCET.publicKey, isSigner: true, isWritable: false },
  ];
  const data = Buffer.alloc(SLOT_BYTES);
  const instructions = [new TransactionInstruction({ programId: VOTE_PROGRAM, keys, data })];
  const recentBlockhash = new PublicKey(Buffer.alloc(HASH_BYTES, 0xff)).toBase58();
  const message = new TransactionMessage({ payerKey: FAUCET.publicKey, recentBlockhash, instructions });
  return Buffer.from(new VersionedTransaction(message.compileToLegacyMessage()).serialize());
})();
const HASH_AT = FORM.indexOf(Buffer.alloc(HASH_BYTES, 0xff));
const SLOT_AT = FORM.length - SLOT_BYTES;

function makeVote(slot: number, seen: string): StoredTransaction {
  const raw = Buffer.from(FORM);
  raw.set(fromBase58(seen), HASH_AT);
  raw.writeBigUInt64LE(BigInt(slot), SLOT_AT);
  raw.set(
    createHash("sha512")
      .update(raw.subarray(SIGNATURE_AT + SIGNATURE_BYTES))
      .digest(),
    SIGNATURE_AT,
  );
  const [payer = 0, ...others] = BALANCES;
  const meta = {
    err: null,
    fee: FEE,
    preBalances: BALANCES,
    postBalances: [payer - FEE, ...others],
    preTokenBalances: [],
    postTokenBalances: [],
    innerInstructions: [],
    logMessages: [`Program ${VOTE_PROGRAM} invoke [1]`, `Program ${VOTE_PROGRAM} success`],
    loadedAddresses: { writable: [], readonly: [] },
    computeUnitsConsumed: 2_100,
  };
  const signature = toBase58(raw.subarray(SIGNATURE_AT, SIGNATURE_AT + SIGNATURE_BYTES));
  return { signature, raw: raw.toString("base64"), meta };
}
