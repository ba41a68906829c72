import { type AddressSet, ChainError } from "@/lib/chains/endpoints/source";
import type { SolanaTransaction, TokenBalance } from "@/lib/chains/solana/wire";
import { associatedAccount } from "@/lib/domain/checkout/solana-payment";
import type { Network } from "@/lib/domain/networks";
import type { Block } from "@/lib/domain/networks/finality";
import { type ChainTransfer, isLookAlike, watchedTokens } from "@/lib/domain/transfers/transfer";

/** The effect of a transaction on one token account. */
export interface BalanceDelta {
  tokenAccount: string;
  /** The owner of the account; null if the node did not record it. */
  owner: string | null;
  mint: string;
  /** The balance after minus the balance before, in base units. */
  delta: bigint;
  opened: boolean;
  closed: boolean;
}

/**
 * Returns the balance changes of token accounts in a successful transaction; a failed transaction has none, even if it lists some. An
 * account without a previous balance was opened in the transaction. If the owner of an account changes, its whole balance counts as
 * received by the new owner.
 * @throws ChainError("inconsistent") when a balance belongs to an account that is not in the transaction
 */
export function balanceDeltas(transaction: SolanaTransaction): BalanceDelta[] {
  if (!transaction.isSuccess) return [];
  const { accountKeys, before, after } = transaction;
  const account = (index: number) => {
    const key = accountKeys[index];
    if (key !== undefined) return key;
    const text = `${transaction.signature} lists a balance of account ${index}, but not the account itself`;
    throw new ChainError("inconsistent", text);
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

/** A transfer that is not yet tied to a block. */
export type Gain = Omit<ChainTransfer, "blockHeight" | "blockHash" | "blockTime">;
/** A gain of any mint, known or not. */
type MintGain = Omit<Gain, "network" | "currency">;

type Owned = Omit<BalanceDelta, "owner"> & { owner: string };

/**
 * Returns the transfers of known tokens to `owners` in a transaction: the gains of their token accounts, from balances and never from
 * instructions. The position of a transfer is the token account. If an owner moves tokens between their own accounts, only the owner's
 * total gain counts.
 */
export function gainsOf(network: Network, transaction: SolanaTransaction, owners: AddressSet): Gain[] {
  const tokens = watchedTokens(network);
  const { before, after } = transaction;
  if (![...before, ...after].some(({ mint }) => tokens.has(mint))) return [];
  const deltas = balanceDeltas(transaction);
  return [...tokens].flatMap(([mint, token]) => {
    const common = { network: network.id, currency: isLookAlike(token) ? null : token.currency };
    return gainsIn(transaction, deltas, mint, owners).map((gain) => ({ ...gain, ...common }));
  });
}

/** Returns the gains of `owners` in one mint, whether or not its token is known. */
export function mintGains(transaction: SolanaTransaction, mint: string, owners: AddressSet): MintGain[] {
  return gainsIn(transaction, balanceDeltas(transaction), mint, owners);
}

function gainsIn(
  { signature }: SolanaTransaction,
  deltas: readonly BalanceDelta[],
  mint: string,
  owners: AddressSet,
): MintGain[] {
  const ofMint = deltas.filter((delta) => delta.mint === mint).flatMap((delta) => withOwner(delta, owners));
  const common = { token: mint, txId: signature, from: payer(ofMint) };
  const byOwner = [...Map.groupBy(ofMint, ({ owner }) => owner)].filter(([owner]) => owners.has(owner));
  return byOwner.flatMap(([to, changes]) =>
    arrivals(changes).map(({ tokenAccount, delta }) => ({
      ...common,
      to,
      baseUnits: delta,
      position: tokenAccount,
    })),
  );
}

/** Ties gains to their block. */
export function inBlock(gains: readonly Gain[], block: Block): ChainTransfer[] {
  const cursor = { blockHeight: block.height, blockHash: block.hash, blockTime: block.time };
  return gains.map((gain) => ({ ...gain, ...cursor }));
}

function arrivals(changes: readonly Owned[]): Owned[] {
  const risen = changes.filter(({ delta }) => delta > 0n);
  if (changes.every(({ delta }) => delta >= 0n)) return risen;
  const delta = changes.reduce((sum, change) => sum + change.delta, 0n);
  const max = risen.toSorted((left, right) => Number(right.delta - left.delta))[0];
  return max && delta > 0n ? [{ ...max, delta }] : [];
}

/** Returns the owner with the largest loss of the token; an empty string if there is none, because tokens can be minted. */
function payer(deltas: readonly Owned[]): string {
  const changes = new Map<string, bigint>();
  for (const { owner, delta } of deltas) changes.set(owner, (changes.get(owner) ?? 0n) + delta);
  let from = "";
  let min = 0n;
  for (const [owner, change] of changes) if (change < min) [from, min] = [owner, change];
  return from;
}

/**
 * Returns the change with its owner. Old data contains no owners: the owner of a receiver's associated account is derived, and changes of
 * other accounts are left out.
 */
function withOwner(delta: BalanceDelta, owners: AddressSet): Owned[] {
  if (delta.owner !== null) return [{ ...delta, owner: delta.owner }];
  const owner = [...owners.keys()].find((candidate) => associatedAccount(candidate, delta.mint) === delta.tokenAccount);
  return owner === undefined ? [] : [{ ...delta, owner }];
}
