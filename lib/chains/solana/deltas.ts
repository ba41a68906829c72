import { ChainError } from "@/lib/chains/endpoints/source";
import type { SolanaTransaction, TokenBalance } from "@/lib/chains/solana/wire";

/** What a transaction did to one token account. */
export interface BalanceDelta {
  tokenAccount: string;
  /** Null where the node did not record it. */
  owner: string | null;
  mint: string;
  /** After − before, in base units. */
  delta: bigint;
  opened: boolean;
  closed: boolean;
}

/**
 * How a successful transaction changed the balances of token accounts; a failed one changed none, whatever it lists.
 * An account that is not listed before was opened in it and held nothing. What an account held for another owner before
 * is not its new owner's past: all of it arrives.
 * @throws ChainError("inconsistent") when a balance belongs to no account of the transaction
 */
export function balanceDeltas(transaction: SolanaTransaction): BalanceDelta[] {
  if (!transaction.isSuccess) return [];
  const { accountKeys, before, after } = transaction;
  const account = (index: number) => {
    const key = accountKeys[index];
    if (key !== undefined) return key;
    const words = `${transaction.signature} has a balance of account ${index}, but no such account`;
    throw new ChainError("inconsistent", words);
  };
  const opening = new Map(before.map((balance) => [balance.accountIndex, balance]));
  const closing = new Map(after.map((balance) => [balance.accountIndex, balance]));
  return [...new Set([...opening.keys(), ...closing.keys()])].flatMap((index) =>
    changesOf(account(index), opening.get(index), closing.get(index)),
  );
}

function changesOf(tokenAccount: string, old: TokenBalance | undefined, now: TokenBalance | undefined): BalanceDelta[] {
  if (old && now && !isSameHolding(old, now)) {
    return [...changesOf(tokenAccount, old, undefined), ...changesOf(tokenAccount, undefined, now)];
  }
  const known = now ?? old;
  if (!known) return [];
  const delta = units(now) - units(old);
  const owner = known.owner ?? old?.owner ?? null;
  return [{ tokenAccount, owner, mint: known.mint, delta, opened: !old, closed: !now }];
}

function isSameHolding(old: TokenBalance, now: TokenBalance): boolean {
  const isSameOwner = old.owner == null || now.owner == null || old.owner === now.owner;
  return isSameOwner && old.mint === now.mint;
}

function units(balance: TokenBalance | undefined): bigint {
  return BigInt(balance?.uiTokenAmount.amount ?? 0);
}
