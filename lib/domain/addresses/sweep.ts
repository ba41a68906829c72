import { encodeFunctionData, parseAbi } from "viem/utils";
import { displayAddress } from "@/lib/domain/addresses/address";
import type { SourceKind } from "@/lib/domain/addresses/load";
import { RECEIVER_FACTORY, sweepCalldata } from "@/lib/domain/addresses/receiver";
import { COIN, type COIN_NAME, type Currency, getNetwork, getToken, type Network } from "@/lib/domain/networks";

/** The maximum number of receivers that one transaction sweeps: more would exceed a block's gas or overload wallets. */
export const MAX_IN_BATCH = 50;

/** A balance of one token on one receiver; the network's native coin is `COIN`. */
export interface Held {
  index: number;
  token: string;
}

/** Returns the name and decimals of a token to sweep. */
export function heldToken(
  network: string,
  currency: Currency | typeof COIN_NAME,
): { symbol: string; decimals: number } {
  const row = getNetwork(network);
  if (currency === "COIN") return { symbol: coinOf(row), decimals: COIN_DECIMALS };
  return { symbol: currency, decimals: getToken(row, currency).decimals };
}

/** The decimals of the native coin of every EVM network. */
export const COIN_DECIMALS = 18;
export const coinOf = ({ walletFacts }: Pick<Network, "walletFacts">) => walletFacts?.coin ?? "ETH";

/**
 * The maximum gas for sweeping, a fifth above the measured values (docs/receivers.md), for tokens behind proxies. `transaction`: a
 * transaction with its first storage accesses; `receiver`: a receiver's first sweep; `furtherToken`: each further token; `transfer`: a
 * transfer by the owner of an address.
 */
const GAS = { transaction: 60_000n, receiver: 65_000n, furtherToken: 45_000n, transfer: 65_000n };

/** Returns the maximum gas for sweeping these balances. Rollups use a little more for the data. */
export function sweepGas(kind: SourceKind, held: readonly Held[]): bigint {
  if (kind === "xpub") return BigInt(held.length) * GAS.transfer;
  const receivers = BigInt(new Set(held.map(({ index }) => index)).size);
  const transactions = (receivers + BigInt(MAX_IN_BATCH) - 1n) / BigInt(MAX_IN_BATCH);
  const further = BigInt(held.length) - receivers;
  return transactions * GAS.transaction + receivers * GAS.receiver + further * GAS.furtherToken;
}

interface Lying extends Held {
  currency: Currency | typeof COIN_NAME;
  baseUnits: bigint;
}

/**
 * Separates balances that are worth sweeping from small balances: token amounts below the owner's minimum, and native coin that is worth
 * no more than the gas for its sweep, if the gas price is known.
 * @param minMicro millionths of a token
 */
export function partByWorth<T extends Lying>(
  kind: SourceKind,
  network: string,
  rows: readonly T[],
  { minMicro, gasPrice }: { minMicro: bigint; gasPrice: bigint | null },
): { worth: T[]; small: T[] } {
  const isWorth = (row: T) => {
    if (row.token === COIN) return row.baseUnits > (gasPrice ?? 0n) * sweepGas(kind, [row]);
    const { decimals } = heldToken(network, row.currency);
    return row.baseUnits * 1_000_000n >= minMicro * 10n ** BigInt(decimals);
  };
  return { worth: rows.filter(isWorth), small: rows.filter((row) => !isWorth(row)) };
}

/** A transaction to the factory, without value. */
export interface SweepBatch {
  indexes: number[];
  tokens: string[];
  to: string;
  data: string;
}

/** Returns the transactions that sweep all balances of a treasury's receivers to the treasury, with at most fifty receivers in each. */
export function sweepBatches(treasury: string, held: readonly Held[]): SweepBatch[] {
  const all = [...new Set(held.map(({ index }) => index))].toSorted((a, b) => a - b);
  const batches: SweepBatch[] = [];
  for (let from = 0; from < all.length; from += MAX_IN_BATCH) {
    const indexes = all.slice(from, from + MAX_IN_BATCH);
    const within = new Set(indexes);
    const tokens = [...new Set(held.flatMap(({ index, token }) => (within.has(index) ? [token] : [])))].toSorted();
    const data = sweepCalldata(treasury, indexes, tokens);
    batches.push({ indexes, tokens, to: displayAddress("evm", RECEIVER_FACTORY), data });
  }
  return batches;
}

const TOKEN_ABI = parseAbi(["function transfer(address to, uint256 value)"]);

/** Returns the calldata with which a token contract transfers an amount. */
export function transferCalldata(to: string, baseUnits: bigint): string {
  return encodeFunctionData({ abi: TOKEN_ABI, functionName: "transfer", args: [to as `0x${string}`, baseUnits] });
}

/**
 * Returns a file for Safe's Transaction Builder, which proposes all batches as one transaction.
 * @see https://help.safe.global/en/articles/234052-transaction-builder
 */
export function safeFile(
  { chainId, name }: { chainId: string; name: string },
  batches: readonly Pick<SweepBatch, "to" | "data">[],
  now: Date,
): string {
  const transactions = batches.map(({ to, data }) => ({ to, value: "0", data, contractMethod: null }));
  const meta = { name, description: "", txBuilderVersion: "1.16.5" };
  return JSON.stringify({ version: "1.0", chainId, createdAt: now.getTime(), meta, transactions }, null, 2);
}

export interface SweepRow {
  address: string;
  index: number;
  currency: Currency | typeof COIN_NAME;
  token: string;
  baseUnits: bigint;
  readAt: Date;
  /** The derivation path for a wallet that has the keys; null for a receiver, which needs no key. */
  path: string | null;
}

/** All balances that can be swept from one source on one network. */
export interface Sweepable {
  network: string;
  sourceId: string;
  label: string;
  kind: SourceKind;
  /** The address to which receivers send their balances; null for addresses of a public key. */
  treasury: string | null;
  /** The balances that are worth sweeping. */
  rows: SweepRow[];
  /** The balances that are left out: below the given minimum, or below the cost of their gas. */
  small: SweepRow[];
  /** The native coin balances of a public key's addresses, which need them for gas; empty for receivers, whose native coin is swept. */
  coins: SweepRow[];
  /**
   * The batches. The list is empty for addresses of a public key, and if the factory was not found, because a transaction to a missing
   * factory would only cost gas.
   */
  batches: SweepBatch[];
  hasFactory: boolean;
  /**
   * The maximum gas for sweeping `rows`, and the gas price per unit of gas in the smallest unit of the native coin; the price is null if
   * unknown.
   */
  gas: bigint;
  gasPrice: { wei: bigint; at: Date } | null;
}
