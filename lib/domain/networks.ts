/** The currencies an order can ask for. */
export const CURRENCIES = ["USDT", "USDC"] as const;
export type Currency = (typeof CURRENCIES)[number];

export type Family = "evm";

/** A currency on a network: the contract decides, never the symbol. */
export interface Token {
  currency: Currency;
  /** As people and explorers write it (EIP-55 checksum on EVM networks). */
  contract: string;
  decimals: number;
}

/**
 * When a transfer is final. `depth`: that many blocks, its own included.
 * `finalized`: the node's `finalized` tag; `depth` serves where a node has no such tag.
 */
export interface Finality {
  by: "depth" | "finalized";
  depth: number;
}

/** How a watcher reads new blocks: each by its hash, or in ranges that end a few blocks behind the head. */
export type Pace = { by: "block" } | { by: "range"; everyMs: number; behindHead: number };

export interface Network {
  id: string;
  aliases: readonly string[];
  family: Family;
  chainId: number;
  /** Name for people. */
  name: string;
  /** Short name of the token standard, for people. */
  standard: string;
  /** Brand colour, and the text colour that is legible on it. */
  color: { background: string; text: string };
  blockMs: number;
  finality: Finality;
  pace: Pace;
  explorer: { name: string; tx: string; address: string; token: string };
  tokens: readonly Token[];
}

/**
 * Facts about networks. A new EVM network is one more row here and an RPC URL.
 * Contracts and decimals are compared with the chain when a worker starts.
 * Sources: issuers' lists (tether.to/supported-protocols, circle.com/multi-chain-usdc) and the chains' explorers.
 */
export const NETWORKS: readonly Network[] = [
  {
    id: "ethereum",
    aliases: ["erc20", "eth", "mainnet"],
    family: "evm",
    chainId: 1,
    name: "Ethereum",
    standard: "ERC20",
    color: { background: "#3b4cca", text: "#ffffff" },
    blockMs: 12_000,
    finality: { by: "depth", depth: 12 },
    pace: { by: "block" },
    explorer: {
      name: "Etherscan",
      tx: "https://etherscan.io/tx/{}",
      address: "https://etherscan.io/address/{}",
      token: "https://etherscan.io/token/{}",
    },
    tokens: [
      { currency: "USDT", contract: "0xdAC17F958D2ee523a2206206994597C13D831ec7", decimals: 6 },
      { currency: "USDC", contract: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", decimals: 6 },
    ],
  },
  {
    id: "bsc",
    aliases: ["bep20", "bnb", "binance"],
    family: "evm",
    chainId: 56,
    name: "BNB Smart Chain",
    standard: "BEP20",
    color: { background: "#f0b90b", text: "#1a1a1a" },
    blockMs: 450,
    finality: { by: "finalized", depth: 120 },
    pace: { by: "range", everyMs: 2_000, behindHead: 2 },
    explorer: {
      name: "BscScan",
      tx: "https://bscscan.com/tx/{}",
      address: "https://bscscan.com/address/{}",
      token: "https://bscscan.com/token/{}",
    },
    tokens: [
      { currency: "USDT", contract: "0x55d398326f99059fF775485246999027B3197955", decimals: 18 },
      { currency: "USDC", contract: "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d", decimals: 18 },
    ],
  },
];

const BY_NAME = new Map(NETWORKS.flatMap((network) => [network.id, ...network.aliases].map((name) => [name, network])));

/** The network of an id or alias in any case ("BEP20" is bsc), or null. */
export function findNetwork(name: string): Network | null {
  return BY_NAME.get(name.toLowerCase()) ?? null;
}

/** The network of an id that our own rows hold. @throws Error when the table lost a row that the database still uses. */
export function getNetwork(id: string): Network {
  const network = BY_NAME.get(id);
  if (!network) throw new Error(`Network "${id}" is stored in the database but not in lib/domain/networks.ts`);
  return network;
}

/** The token of a currency on a network, or null where that network has none. */
export function findToken(network: Network, currency: string): Token | null {
  return network.tokens.find((token) => token.currency === currency) ?? null;
}

/** The token of a currency on a network that our own rows hold. @throws Error as getNetwork does. */
export function getToken(network: Network, currency: string): Token {
  const token = findToken(network, currency);
  if (!token)
    throw new Error(`${currency} on ${network.id} is stored in the database but not in lib/domain/networks.ts`);
  return token;
}

/** "BNB Smart Chain (BEP20)" */
export function networkTitle(network: Network): string {
  return `${network.name} (${network.standard})`;
}
