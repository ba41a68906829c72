import {
  type AddressLookupTableAccount,
  type Keypair,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js";
import { signVersion1 } from "@/sandbox/solana/kit";
import type { TransactionVersion } from "@/sandbox/solana/transactions/message";

interface Unsigned {
  instructions: TransactionInstruction[];
  /** A recent blockhash; the transaction is valid for 150 blocks after it. */
  blockhash: string;
  /** The signers; the first one pays the fee. */
  signers: readonly [Keypair, ...Keypair[]];
  /** The address lookup tables; only version 0 supports them. */
  tables?: AddressLookupTableAccount[];
}

/** Returns a signed transaction of that version, in the format that sendTransaction accepts. */
export async function signTransaction(version: TransactionVersion, unsigned: Unsigned): Promise<Uint8Array> {
  if (version === 1) return signVersion1(unsigned);
  const { instructions, blockhash, signers, tables } = unsigned;
  const message = new TransactionMessage({ payerKey: signers[0].publicKey, recentBlockhash: blockhash, instructions });
  const compiled = version === 0 ? message.compileToV0Message(tables) : message.compileToLegacyMessage();
  const transaction = new VersionedTransaction(compiled);
  transaction.sign([...signers]);
  return transaction.serialize();
}
