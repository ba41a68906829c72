/** The currencies that an order can request. */
export const CURRENCIES = ["USDT", "USDC"] as const;
export type Currency = (typeof CURRENCIES)[number];

/** The address that represents a network's native coin among tokens, as in receivers. */
export const COIN = "0x0000000000000000000000000000000000000000";
/** The name of a network's native coin, used in place of a currency. */
export const COIN_NAME = "COIN";

/** A family of networks that use the same protocols and address format. */
export type Family = "evm" | "tron" | "solana";

/** A currency on a network, identified by its contract and never by its symbol. */
export interface Token {
  currency: Currency;
  /** The contract in display form (EIP-55 checksum on EVM networks, base58 on TRON and Solana). */
  contract: string;
  decimals: number;
  /**
   * True if the operator disabled it: new orders cannot use it. It stays in the row, because existing orders and transfers in it are still
   * shown, watched and credited.
   */
  isOff?: true;
  /** The name that wallets show, if it differs from the currency's. */
  alsoShownAs?: string;
  /** A sentence for merchants that names the token's issuer, if that is not the issuer of the currency. */
  issuerNote?: string;
}

/**
 * A token that wallets show with the name of a currency, or a similar name, although the currency's issuer does not issue it on the
 * network. It is watched at the same addresses and reported, but never credited to an order.
 */
export interface LookAlike {
  /** The currency that it resembles. */
  currency: Currency;
  /** The display name, distinct from the currency: "bridged USDT". */
  name: string;
  /** The symbol that wallets and explorers show. */
  symbol: string;
  /** The contract, in the same form as a token's. */
  contract: string;
  decimals: number;
  /** A sentence that explains why it is not the currency. */
  why: string;
  /** True if the operator disabled it. It stays in the row, because the ledger may contain transfers of it. */
  isOff?: true;
}

/**
 * The rule by which a transfer is final. `depth`: the number of blocks, including its own, and, if `ms` is given, at least that much block
 * time. `finalized`: the node's `finalized` tag; depth and time apply if a node has no such tag.
 */
export interface Finality {
  by: "depth" | "finalized";
  /** The minimum number of blocks, regardless of their block time. */
  depth: number;
  /** The time in milliseconds; absent if the rule is a number of blocks only. */
  ms?: number;
}

/**
 * The polling settings of chains whose block time is less than about two seconds. Their blocks are read in ranges up to the head, at this
 * interval. The newest blocks are read again with the next range.
 */
export interface Pace {
  everyMs: number;
  behindMs: number;
}

/** The approximate fee of a network for a token transfer, in US dollars, on a typical day. */
export interface Fee {
  /** A decimal string; null if the fee is negligible. */
  from: string | null;
  to: string;
  /** The source of the fee, and the month in which it was read. */
  source: string;
  readAt: string;
}

export interface Network {
  id: string;
  aliases: readonly string[];
  family: Family;
  /** The id that a node must return: the chain id in decimal digits, on Solana the hash of the genesis block. */
  chainId: string;
  /** The display name. */
  name: string;
  /** The short display name of the token standard. */
  standard: string;
  /** The brand color, and a text color that is legible on it. */
  color: { background: string; text: string };
  /** The block time in milliseconds. In a row it is an initial estimate; watchers measure it and replace the estimate (`atBlockTime`). */
  blockMs: number;
  finality: Finality;
  pace: Pace;
  explorer: { name: string; tx: string; address: string; token: string };
  /** The fee that a payer pays to the network; absent if unknown. */
  fee?: Fee;
  /** The data that a payer's wallet needs to add the network; absent if every wallet already includes it, or no public node is known. */
  walletFacts?: { coin: string; rpcUrl: string };
  tokens: readonly Token[];
  lookAlikes: readonly LookAlike[];
}

/** The sources of the fees: ranges over a month, with a margin at the upper end. A network that no source lists has no `fee`. */
const RANKING = { source: "eco.com: USDT fees by chain, ranked", readAt: "2026-05" };
const GASPEEK = { source: "gaspeek.com/tron: from a wallet without energy", readAt: "2026-03" };

/**
 * The facts about networks in this release; `allNetworks` returns those of the installation. A new EVM network requires only a row in this
 * table and an RPC URL. Contracts and decimals are compared with the chain when a worker starts. Sources: issuers' lists
 * (tether.to/supported-protocols, docs.usdt0.to, developers.circle.com/stablecoins) and the chains' explorers; for `walletFacts`
 * github.com/ethereum-lists/chains. Bridged variants such as USDC.e are look-alikes, not tokens. The contract and the decimals of each
 * look-alike are the same in at least two public token lists (docs/networks.md lists the exceptions with their reasons).
 */
