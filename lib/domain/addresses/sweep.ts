import { encodeFunctionData, parseAbi } from "viem/utils";
import { displayAddress } from "@/lib/domain/addresses/address";
import type { SourceKind } from "@/lib/domain/addresses/load";
import { RECEIVER_FACTORY, sweepCalldata } from "@/lib/domain/addresses/receiver";
import { COIN, type COIN_NAME, type Currency, getNetwork, getToken, type Network } from "@/lib/domain/networks";

/** Receivers that one transaction sweeps at most: beyond it, a block's gas and a wallet's patience. */
export const MAX_IN_BATCH = 50;

/** A balance of one token on one receiver; the network's own coin is `COIN`. */
export interface Held {
  index: number;
  token: string;
}

/** Returns the name and decimals of a token that is to be swept. */
export function heldToken(
  network: string,
  currency: Currency | typeof COIN_NAME,
): { symbol: string; decimals: number } {
  const row = getNetwork(network);
  if (currency === "COIN") return { symbol: coinOf(row), decimals: COIN_DECIMALS };
  return { symbol: currency, decimals: getToken(row, currency).decimals };
}

/** The decimals of the coin of every EVM network. */
export const COIN_DECIMALS = 18;
export const coinOf = ({ walletFacts }: Pick<Network, "walletFacts">) => walletFacts?.coin ?? "ETH";

/**
 * Gas that sweeping takes at most, a fifth above what was measured (docs/receivers.md), for tokens behind proxies: of a transaction with
 * what it touches first, of a receiver's first sweep, and of each further token; or of a transfer by the owner of an address.
 */
const GAS = { transaction: 60_000n, receiver: 65_000n, furtherToken: 45_000n, transfer: 65_000n };

/** Gas, at most, that sweeping this takes. Rollups take a little more for the data. */
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
 * Parts what is worth its sweep from what is not: a token's amount below what its owner named, and coin that is less than the gas which it
 * would take where gas has a price.
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

/** The transactions that send all that receivers of a treasury hold to it, at most fifty receivers in each. */
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

/** Returns the calldata that makes a token contract transfer an amount. */
export function transferCalldata(to: string, baseUnits: bigint): string {
  return encodeFunctionData({ abi: TOKEN_ABI, functionName: "transfer", args: [to as `0x${string}`, baseUnits] });
}

/**
 * A file for Safe's Transaction Builder, which proposes all of the batches as one transaction.
 * @see https://help.safe.global/en/articles/234052-transaction-builder
 */
export function safeFile(chainId: string, batches: readonly Pick<SweepBatch, "to" | "data">[], now: Date): string {
  const transactions = batches.map(({ to, data }) => ({ to, value: "0", data, contractMethod: null }));
  const meta = { name: "Sweep receivers", description: "", txBuilderVersion: "1.16.5" };
  return JSON.stringify({ version: "1.0", chainId, createdAt: now.getTime(), meta, transactions }, null, 2);
}

export interface SweepRow {
  address: string;
  index: number;
  currency: Currency | typeof COIN_NAME;
  token: string;
  baseUnits: bigint;
  readAt: Date;
  /** The derivation path for a wallet that has the keys; null for a receiver, which needs none. */
  path: string | null;
}

/** All that can be swept from one source on one network. */
export interface Sweepable {
  network: string;
  sourceId: string;
  label: string;
  kind: SourceKind;
  /** The address to which receivers send it; null for addresses of a public key. */
  treasury: string | null;
  /** The balances that are worth sweeping. */
  rows: SweepRow[];
  /** The balances that are left out: below the given minimum, or below the cost of their gas. */
  small: SweepRow[];
  /** Coin on a public key's addresses, which they need for their gas; none of receivers, whose coin is swept. */
  coins: SweepRow[];
  /** The batches; none for addresses of a public key, and none if the factory was not seen: there they would only cost gas. */
  batches: SweepBatch[];
  hasFactory: boolean;
  /** The maximum gas for sweeping `rows`, and the price of a unit in the smallest unit of the coin; null if unknown. */
  gas: bigint;
  gasPrice: { wei: bigint; at: Date } | null;
}
