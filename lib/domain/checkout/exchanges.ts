import { parseUnits } from "@/lib/domain/money";
import type { Currency } from "@/lib/domain/networks";

/** A withdrawal of a token from an exchange on one network. Fees and minimums change, so they are shown as approximate. */
export interface Withdrawal {
  /** The id of the network. */
  network: string;
  currency: Currency;
  /** The exchange's own name of the network, as its withdrawal form shows it. */
  name: string;
  /** The approximate fee, a decimal amount of the token; null if the exchange publishes none. */
  fee: string | null;
  /** The approximate minimum amount of a withdrawal; null if it is negligible or not published. */
  minimum: string | null;
}

/** The source of a fact, and the month in which the fact was read. */
interface Source {
  source: string;
  readAt: string;
}

/** An exchange from which payers withdraw tokens. */
export interface Exchange {
  /** The id in the page's URL. */
  id: string;
  name: string;
  /** The sources of the names, of the fees, and of the minimums. */
  sources: { names: Source; fees: Source; minimums: Source | null };
  withdrawals: readonly Withdrawal[];
}

type Row = [name: string, fee: string | null, minimum?: string];

/** Returns the withdrawals of one token, from rows by the id of the network. */
function withdrawalsOf(currency: Currency, rows: Readonly<Record<string, Row>>): Withdrawal[] {
  return Object.entries(rows).map(([network, [name, fee, minimum = null]]) => {
    return { network, currency, name, fee, minimum };
  });
}

/**
 * The fees that a comparison of exchanges read from their withdrawal pages in August and September 2026 (gaokai258/feemcp,
 * data/withdrawal_fees.json, which cites each page).
 */
const FEES: Source = { source: "github.com/gaokai258/feemcp, data/withdrawal_fees.json", readAt: "2026-09" };

/**
 * Responses of the exchanges' own API that the library ccxt keeps for its tests. The responses are older than the month in which they were
 * read, so minimums that are a multiple of an outdated fee are left out.
 */
const recorded = (file: string, commit: string): Source => ({
  source: `github.com/ccxt/ccxt@${commit}, ts/src/test/static/currencies/${file}.json`,
  readAt: "2026-11",
});

const BINANCE = recorded("binance", "06e0433e");
const OKX = recorded("okx", "074392c5");
const BYBIT = recorded("bybit", "178eebdd");
const COINBASE = recorded("coinbaseexchange", "1f054830");
const KUCOIN = recorded("kucoin", "178eebdd");
const KRAKEN = { source: "github.com/ccxt/ccxt 4.5.84, kraken.js: names of WithdrawMethods", readAt: "2026-11" };
const KRAKEN_FEES = {
  source: "support.kraken.com/articles/cryptocurrency-withdrawal-fees-and-minimums",
  readAt: "2026-07",
};

/**
 * The exchanges that payers can select, the largest first. A payer of another exchange selects none, and sees the instructions without an
 * exchange's names and fees. Networks whose withdrawals were paused when the fees were read are not listed. Where the source of the names
 * lacks a network, its row has the network's own name.
 */