export const NETWORKS: readonly Network[] = [
  {
    id: "ethereum",
    aliases: ["erc20", "eth", "mainnet"],
    family: "evm",
    chainId: "1",
    name: "Ethereum",
    standard: "ERC20",
    color: { background: "#3b4cca", text: "#ffffff" },
    blockMs: 12_000,
    finality: { by: "depth", depth: 12 },
    pace: { everyMs: 2_000, behindMs: 2_000 },
    explorer: {
      name: "Etherscan",
      tx: "https://etherscan.io/tx/{}",
      address: "https://etherscan.io/address/{}",
      token: "https://etherscan.io/token/{}",
    },
    fee: { from: "0.05", to: "4", ...RANKING },
    tokens: [
      { currency: "USDT", contract: "0xdAC17F958D2ee523a2206206994597C13D831ec7", decimals: 6 },
      { currency: "USDC", contract: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", decimals: 6 },
    ],
    lookAlikes: [],
  },
  {
    id: "bsc",
    aliases: ["bep20", "bnb", "binance"],
    family: "evm",
    chainId: "56",
    name: "BNB Smart Chain",
    standard: "BEP20",
    color: { background: "#f0b90b", text: "#1a1a1a" },
    blockMs: 450,
    finality: { by: "finalized", depth: 120, ms: 54_000 },
    pace: { everyMs: 2_000, behindMs: 900 },
    explorer: {
      name: "BscScan",
      tx: "https://bscscan.com/tx/{}",
      address: "https://bscscan.com/address/{}",
      token: "https://bscscan.com/token/{}",
    },
    fee: { from: null, to: "0.1", ...RANKING },
    walletFacts: { coin: "BNB", rpcUrl: "https://bsc-dataseed1.binance.org" },
    tokens: [
      {
        currency: "USDT",
        contract: "0x55d398326f99059fF775485246999027B3197955",
        decimals: 18,
        issuerNote: "Binance-Peg BSC-USD, issued by Binance and not by Tether.",
      },
      {
        currency: "USDC",
        contract: "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d",
        decimals: 18,
        issuerNote: "Binance-Peg USD Coin, issued by Binance and not by Circle.",
      },
    ],
    lookAlikes: [],
  },
  {
    id: "polygon",
    aliases: ["matic", "pol"],
    family: "evm",
    chainId: "137",
    name: "Polygon",
    standard: "ERC20",
    color: { background: "#7b3fe4", text: "#ffffff" },
    blockMs: 1_500,
    finality: { by: "finalized", depth: 64, ms: 128_000 },
    pace: { everyMs: 2_000, behindMs: 2_000 },
    explorer: {
      name: "PolygonScan",
      tx: "https://polygonscan.com/tx/{}",
      address: "https://polygonscan.com/address/{}",
      token: "https://polygonscan.com/token/{}",
    },
    fee: { from: null, to: "0.05", ...RANKING },
    walletFacts: { coin: "POL", rpcUrl: "https://polygon-bor-rpc.publicnode.com" },
    tokens: [
      { currency: "USDT", contract: "0xc2132D05D31c914a87C6611C10748AEb04B58e8F", decimals: 6, alsoShownAs: "USD₮0" },
      { currency: "USDC", contract: "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", decimals: 6 },
    ],
    lookAlikes: [
      {
        currency: "USDC",
        name: "bridged USDC",
        symbol: "USDC.e",
        contract: "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174",
        decimals: 6,
        why: "It represents Ethereum USDC locked in Polygon's bridge; Circle neither issues nor redeems it.",
      },
    ],
  },
  {
    id: "arbitrum",
    aliases: ["arb"],
    family: "evm",
    chainId: "42161",
    name: "Arbitrum One",
    standard: "ERC20",
    color: { background: "#213147", text: "#ffffff" },
    blockMs: 250,
    finality: { by: "depth", depth: 40, ms: 10_000 },
    pace: { everyMs: 2_000, behindMs: 1_000 },
    explorer: {
      name: "Arbiscan",
      tx: "https://arbiscan.io/tx/{}",
      address: "https://arbiscan.io/address/{}",
      token: "https://arbiscan.io/token/{}",
    },
    fee: { from: null, to: "0.3", ...RANKING },
    walletFacts: { coin: "ETH", rpcUrl: "https://arb1.arbitrum.io/rpc" },
    tokens: [
      { currency: "USDT", contract: "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9", decimals: 6, alsoShownAs: "USD₮0" },
      { currency: "USDC", contract: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831", decimals: 6 },
    ],
    lookAlikes: [
      {
        currency: "USDC",
        name: "bridged USDC",
        symbol: "USDC.e",
        contract: "0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8",
        decimals: 6,
        why: "It represents Ethereum USDC locked in Arbitrum's bridge; Circle neither issues nor redeems it.",
      },
    ],
  },
  {
    id: "optimism",
    aliases: ["op"],
    family: "evm",
    chainId: "10",
    name: "Optimism",
    standard: "ERC20",
    color: { background: "#d1001a", text: "#ffffff" },
    blockMs: 2_000,
    finality: { by: "depth", depth: 20, ms: 40_000 },
    pace: { everyMs: 2_000, behindMs: 2_000 },
    explorer: {
      name: "OP Mainnet Explorer",
      tx: "https://optimistic.etherscan.io/tx/{}",
      address: "https://optimistic.etherscan.io/address/{}",
      token: "https://optimistic.etherscan.io/token/{}",
    },
    fee: { from: null, to: "0.3", ...RANKING },
    walletFacts: { coin: "ETH", rpcUrl: "https://mainnet.optimism.io" },
    tokens: [
      { currency: "USDT", contract: "0x01bFF41798a0BcF287b996046Ca68b395DbC1071", decimals: 6, alsoShownAs: "USD₮0" },
      { currency: "USDC", contract: "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85", decimals: 6 },
    ],
    lookAlikes: [
      {
        currency: "USDT",
        name: "bridged USDT",
        symbol: "USDT",
        contract: "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58",
        decimals: 6,
        why: "It represents Ethereum USDT locked in Optimism's bridge; Tether's token on Optimism is USDT0 at another contract.",
      },
      {
        currency: "USDC",
        name: "bridged USDC",
        symbol: "USDC.e",
        contract: "0x7F5c764cBc14f9669B88837ca1490cCa17c31607",
        decimals: 6,
        why: "It represents Ethereum USDC locked in Optimism's bridge; Circle neither issues nor redeems it.",
      },
    ],
  },
  {
    id: "base",
    aliases: [],
    family: "evm",
    chainId: "8453",
    name: "Base",
    standard: "ERC20",
    color: { background: "#0052ff", text: "#ffffff" },
    blockMs: 200,
    finality: { by: "depth", depth: 200, ms: 40_000 },
    pace: { everyMs: 2_000, behindMs: 2_000 },
    explorer: {
      name: "BaseScan",
      tx: "https://basescan.org/tx/{}",
      address: "https://basescan.org/address/{}",
      token: "https://basescan.org/token/{}",
    },
    fee: { from: null, to: "0.2", ...RANKING },
    walletFacts: { coin: "ETH", rpcUrl: "https://mainnet.base.org" },
    tokens: [{ currency: "USDC", contract: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", decimals: 6 }],
    lookAlikes: [
      {
        currency: "USDT",
        name: "bridged USDT",
        symbol: "USDT",
        contract: "0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2",
        decimals: 6,
        why: "It represents Ethereum USDT locked in Base's bridge; Tether issues none on Base.",
      },
      {
        currency: "USDC",
        name: "bridged USDC",
        symbol: "USDbC",
        contract: "0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA",
        decimals: 6,
        why: "It represents Ethereum USDC locked in Base's bridge; Circle neither issues nor redeems it.",
      },
    ],
  },
  {
    id: "avalanche",
    aliases: ["avax"],
    family: "evm",
    chainId: "43114",
    name: "Avalanche C-Chain",
    standard: "ERC20",
    color: { background: "#c9302c", text: "#ffffff" },
    blockMs: 1_000,
    finality: { by: "depth", depth: 3 },
    pace: { everyMs: 2_000, behindMs: 2_000 },
    explorer: {
      name: "Snowtrace",
      tx: "https://snowtrace.io/tx/{}",
      address: "https://snowtrace.io/address/{}",
      token: "https://snowtrace.io/token/{}",
    },
    fee: { from: null, to: "0.1", ...RANKING },
    walletFacts: { coin: "AVAX", rpcUrl: "https://api.avax.network/ext/bc/C/rpc" },
    tokens: [
      { currency: "USDT", contract: "0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7", decimals: 6 },
      { currency: "USDC", contract: "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E", decimals: 6 },
    ],
    lookAlikes: [
      {
        currency: "USDT",
        name: "bridged USDT",
        symbol: "USDT.e",
        contract: "0xc7198437980c041c805A1EDcbA50c1Ce5db95118",
        decimals: 6,
        why: "It represents Ethereum USDT locked in Avalanche's bridge; Tether's token on Avalanche is at another contract.",
      },
      {
        currency: "USDC",
        name: "bridged USDC",
        symbol: "USDC.e",
        contract: "0xA7D7079b0FEaD91F3e65f86E8915Cb59c1a4C664",
        decimals: 6,
        why: "It represents Ethereum USDC locked in Avalanche's bridge; Circle neither issues nor redeems it.",
      },
    ],
  },
  {
    id: "celo",
    aliases: [],
    family: "evm",
    chainId: "42220",
    name: "Celo",
    standard: "ERC20",
    color: { background: "#fcff52", text: "#1a1a1a" },
    blockMs: 1_000,
    finality: { by: "depth", depth: 40, ms: 40_000 },
    pace: { everyMs: 2_000, behindMs: 2_000 },
    explorer: {
      name: "Celoscan",
      tx: "https://celoscan.io/tx/{}",
      address: "https://celoscan.io/address/{}",
      token: "https://celoscan.io/token/{}",
    },
    walletFacts: { coin: "CELO", rpcUrl: "https://forno.celo.org" },
    tokens: [
      { currency: "USDT", contract: "0x48065fbBE25f71C9282ddf5e1cD6D6A887483D5e", decimals: 6, alsoShownAs: "USD₮" },
      { currency: "USDC", contract: "0xcebA9300f2b948710d2653dD7B07f33A8B32118C", decimals: 6 },
    ],
    lookAlikes: [],
  },
  {
    id: "plasma",
    aliases: ["xpl"],
    family: "evm",
    chainId: "9745",
    name: "Plasma",
    standard: "ERC20",
    color: { background: "#162f29", text: "#ffffff" },
    blockMs: 1_000,
    finality: { by: "finalized", depth: 3 },
    pace: { everyMs: 2_000, behindMs: 2_000 },
    explorer: {
      name: "PlasmaScan",
      tx: "https://plasmascan.to/tx/{}",
      address: "https://plasmascan.to/address/{}",
      token: "https://plasmascan.to/token/{}",
    },
    walletFacts: { coin: "XPL", rpcUrl: "https://rpc.plasma.to" },
    tokens: [
      { currency: "USDT", contract: "0xB8CE59FC3717ada4C02eaDF9682A9e934F625ebb", decimals: 6, alsoShownAs: "USD₮0" },
    ],
    lookAlikes: [],
  },
  {
    id: "tron",
    aliases: ["trc20", "trx"],
    family: "tron",
    chainId: "728126428",
    name: "TRON",
    standard: "TRC20",
    color: { background: "#c8102e", text: "#ffffff" },
    blockMs: 3_000,
    finality: { by: "finalized", depth: 20 },
    pace: { everyMs: 2_000, behindMs: 2_000 },
    explorer: {
      name: "TRONSCAN",
      tx: "https://tronscan.org/#/transaction/{}",
      address: "https://tronscan.org/#/address/{}",
      token: "https://tronscan.org/#/token20/{}",
    },
    fee: { from: "2", to: "4", ...GASPEEK },
    tokens: [{ currency: "USDT", contract: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", decimals: 6 }],
    lookAlikes: [
      {
        currency: "USDC",
        name: "discontinued USDC",
        symbol: "USDC",
        contract: "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8",
        decimals: 6,
        why: "Circle stopped issuing USDC on TRON in 2024 and redeeming it in 2025.",
      },
    ],
  },
  {
    id: "solana",
    aliases: ["sol", "spl"],
    family: "solana",
    chainId: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
    name: "Solana",
    standard: "SPL",
    color: { background: "#14f195", text: "#1a1a1a" },
    blockMs: 200,
    finality: { by: "finalized", depth: 32 },
    pace: { everyMs: 3_600, behindMs: 0 },
    explorer: {
      name: "Solscan",
      tx: "https://solscan.io/tx/{}",
      address: "https://solscan.io/account/{}",
      token: "https://solscan.io/token/{}",
    },
    fee: { from: null, to: "0.01", ...RANKING },
    tokens: [
      { currency: "USDT", contract: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", decimals: 6 },
      { currency: "USDC", contract: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", decimals: 6 },
    ],
    lookAlikes: [],
  },
];

/**
 * The minimum block time at which blocks are read one by one, with two calls each. Faster chains would need more calls per minute than
 * free endpoints allow.
 */
const FASTEST_SINGLE_MS = 1_800;

interface Table {
  networks: readonly Network[];
  byName: ReadonlyMap<string, Network>;
}

declare global {
  /** The network table of this process. Its entry point sets it once, before any network is used; docs/adr/0007 explains why. */
  var stablegateNetworks: Table | undefined;
}

const tableOf = (networks: readonly Network[]): Table => ({
  networks,
  byName: new Map(networks.flatMap((network) => [network.id, ...network.aliases].map((name) => [name, network]))),
});

const RELEASED = tableOf(NETWORKS);
const inForce = () => globalThis.stablegateNetworks ?? RELEASED;

/**
 * Sets the network table of this process for every instance of this module, including the one that Next bundles for its pages. Called only
 * by entry points at startup.
 */
export function installNetworks(networks: readonly Network[]): void {
  globalThis.stablegateNetworks = tableOf(networks);
}

/** Returns the rows that this installation's operator changed, for browsers that format amounts themselves. */
export function changedNetworks(): Network[] {
  const released = new Map(NETWORKS.map((row) => [row.id, JSON.stringify(row)]));
  return allNetworks().filter((row) => JSON.stringify(row) !== released.get(row.id));
}

/** Installs the changed rows in a browser. All other rows are those of the release. */
export function installChanged(changed: readonly Network[]): void {
  installNetworks(NETWORKS.map((row) => changed.find(({ id }) => id === row.id) ?? row));
}

/** Returns the networks of this installation: the release's rows with the operator's changes. */
export function allNetworks(): readonly Network[] {
  return inForce().networks;
}

/** Returns the network with an id or alias, case-insensitively ("BEP20" is bsc), or null. */
export function findNetwork(name: string): Network | null {
  return inForce().byName.get(name.toLowerCase()) ?? null;
}

/**
 * Returns the network with an id that was read from the database.
 * @throws Error if the table no longer has a row that the database still uses.
 */
export function getNetwork(id: string): Network {
  const network = inForce().byName.get(id);
  if (!network) throw new Error(`Network "${id}" is stored in the database but not in lib/domain/networks.ts`);
  return network;
}

/** Returns true if new orders can use any token of a network. */
export function isOffered({ tokens }: Pick<Network, "tokens">): boolean {
  return tokens.some(({ isOff }) => !isOff);
}

/** Returns the token of a currency on a network, enabled or not; null if the network has none. */
export function findToken(network: Network, currency: string): Token | null {
  return network.tokens.find((token) => token.currency === currency) ?? null;
}

/**
 * Returns the token of a currency on a network, both read from the database.
 * @throws Error as `getNetwork` does.
 */
export function getToken(network: Network, currency: string): Token {
  const token = findToken(network, currency);
  if (!token)
    throw new Error(`${currency} on ${network.id} is stored in the database but not in lib/domain/networks.ts`);
  return token;
}

/** Returns the network with its measured block time; with the row's block time if none was measured. */
export function atBlockTime(network: Network, blockMs: number | null | undefined): Network {
  return blockMs == null || blockMs === network.blockMs ? network : { ...network, blockMs };
}

/** Returns the number of blocks in a duration at the network's block time, rounded up. */
export function blocksIn(ms: number, { blockMs }: Pick<Network, "blockMs">): number {
  return Math.ceil(ms / blockMs);
}

/** Returns true if the block time is too short to read blocks one by one. Blocks are then read in ranges. */
export function isReadByRange({ blockMs }: Pick<Network, "blockMs">): boolean {
  return blockMs < FASTEST_SINGLE_MS;
}

/** A network in a list of choices. */
export type NetworkName = Pick<Network, "id" | "name">;

/** Returns the networks with these ids, each once, in the order of the table; unknown ids are omitted. */
export function namesOf(ids: Iterable<string>): NetworkName[] {
  const wanted = new Set(ids);
  return allNetworks()
    .filter(({ id }) => wanted.has(id))
    .map(({ id, name }) => ({ id, name }));
}

/** Returns the display title of a network: "BNB Smart Chain (BEP20)". */
export function networkTitle(network: Network): string {
  return `${network.name} (${network.standard})`;
}
