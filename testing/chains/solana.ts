import { randomUUID } from "node:crypto";
import {
  type AddressLookupTableAccount,
  AddressLookupTableProgram,
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
} from "@solana/web3.js";
import * as z from "zod";
import { type Currency, getNetwork, getToken } from "@/lib/domain/networks";
import { type SolanaNode, startSolanaNode } from "@/sandbox/nodes/solana-node";
import { PAYER } from "@/sandbox/solana/accounts/mints";
import {
  associatedTokenAccount,
  closeTokenAccount,
  createTokenAccount,
  memo,
  mintTo,
  transferChecked,
} from "@/sandbox/solana/transactions/instructions";
import type { TransactionVersion } from "@/sandbox/solana/transactions/message";
import { signTransaction } from "@/sandbox/solana/transactions/sign-transaction";

const TOKEN_PROGRAM = new PublicKey("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
const INITIALIZE_ACCOUNT_3 = 18;
const TOKEN_ACCOUNT_BYTES = 165;
const DECIMALS = 6;
const payer = PAYER.publicKey;

export interface Payment {
  to: PublicKey;
  currency: Currency;
  baseUnits: bigint;
}

interface Sending {
  signers?: Keypair[];
  tables?: AddressLookupTableAccount[];
  skipPreflight?: boolean;
  /** The version of the transaction; defaults to version 0 with tables, otherwise to legacy. */
  version?: TransactionVersion;
}

export type TestSolana = Awaited<ReturnType<typeof startTestSolana>>;

/** Starts a real local Solana chain whose slots advance only on request. */
export async function startTestSolana(lag = { confirmed: 0, finalized: 32 }) {
  const node: SolanaNode = await startSolanaNode({ slotMs: null, lag });
  const connection = new Connection(node.url, "confirmed");
  const advance = (slots = 1) => node.call("solana_advance", [slots]);

  /** Sends a transaction; it is in the block of the next slot. */
  async function send(instructions: TransactionInstruction[], sending: Sending = {}): Promise<string> {
    const { blockhash } = await connection.getLatestBlockhash("finalized");
    const unique = [...instructions, memo(randomUUID())];
    const { tables = [], signers = [], skipPreflight = true, version = tables.length > 0 ? 0 : "legacy" } = sending;
    const unsigned = { instructions: unique, blockhash, signers: [PAYER, ...signers] as const, tables };
    return connection.sendRawTransaction(await signTransaction(version, unsigned), { skipPreflight });
  }

  /** Creates a lookup table that contains the token accounts of these owners. */
  async function makeTable(owners: readonly PublicKey[]): Promise<AddressLookupTableAccount> {
    const recentSlot = await connection.getSlot("confirmed");
    const authority = payer;
    const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({ authority, payer, recentSlot });
    const addresses = owners.flatMap((owner) => [accountOf(owner, "USDT"), accountOf(owner, "USDC")]);
    await send([create, AddressLookupTableProgram.extendLookupTable({ authority, payer, lookupTable, addresses })]);
    await advance(2);
    const { value } = await connection.getAddressLookupTable(lookupTable);
    if (!value) throw new Error("The lookup table was not made");
    return value;
  }

  return {
    node,
    connection,
    advance,
    send,
    makeTable,
    /** Pays to associated accounts, which are created if necessary, in one transaction. */
    pay: (payments: readonly Payment[], sending?: Sending) => send(payments.flatMap(paying), sending),
    slot: async () => connection.getSlot("confirmed"),
    /** Returns the bytes of a confirmed transaction, so that it can be sent again. */
    rawOf: async (signature: string) => {
      const config = { encoding: "base64", commitment: "confirmed", maxSupportedTransactionVersion: 1 };
      const answer = await node.call("getTransaction", [signature, config]);
      const { transaction } = z.object({ transaction: z.tuple([z.string(), z.string()]) }).parse(answer);
      return Buffer.from(transaction[0], "base64");
    },
    stop: () => node.stop(),
  };
}

/** Returns the associated token account of an owner. */
export function accountOf(owner: PublicKey, currency: Currency): PublicKey {
  return associatedTokenAccount({ mint: mintOf(currency), owner });
}

function mintOf(currency: Currency): PublicKey {
  return new PublicKey(getToken(getNetwork("solana"), currency).contract);
}

/** Returns the instructions that mint new tokens. */
export function minting({ to, currency, baseUnits }: Payment): TransactionInstruction[] {
  const mint = mintOf(currency);
  const create = createTokenAccount({ mint, owner: to, payer });
  return [create, mintTo({ mint, to: accountOf(to, currency), baseUnits, authority: payer })];
}

/** Returns the instructions that transfer the payer's tokens. */
export function paying({ to, currency, baseUnits }: Payment): TransactionInstruction[] {
  const create = createTokenAccount({ mint: mintOf(currency), owner: to, payer });
  return [create, moving(payer, accountOf(to, currency), currency, baseUnits)];
}

/** Returns the instruction that transfers tokens from an owner's associated account; the owner must sign. */
export function moving(owner: PublicKey, to: PublicKey, currency: Currency, baseUnits: bigint): TransactionInstruction {
  const mint = mintOf(currency);
  return transferChecked({ mint, from: accountOf(owner, currency), to, owner, baseUnits, decimals: DECIMALS });
}

/** Returns the instruction that closes an owner's associated account. The owner must sign, and the account must be empty. */
export function closing(owner: PublicKey, currency: Currency): TransactionInstruction {
  return closeTokenAccount({ account: accountOf(owner, currency), owner });
}

/** Returns the instructions that create a token account at a separate address; its keypair must sign. */
export function opening(account: PublicKey, owner: PublicKey, currency: Currency): TransactionInstruction[] {
  const lamports = 10_000_000;
  const create = { fromPubkey: payer, newAccountPubkey: account, lamports, space: TOKEN_ACCOUNT_BYTES };
  const keys = [
    { pubkey: account, isSigner: false, isWritable: true },
    { pubkey: mintOf(currency), isSigner: false, isWritable: false },
  ];
  const data = Buffer.concat([Buffer.from([INITIALIZE_ACCOUNT_3]), owner.toBuffer()]);
  return [
    SystemProgram.createAccount({ ...create, programId: TOKEN_PROGRAM }),
    new TransactionInstruction({ programId: TOKEN_PROGRAM, keys, data }),
  ];
}

/** Returns the owner of a receiving address in tests; the same name always gives the same owner. */
export function ownerNamed(name: string): Keypair {
  return Keypair.fromSeed(Buffer.from(name.padEnd(32, ".").slice(0, 32)));
}
