import { type Address, address, type EncodedAccount, type ReadonlyUint8Array, toBase58 } from "@/sandbox/solana/kit";
import type { TokenBalance } from "@/sandbox/solana/transactions/stored-transaction";

export const TOKEN_PROGRAM = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
export const TOKEN_2022_PROGRAM = address("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
export const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

const MINT_BYTES = 82;
const ACCOUNT_BYTES = 165;
const ACCOUNT_TYPE = { mint: 1, account: 2 };
const STATES = ["uninitialized", "initialized", "frozen"];

export interface TokenAccount {
  mint: string;
  owner: string;
  amount: bigint;
  state: string;
}

export interface Mint {
  decimals: number;
  supply: bigint;
  mintAuthority: string | null;
  freezeAuthority: string | null;
  isInitialized: boolean;
}

/** Returns a token account's content, or null for any other account. */
export function readTokenAccount(account: EncodedAccount): TokenAccount | null {
  if (!isOfType(account, ACCOUNT_BYTES, ACCOUNT_TYPE.account)) return null;
  const { data } = account;
  const state = STATES[data[108] ?? 0] ?? "uninitialized";
  if (state === "uninitialized") return null;
  return {
    mint: toBase58(data.slice(0, 32)),
    owner: toBase58(data.slice(32, 64)),
    amount: view(data).getBigUint64(64, true),
    state,
  };
}

/** Returns a mint's content, or null for any other account. */
export function readMint(account: EncodedAccount): Mint | null {
  if (!isOfType(account, MINT_BYTES, ACCOUNT_TYPE.mint)) return null;
  const { data } = account;
  const option = (at: number) => (view(data).getUint32(at, true) === 1 ? toBase58(data.slice(at + 4, at + 36)) : null);
  return {
    mintAuthority: option(0),
    supply: view(data).getBigUint64(36, true),
    decimals: data[44] ?? 0,
    isInitialized: data[45] === 1,
    freezeAuthority: option(46),
  };
}

/**
 * Returns true if an account has the given type. Token-2022 accounts with extensions are longer, and their type is in the byte after the
 * common part.
 */
function isOfType(account: EncodedAccount, bytes: number, type: number): boolean {
  if (!TOKEN_PROGRAMS.includes(account.programAddress)) return false;
  if (account.data.length === bytes) return true;
  return account.data.length > ACCOUNT_BYTES && account.data[ACCOUNT_BYTES] === type;
}

function view(data: ReadonlyUint8Array): DataView {
  return new DataView(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
}

/** Returns a token amount in the format of nodes' responses. An amount of zero has no uiAmount. */
export function toUiAmount(amount: bigint, decimals: number): TokenBalance["uiTokenAmount"] {
  const digits = amount.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  const text = fraction ? `${whole}.${fraction}` : whole;
  return {
    amount: amount.toString(),
    decimals,
    uiAmount: amount === 0n ? null : Number(text),
    uiAmountString: text,
  };
}
