import {
  type Address,
  getBase58Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type ReadonlyUint8Array,
  type Transaction,
} from "@solana/kit";
import { RpcProblem } from "@/sandbox/json-rpc-answer";
import type { Loaded } from "@/sandbox/solana/stored-transaction";

const base58 = getBase58Decoder();

/** Bytes in Solana's base58. */
export function toBase58(bytes: ReadonlyUint8Array): string {
  return base58.decode(bytes);
}

interface CompiledInstruction {
  programIdIndex: number;
  accounts: number[];
  data: string;
}

interface TableLookup {
  accountKey: Address;
  writableIndexes: number[];
  readonlyIndexes: number[];
}

/** A transaction as sent, read. */
export interface SentTransaction {
  /** What the virtual machine takes. */
  transaction: Transaction;
  raw: string;
  signature: string;
  signatures: string[];
  version: "legacy" | 0;
  header: { numRequiredSignatures: number; numReadonlySignedAccounts: number; numReadonlyUnsignedAccounts: number };
  staticKeys: string[];
  recentBlockhash: string;
  instructions: CompiledInstruction[];
  lookups: TableLookup[];
}

/** Reads a transaction's bytes (base64). @throws RpcProblem −32602 when they are no transaction of a known version. */
export function readTransaction(raw: string): SentTransaction {
  try {
    return parse(raw);
  } catch (error) {
    const why = error instanceof Error ? error.message : "unreadable";
    throw new RpcProblem(-32602, `failed to deserialize solana_transaction::versioned::VersionedTransaction: ${why}`);
  }
}

function parse(raw: string): SentTransaction {
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(raw));
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
  if (message.version !== "legacy" && message.version !== 0) throw new Error("unsupported version");
  const signatures = Object.values(transaction.signatures).map((signature) =>
    toBase58(signature ?? new Uint8Array(64)),
  );
  return {
    transaction,
    raw,
    signature: signatures[0] ?? "",
    signatures,
    version: message.version,
    header: {
      numRequiredSignatures: message.header.numSignerAccounts,
      numReadonlySignedAccounts: message.header.numReadonlySignerAccounts,
      numReadonlyUnsignedAccounts: message.header.numReadonlyNonSignerAccounts,
    },
    staticKeys: [...message.staticAccounts],
    recentBlockhash: message.lifetimeToken ?? "",
    instructions: message.instructions.map((instruction) => ({
      programIdIndex: instruction.programAddressIndex,
      accounts: [...(instruction.accountIndices ?? [])],
      data: instruction.data ? toBase58(instruction.data) : "",
    })),
    lookups: (message.version === 0 ? (message.addressTableLookups ?? []) : []).map((table) => ({
      accountKey: table.lookupTableAddress,
      writableIndexes: [...table.writableIndexes],
      readonlyIndexes: [...table.readonlyIndexes],
    })),
  };
}

/** Every account of a transaction in the order its indexes count: static, then writable, then readonly loaded ones. */
export function accountKeys(sent: SentTransaction, loaded: Loaded): string[] {
  return [...sent.staticKeys, ...loaded.writable, ...loaded.readonly];
}

/** Account keys with their roles, as nodes show them where they parse. */
export function keyRoles(sent: SentTransaction, loaded: Loaded) {
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = sent.header;
  const staticCount = sent.staticKeys.length;
  const isWritable = (index: number) => {
    if (index >= staticCount) return index < staticCount + loaded.writable.length;
    if (index < numRequiredSignatures) return index < numRequiredSignatures - numReadonlySignedAccounts;
    return index < staticCount - numReadonlyUnsignedAccounts;
  };
  return accountKeys(sent, loaded).map((pubkey, index) => ({
    pubkey,
    signer: index < numRequiredSignatures,
    source: index < staticCount ? "transaction" : "lookupTable",
    writable: isWritable(index),
  }));
}