export const EXCHANGES: readonly Exchange[] = [
  {
    id: "binance",
    name: "Binance",
    sources: { names: BINANCE, fees: FEES, minimums: BINANCE },
    withdrawals: [
      ...withdrawalsOf("USDT", {
        ethereum: ["Ethereum (ERC20)", "0.3"],
        bsc: ["BNB Smart Chain (BEP20)", "0.01", "10"],
        tron: ["Tron (TRC20)", "1.5", "10"],
        solana: ["Solana", "0.3"],
        polygon: ["Polygon", "0.07", "10"],
        arbitrum: ["Arbitrum One", "0.1", "5"],
        optimism: ["Optimism", "0.04"],
        avalanche: ["AVAX C-Chain", "0.04"],
        celo: ["CELO", null, "10"],
      }),
      ...withdrawalsOf("USDC", {
        ethereum: ["Ethereum (ERC20)", "0.6"],
        bsc: ["BNB Smart Chain (BEP20)", "0"],
        solana: ["Solana", "0.3"],
        base: ["Base", "0.2"],
        polygon: ["Polygon", "0.12"],
        arbitrum: ["Arbitrum One", "0.2"],
        optimism: ["Optimism", "0.05"],
        avalanche: ["AVAX C-Chain", "0.056"],
      }),
    ],
  },
  {
    id: "okx",
    name: "OKX",
    sources: { names: OKX, fees: FEES, minimums: OKX },
    withdrawals: [
      ...withdrawalsOf("USDT", {
        ethereum: ["ERC20", "0.41", "2"],
        tron: ["TRC20", "1.5", "2"],
        solana: ["Solana", "0.28", "0.1"],
        polygon: ["Polygon", "0.011"],
        arbitrum: ["Arbitrum One", "0.0032", "0.1"],
        optimism: ["Optimism", "0.013", "1"],
        avalanche: ["Avalanche C-Chain", "0.0038"],
      }),
      ...withdrawalsOf("USDC", {
        ethereum: ["ERC20", "0.69"],
        solana: ["Solana", "0.28"],
        base: ["Base", "0.047"],
        polygon: ["Polygon", "0.024"],
        arbitrum: ["Arbitrum One", "0.0054"],
        optimism: ["Optimism", "0.027"],
        avalanche: ["Avalanche C-Chain", "0.019"],
      }),
    ],
  },
  {
    id: "bybit",
    name: "Bybit",
    sources: { names: BYBIT, fees: FEES, minimums: BYBIT },
    withdrawals: [
      ...withdrawalsOf("USDT", {
        ethereum: ["ERC20", "0.8"],
        bsc: ["BSC (BEP20)", "0.2", "10"],
        tron: ["TRC20", "1", "1"],
        solana: ["SOL", "0.5", "10"],
        polygon: ["MATIC", "0.1", "1"],
        arbitrum: ["Arbitrum One", "0.1", "1"],
        optimism: ["Optimism", "1", "1"],
        avalanche: ["AVAXC", "0.1", "10"],
      }),
      ...withdrawalsOf("USDC", {
        ethereum: ["ERC20", "0.8"],
        bsc: ["BSC (BEP20)", "0.2"],
        solana: ["SOL", "1"],
        base: ["Base", "0.5"],
        polygon: ["MATIC", "1"],
        arbitrum: ["Arbitrum One", "0.2"],
        optimism: ["Optimism", "1"],
        avalanche: ["AVAXC", "1"],
      }),
    ],
  },
  {
    id: "coinbase",
    name: "Coinbase",
    sources: { names: COINBASE, fees: FEES, minimums: COINBASE },
    withdrawals: [
      ...withdrawalsOf("USDT", {
        ethereum: ["Ethereum", "8"],
        solana: ["Solana", "0.2"],
        polygon: ["Polygon", null, "1"],
        arbitrum: ["Arbitrum", null],
      }),
      ...withdrawalsOf("USDC", {
        ethereum: ["Ethereum", "5"],
        base: ["Base", "0"],
        solana: ["Solana", null],
      }),
    ],
  },
  {
    id: "kraken",
    name: "Kraken",
    sources: { names: KRAKEN, fees: KRAKEN_FEES, minimums: null },
    withdrawals: [
      ...withdrawalsOf("USDT", {
        ethereum: ["Tether USD (ERC20)", "0.65"],
        tron: ["Tether USD (TRC20)", "1"],
        solana: ["Solana", "1.05"],
        polygon: ["Polygon", "1"],
        arbitrum: ["Arbitrum One", "1"],
        optimism: ["Optimism", "1"],
        avalanche: ["Avalanche C-Chain", "1"],
      }),
      ...withdrawalsOf("USDC", {
        ethereum: ["Ethereum", "0.66"],
        solana: ["Solana", "1.05"],
        base: ["Base", "1"],
        polygon: ["Polygon", "1"],
        arbitrum: ["Arbitrum One", "1"],
        optimism: ["Optimism", "1"],
        avalanche: ["Avalanche C-Chain", "1"],
      }),
    ],
  },
  {
    id: "kucoin",
    name: "KuCoin",
    sources: { names: KUCOIN, fees: FEES, minimums: null },
    withdrawals: [
      ...withdrawalsOf("USDT", {
        ethereum: ["ERC20", "5.5"],
        bsc: ["BEP20", "1"],
        tron: ["TRC20", "1.5"],
        solana: ["SOL", "1.5"],
        polygon: ["Polygon", "0.8"],
        arbitrum: ["ARBITRUM", "1"],
        optimism: ["OPTIMISM", "1"],
        avalanche: ["Avalanche C-Chain", "1"],
      }),
      ...withdrawalsOf("USDC", {
        ethereum: ["ERC20", "5.5"],
        solana: ["SOL", "1"],
        base: ["Base", "0.5"],
        polygon: ["Polygon", "0.21"],
        arbitrum: ["ARBITRUM", "1"],
        optimism: ["OPTIMISM", "1"],
        avalanche: ["Avalanche C-Chain", "1"],
      }),
    ],
  },
];

/** The holder of the payer's tokens: a wallet, or an account at an exchange (null: one that is not listed, or not selected yet). */
export type PaySource = { kind: "wallet" } | { kind: "exchange"; exchange: Exchange | null };

/** Returns the source in the `from` parameter of the page's URL; null if the payer selected none. */
export function readSource(text: string | null): PaySource | null {
  if (text === "wallet") return { kind: "wallet" };
  if (text === "exchange") return { kind: "exchange", exchange: null };
  const exchange = EXCHANGES.find(({ id }) => id === text);
  return exchange ? { kind: "exchange", exchange } : null;
}

/** Returns the `from` parameter of a source; null if the payer selected none. */
export function sourceName(source: PaySource | null): string | null {
  if (source === null) return null;
  return source.kind === "exchange" && source.exchange ? source.exchange.id : source.kind;
}

/** Returns an exchange's withdrawal of a token on a network; null if it is not listed. */
export function withdrawalFor(
  { withdrawals }: Pick<Exchange, "withdrawals">,
  method: { network: string; currency: Currency },
): Withdrawal | null {
  return withdrawals.find((one) => one.network === method.network && one.currency === method.currency) ?? null;
}

const DECIMALS = 18;

/** Returns true if an amount, a decimal string, is less than the minimum of a withdrawal. */
export function isBelowMinimum({ minimum }: Pick<Withdrawal, "minimum">, amount: string): boolean {
  return minimum !== null && (parseUnits(amount, DECIMALS) ?? 0n) < (parseUnits(minimum, DECIMALS) ?? 0n);
}
