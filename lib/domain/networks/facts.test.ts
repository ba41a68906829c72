import { expect, test } from "vitest";
import { findNetwork, findToken, getNetwork, isReadByRange, NETWORKS } from "@/lib/domain/networks";

/** A second copy of the token table, taken from lists that issuers and chains publish, so that a mistake in the table is detected. */
const TOKENS = `
ethereum  1         USDT 0xdAC17F958D2ee523a2206206994597C13D831ec7   6
ethereum  1         USDC 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48   6
bsc       56        USDT 0x55d398326f99059fF775485246999027B3197955   18
bsc       56        USDC 0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d   18
polygon   137       USDT 0xc2132D05D31c914a87C6611C10748AEb04B58e8F   6
polygon   137       USDC 0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359   6
arbitrum  42161     USDT 0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9   6
arbitrum  42161     USDC 0xaf88d065e77c8cC2239327C5EDb3A432268e5831   6
optimism  10        USDT 0x01bFF41798a0BcF287b996046Ca68b395DbC1071   6
optimism  10        USDC 0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85   6
base      8453      USDC 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913   6
avalanche 43114     USDT 0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7   6
avalanche 43114     USDC 0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E   6
celo      42220     USDT 0x48065fbBE25f71C9282ddf5e1cD6D6A887483D5e   6
celo      42220     USDC 0xcebA9300f2b948710d2653dD7B07f33A8B32118C   6
plasma    9745      USDT 0xB8CE59FC3717ada4C02eaDF9682A9e934F625ebb   6
tron      728126428 USDT TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t           6
solana    5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d USDC EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v 6
solana    5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d USDT Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB 6
`;

const rows = TOKENS.trim()
  .split("\n")
  .map((line) => line.split(/\s+/));

test.each(rows)("%s (chain %s) has %s at %s with %s decimals", (id, chainId, currency = "", contract, decimals) => {
  const network = findNetwork(id ?? "");
  expect(network?.chainId).toBe(chainId);
  expect(network && findToken(network, currency)).toMatchObject({ currency, contract, decimals: Number(decimals) });
});

/** A second copy of the look-alike tokens. */
const LOOK_ALIKES = `
polygon   USDC USDC.e 0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174 6
arbitrum  USDC USDC.e 0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8 6
optimism  USDT USDT   0x94b008aA00579c1307B0EF2c499aD98a8ce58e58 6
optimism  USDC USDC.e 0x7F5c764cBc14f9669B88837ca1490cCa17c31607 6
base      USDT USDT   0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2 6
base      USDC USDbC  0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA 6
avalanche USDT USDT.e 0xc7198437980c041c805A1EDcbA50c1Ce5db95118 6
avalanche USDC USDC.e 0xA7D7079b0FEaD91F3e65f86E8915Cb59c1a4C664 6
tron      USDC USDC   TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8         6
`;

test("the look-alikes are these, each with its original and a reason", () => {
  const lines = LOOK_ALIKES.trim()
    .split("\n")
    .map((line) => line.split(/\s+/).join(" "));
  const known = NETWORKS.flatMap(({ id, lookAlikes }) =>
    lookAlikes.map((one) => [id, one.currency, one.symbol, one.contract, one.decimals].join(" ")),
  );
  expect(known).toEqual(lines);
  for (const { lookAlikes } of NETWORKS) for (const { why } of lookAlikes) expect(why).toMatch(/^[A-Z].{20,}\.$/);
});

test("only BSC's tokens have other issuers than Tether and Circle, and are marked", () => {
  const noted = NETWORKS.flatMap(({ id, tokens }) => tokens.flatMap(({ issuerNote }) => (issuerNote ? [id] : [])));
  expect(noted).toEqual(["bsc", "bsc"]);
});

test.each(["polygon", "arbitrum", "optimism", "plasma"])("wallets show USDT on %s as USD₮0", (id) => {
  expect(findToken(getNetwork(id), "USDT")?.alsoShownAs).toBe("USD₮0");
});

test("no network has another token than these: bridged variants are none", () => {
  const count = NETWORKS.reduce((sum, { tokens }) => sum + tokens.length, 0);
  expect(count).toBe(rows.length);
});

test.each([
  ["ethereum", 12_000, { by: "depth", depth: 12 }],
  ["bsc", 450, { by: "finalized", depth: 120, ms: 54_000 }],
  ["polygon", 1_500, { by: "finalized", depth: 64, ms: 128_000 }],
  ["arbitrum", 250, { by: "depth", depth: 40, ms: 10_000 }],
  ["optimism", 2_000, { by: "depth", depth: 20, ms: 40_000 }],
  ["base", 200, { by: "depth", depth: 200, ms: 40_000 }],
  ["avalanche", 1_000, { by: "depth", depth: 3 }],
  ["celo", 1_000, { by: "depth", depth: 40, ms: 40_000 }],
  ["plasma", 1_000, { by: "finalized", depth: 3 }],
  ["tron", 3_000, { by: "finalized", depth: 20 }],
  ["solana", 200, { by: "finalized", depth: 32 }],
])("%s has a block every %i ms at first guess and is final by %o", (id, blockMs, finality) => {
  expect(findNetwork(id)).toMatchObject({ blockMs, finality });
});

test("chains faster than two seconds are read in ranges every two seconds, a little of each again with the next, the others block by block", () => {
  for (const network of NETWORKS) {
    expect(isReadByRange(network)).toBe(network.blockMs < 2_000);
    expect(network.pace.everyMs).toBe(network.family === "solana" ? 3_600 : 2_000);
    expect(network.pace.behindMs > 0).toBe(network.family !== "solana");
  }
  expect(getNetwork("base").pace.behindMs).toBe(2_000);
});

test.each([
  ["ethereum", "erc20 eth mainnet", "https://etherscan.io/tx/X", "https://etherscan.io/address/A"],
  ["bsc", "bep20 bnb binance", "https://bscscan.com/tx/X", "https://bscscan.com/address/A"],
  ["polygon", "matic pol", "https://polygonscan.com/tx/X", "https://polygonscan.com/address/A"],
  ["arbitrum", "arb", "https://arbiscan.io/tx/X", "https://arbiscan.io/address/A"],
  ["optimism", "op", "https://optimistic.etherscan.io/tx/X", "https://optimistic.etherscan.io/address/A"],
  ["base", "", "https://basescan.org/tx/X", "https://basescan.org/address/A"],
  ["avalanche", "avax", "https://snowtrace.io/tx/X", "https://snowtrace.io/address/A"],
  ["celo", "", "https://celoscan.io/tx/X", "https://celoscan.io/address/A"],
  ["plasma", "xpl", "https://plasmascan.to/tx/X", "https://plasmascan.to/address/A"],
  ["tron", "trc20 trx", "https://tronscan.org/#/transaction/X", "https://tronscan.org/#/address/A"],
  ["solana", "sol spl", "https://solscan.io/tx/X", "https://solscan.io/account/A"],
])("%s is also called %s, and its explorer shows transactions and addresses", (id, aliases, tx, address) => {
  const network = findNetwork(id);
  expect(network?.aliases.join(" ")).toBe(aliases);
  expect(network?.explorer.tx.replace("{}", "X")).toBe(tx);
  expect(network?.explorer.address.replace("{}", "A")).toBe(address);
});
