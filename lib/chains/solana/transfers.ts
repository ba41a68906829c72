import { associatedAccount } from "@/lib/chains/solana/accounts";
import { type BalanceDelta, balanceDeltas } from "@/lib/chains/solana/deltas";
import type { SolanaTransaction } from "@/lib/chains/solana/wire";
import type { Network } from "@/lib/domain/networks";
import type { Block } from "@/lib/domain/networks/finality";
import { type ChainTransfer, isLookAlike, watchedTokens } from "@/lib/domain/transfers/transfer";

/** A transfer that is not yet tied to a block. */
export type Gain = Omit<ChainTransfer, "blockHeight" | "blockHash" | "blockTime">;
/** The same of any mint, known or not. */
type MintGain = Omit<Gain, "network" | "currency">;

type Owned = Omit<BalanceDelta, "owner"> & { owner: string };

/**
 * The transfers of known tokens to `owners` in a transaction: what their token accounts gained, told by balances and never
 * by instructions. The position of a transfer is the token account. Where one account of an owner paid another, only what
 * the owner gained in all arrived.
 */
export function gainsOf(network: Network, transaction: SolanaTransaction, owners: ReadonlySet<string>): Gain[] {
  return [...watchedTokens(network)].flatMap(([mint, token]) => {
    const common = { network: network.id, currency: isLookAlike(token) ? null : token.currency };
    return mintGains(transaction, mint, owners).map((gain) => ({ ...gain, ...common }));
  });
}

/** The same for one mint, whether its token is known or not. */
export function mintGains(transaction: SolanaTransaction, mint: string, owners: ReadonlySet<string>): MintGain[] {
  const ofMint = balanceDeltas(transaction)
    .filter((delta) => delta.mint === mint)
    .flatMap((delta) => withOwner(delta, owners));
  const common = { token: mint, txId: transaction.signature, from: payer(ofMint) };
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

/** Ties gains to the block they are in. */
export function inBlock(gains: readonly Gain[], block: Block): ChainTransfer[] {
  const place = { blockHeight: block.height, blockHash: block.hash, blockTime: block.time };
  return gains.map((gain) => ({ ...gain, ...place }));
}

function arrivals(changes: readonly Owned[]): Owned[] {
  const risen = changes.filter(({ delta }) => delta > 0n);
  if (changes.every(({ delta }) => delta >= 0n)) return risen;
  const delta = changes.reduce((sum, change) => sum + change.delta, 0n);
  const most = risen.toSorted((left, right) => Number(right.delta - left.delta))[0];
  return most && delta > 0n ? [{ ...most, delta }] : [];
}

/** Whoever lost most of the token; empty when nobody did, for tokens can be made. */
function payer(deltas: readonly Owned[]): string {
  const changes = new Map<string, bigint>();
  for (const { owner, delta } of deltas) changes.set(owner, (changes.get(owner) ?? 0n) + delta);
  let [from, least] = ["", 0n];
  for (const [owner, change] of changes) if (change < least) [from, least] = [owner, change];
  return from;
}

/** Old data names no owners; an account that is the associated one of a receiver is known without, others are nobody's. */
function withOwner(delta: BalanceDelta, owners: ReadonlySet<string>): Owned[] {
  if (delta.owner !== null) return [{ ...delta, owner: delta.owner }];
  const owner = [...owners].find((candidate) => associatedAccount(candidate, delta.mint) === delta.tokenAccount);
  return owner === undefined ? [] : [{ ...delta, owner }];
}
