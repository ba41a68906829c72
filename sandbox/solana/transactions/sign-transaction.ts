import {
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createKeyPairFromPrivateKeyBytes,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  partiallySignTransaction,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import {
  type AddressLookupTableAccount,
  type Keypair,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js";
import type { TransactionVersion } from "@/sandbox/solana/transactions/message";

interface Unsigned {
  instructions: TransactionInstruction[];
  /** A recent one; the transaction is good for 150 blocks after it. */
  blockhash: string;
  /** Who signs; the first of them pays the fee. */
  signers: readonly [Keypair, ...Keypair[]];
  /** Version 0 alone takes addresses from these. */
  tables?: AddressLookupTableAccount[];
}

/** As much as any transaction may load: a version 1 transaction that asks for nothing gets nothing. */
const MOST_LOADED_BYTES = 64 * 1_024 * 1_024;
const MOST_UNITS = 1_400_000;
const UNITS_PER_INSTRUCTION = 200_000;
const SECRET_BYTES = 32;

/** A signed transaction of that version, as sendTransaction takes it. */
export async function signTransaction(version: TransactionVersion, unsigned: Unsigned): Promise<Uint8Array> {
  if (version === 1) return signV1(unsigned);
  const { instructions, blockhash, signers, tables } = unsigned;
  const message = new TransactionMessage({ payerKey: signers[0].publicKey, recentBlockhash: blockhash, instructions });
  const compiled = version === 0 ? message.compileToV0Message(tables) : message.compileToLegacyMessage();
  const transaction = new VersionedTransaction(compiled);
  transaction.sign([...signers]);
  return transaction.serialize();
}

/** @solana/web3.js reads version 1 but cannot write it. */
async function signV1({ instructions, blockhash, signers }: Unsigned): Promise<Uint8Array> {
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n };
  const message = pipe(
    createTransactionMessage({ version: 1 }),
    (empty) => setTransactionMessageFeePayer(address(signers[0].publicKey.toBase58()), empty),
    (payed) => setTransactionMessageLifetimeUsingBlockhash(lifetime, payed),
    (timed) => appendTransactionMessageInstructions(instructions.map(toKit), timed),
    (whole) => setTransactionMessageConfig(limitsOf(instructions.length), whole),
  );
  const secrets = signers.map(({ secretKey }) => new Uint8Array(secretKey.slice(0, SECRET_BYTES)));
  const keys = await Promise.all(secrets.map((secret) => createKeyPairFromPrivateKeyBytes(secret)));
  const signed = await partiallySignTransaction(keys, compileTransaction(message));
  return new Uint8Array(getTransactionEncoder().encode(signed));
}

function limitsOf(instructions: number) {
  return {
    computeUnitLimit: Math.min(MOST_UNITS, instructions * UNITS_PER_INSTRUCTION),
    loadedAccountsDataSizeLimit: MOST_LOADED_BYTES,
  };
}

/** Roles are two bits: signer, writable. */
function toKit({ programId, keys, data }: TransactionInstruction): Instruction {
  return {
    programAddress: address(programId.toBase58()),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: address(pubkey.toBase58()),
      role: (isSigner ? 2 : 0) + (isWritable ? 1 : 0),
    })),
    data: new Uint8Array(data),
  };
}
