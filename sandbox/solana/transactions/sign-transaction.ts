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
  /** A recent one; the transaction is good for 150 blocks after it. */
  blockhash: string;
  /** The signers; the first of them pays the fee. */
  signers: readonly [Keypair, ...Keypair[]];
  /** Version 0 alone takes addresses from these. */
  tables?: AddressLookupTableAccount[];
}

/** A signed transaction of that version, as sendTransaction takes it. */
export async function signTransaction(version: TransactionVersion, unsigned: Unsigned): Promise<Uint8Array> {
  if (version === 1) return signVersion1(unsigned);
  const { instructions, blockhash, signers, tables } = unsigned;
  const message = new TransactionMessage({ payerKey: signers[0].publicKey, recentBlockhash: blockhash, instructions });
  const compiled = version === 0 ? message.compileToV0Message(tables) : message.compileToLegacyMessage();
  const transaction = new VersionedTransaction(compiled);
  transaction.sign([...signers]);
  return transaction.serialize();
}
