import { RpcProblem } from "@/sandbox/nodes/json-rpc-answer";
import {
  type Address,
  decodeTransaction,
  type ReadonlyUint8Array,
  type Transaction,
  toBase58,
  type V1CompiledTransactionMessage,
} from "@/sandbox/solana/kit";
import type { Loaded } from "@/sandbox/solana/transactions/stored-transaction";

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

/** A parsed transaction, as sent. */
export interface SentTransaction {
  /** The transaction for the virtual machine. */
  transaction: Transaction;
  raw: string;
  signature: string;
  signatures: string[];
  version: TransactionVersion;
  header: { numRequiredSignatures: number; numReadonlySignedAccounts: number; numReadonlyUnsignedAccounts: number };
  staticKeys: string[];
  recentBlockhash: string;
  instructions: CompiledInstruction[];
  lookups: TableLookup[];
  /** The compute budget of a version 1 message; older versions set it with instructions. */
  config: TransactionConfig | null;
}

export const VERSIONS = ["legacy", 0, 1] as const;
export type TransactionVersion = (typeof VERSIONS)[number];

/** The compute budget, with the field names of nodes' responses. A field is null if the message does not set it. */
export interface TransactionConfig {
  priorityFee: number | null;
  computeUnitLimit: number | null;
  loadedAccountsDataSizeLimit: number | null;
  heapSize: number | null;
}

/** The maximum size of a transaction in bytes. SIMD-0385 raised it for version 1 only. */
const MAX_BYTES = { old: 1_232, v1: 4_096 };

/** A cache of parsed transactions: blocks are requested repeatedly, and base58 is slow. */
const known = new Map<string, SentTransaction>();
const MAX_KNOWN = 2_000;

/** Parses a transaction's bytes (base64). @throws RpcProblem −32602 if they are not a transaction of a supported version. */
export function readTransaction(raw: string): SentTransaction {
  try {
    const sent = known.get(raw) ?? parse(raw);
    known.set(raw, sent);
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    return sent;
  } catch (error) {
    const why = error instanceof Error ? error.message : "unreadable";
    throw new RpcProblem(-32602, `failed to deserialize solana_transaction::versioned::VersionedTransaction: ${why}`);
  }
}

function parse(raw: string): SentTransaction {
  const { size, transaction, message } = decodeTransaction(raw);
  requireSize(size, message.version === 1 ? MAX_BYTES.v1 : MAX_BYTES.old);
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
    instructions: message.version === 1 ? readV1Instructions(message) : message.instructions.map(readInstruction),
    lookups: (message.version === 0 ? (message.addressTableLookups ?? []) : []).map((table) => ({
      accountKey: table.lookupTableAddress,
      writableIndexes: [...table.writableIndexes],
      readonlyIndexes: [...table.readonlyIndexes],
    })),
    config: message.version === 1 ? readConfig(message) : null,
  };
}

function requireSize(size: number, max: number): void {
  if (size <= max) return;
  const encoded = 4 * Math.ceil(size / 3);
  throw new Error(`too large: ${encoded} bytes (max: encoded/raw ${4 * Math.ceil(max / 3)}/${max})`);
}

function readInstruction(instruction: {
  programAddressIndex: number;
  accountIndices?: readonly number[];
  data?: ReadonlyUint8Array;
}): CompiledInstruction {
  const { programAddressIndex, accountIndices = [], data } = instruction;
  return { programIdIndex: programAddressIndex, accounts: [...accountIndices], data: data ? toBase58(data) : "" };
}

/**
 * Returns the instructions of a version 1 message, which stores the fixed-length parts of all instructions first, then the variable-length
 * parts.
 */
function readV1Instructions({ instructionHeaders, instructionPayloads }: V1CompiledTransactionMessage) {
  return instructionHeaders.map(({ programAccountIndex }, index) => {
    const { instructionAccountIndices = [], instructionData = new Uint8Array(0) } = instructionPayloads[index] ?? {};
    return {
      programIdIndex: programAccountIndex,
      accounts: [...instructionAccountIndices],
      data: toBase58(instructionData),
    };
  });
}

/**
 * Returns the compute budget of a version 1 message. The values are in the order of the mask's bits; the two lowest bits together
 * represent one value.
 */
function readConfig({ configMask, configValues }: V1CompiledTransactionMessage): TransactionConfig {
  const values = configValues.map(({ value }) => Number(value));
  const next = (bit: number) => ((configMask & bit) === 0 ? null : (values.shift() ?? null));
  return {
    priorityFee: next(0b1),
    computeUnitLimit: next(0b100),
    loadedAccountsDataSizeLimit: next(0b1000),
    heapSize: next(0b10000),
  };
}

/** Returns all accounts of a transaction in index order: static, then loaded writable, then loaded readonly. */
export function accountKeys(sent: SentTransaction, loaded: Loaded): string[] {
  return [...sent.staticKeys, ...loaded.writable, ...loaded.readonly];
}

/** Returns the account keys with their roles, in the format of nodes' parsed responses. */
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
