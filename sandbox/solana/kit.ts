import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createKeyPairFromPrivateKeyBytes,
  createTransactionMessage,
  type EncodedAccount,
  getBase58Decoder,
  getBase58Encoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  lamports,
  partiallySignTransaction,
  pipe,
  type ReadonlyUint8Array,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
  type V1CompiledTransactionMessage,
} from "@solana/kit";
import type { Keypair, TransactionInstruction } from "@solana/web3.js";

/**
 * The parts of @solana/kit that the local chain uses. Its types are compatible with litesvm. Unlike @solana/web3.js, it can write version
 * 1 transactions.
 */
export {
  type Address,
  address,
  type EncodedAccount,
  lamports,
  type ReadonlyUint8Array,
  type Transaction,
  type V1CompiledTransactionMessage,
};

const base58 = getBase58Decoder();

/** Encodes bytes in Solana's base58. */
export function toBase58(bytes: ReadonlyUint8Array): string {
  return base58.decode(bytes);
}

/** Decodes a string in Solana's base58. */
export function fromBase58(text: string): ReadonlyUint8Array {
  return getBase58Encoder().encode(text);
}

/** Decodes a transaction of any version. @param raw its bytes in base64 */
export function decodeTransaction(raw: string) {
  const bytes = getBase64Encoder().encode(raw);
  const transaction = getTransactionDecoder().decode(bytes);
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
  return { size: bytes.length, transaction, message };
}

/**
 * The maximum account data, in bytes, that transactions of other versions can load. A version 1 transaction that sets no limit cannot load
 * any account data.
 */
const MAX_LOADED_BYTES = 64 * 1_024 * 1_024;
const MAX_UNITS = 1_400_000;
const UNITS_PER_INSTRUCTION = 200_000;
const SECRET_BYTES = 32;

/** Returns a signed transaction of version 1, which @solana/web3.js reads but cannot write. The first signer pays the fee. */
export async function signVersion1({
  instructions,
  blockhash,
  signers,
}: {
  instructions: readonly TransactionInstruction[];
  blockhash: string;
  signers: readonly [Keypair, ...Keypair[]];
}): Promise<Uint8Array> {
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n };
  const message = pipe(
    createTransactionMessage({ version: 1 }),
    (empty) => setTransactionMessageFeePayer(address(signers[0].publicKey.toBase58()), empty),
    (payed) => setTransactionMessageLifetimeUsingBlockhash(lifetime, payed),
    (timed) => appendTransactionMessageInstructions(instructions.map(toInstruction), timed),
    (whole) => setTransactionMessageConfig(limitsOf(instructions.length), whole),
  );
  const secrets = signers.map(({ secretKey }) => new Uint8Array(secretKey.slice(0, SECRET_BYTES)));
  const keys = await Promise.all(secrets.map((secret) => createKeyPairFromPrivateKeyBytes(secret)));
  const signed = await partiallySignTransaction(keys, compileTransaction(message));
  return new Uint8Array(getTransactionEncoder().encode(signed));
}

function limitsOf(instructions: number) {
  return {
    computeUnitLimit: Math.min(MAX_UNITS, instructions * UNITS_PER_INSTRUCTION),
    loadedAccountsDataSizeLimit: MAX_LOADED_BYTES,
  };
}

/** Converts an instruction to the format of @solana/kit, in which an account's role has two bits: signer and writable. */
function toInstruction({ programId, keys, data }: TransactionInstruction): Instruction {
  return {
    programAddress: address(programId.toBase58()),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: address(pubkey.toBase58()),
      role: (isSigner ? 2 : 0) + (isWritable ? 1 : 0),
    })),
    data: new Uint8Array(data),
  };
}
