import { expect, test } from "vitest";
import { canonicalAddress, displayAddress } from "@/lib/domain/addresses/address";
import { PUBLIC_DECIMALS } from "@/lib/domain/money";
import {
  changedNetworks,
  findNetwork,
  findToken,
  getNetwork,
  getToken,
  installChanged,
  installNetworks,
  NETWORKS,
  networkTitle,
} from "@/lib/domain/networks";

test("every id and alias, in any case, names exactly one network", () => {
  const names = NETWORKS.flatMap((network) => [network.id, ...network.aliases]);
  expect(new Set(names).size).toBe(names.length);
  for (const network of NETWORKS) {
    for (const name of [network.id, ...network.aliases]) expect(findNetwork(name.toUpperCase())).toBe(network);
  }
});

test("an unknown name is no network, also names that every object has", () => {
  for (const name of ["", "dogecoin", "constructor", "__proto__", "toString"]) expect(findNetwork(name)).toBeNull();
});

test("ids fit into the name of an environment variable and a URL", () => {
  for (const network of NETWORKS) expect(network.id).toMatch(/^[a-z][a-z0-9]*$/);
});

test("no two networks share a chain id", () => {
  expect(new Set(NETWORKS.map((network) => network.chainId)).size).toBe(NETWORKS.length);
});

test("contracts are written as people write them, appear once, and have at least the public decimals", () => {
  for (const network of NETWORKS) {
    const known = [...network.tokens, ...network.lookAlikes];
    const contracts = known.map((token) => token.contract);
    expect(
      contracts.map((contract) => displayAddress(network.family, canonicalAddress(network.family, contract))),
    ).toEqual(contracts);
    expect(new Set(contracts).size).toBe(contracts.length);
    for (const token of known) expect(token.decimals).toBeGreaterThanOrEqual(PUBLIC_DECIMALS);
  }
});

test("a network has at most one token of a currency", () => {
  for (const network of NETWORKS) {
    const currencies = network.tokens.map((token) => token.currency);
    expect(new Set(currencies).size).toBe(currencies.length);
  }
});

test("USDT has 6 decimals on ethereum and 18 on bsc", () => {
  expect(getToken(getNetwork("ethereum"), "USDT").decimals).toBe(6);
  expect(getToken(getNetwork("bsc"), "USDT").decimals).toBe(18);
});

test("explorer links take a transaction, an address and a token", () => {
  for (const { explorer } of NETWORKS) {
    for (const link of [explorer.tx, explorer.address, explorer.token]) {
      expect(link.split("{}")).toHaveLength(2);
      expect(new URL(link.replace("{}", "0x1")).protocol).toBe("https:");
    }
  }
});

test("the text on a network's colour has a contrast of at least 4.5", () => {
  for (const { color } of NETWORKS) expect(contrast(color.background, color.text)).toBeGreaterThanOrEqual(4.5);
});

test("a network or token that our rows name but the table lost is an error, not a guess", () => {
  expect(() => getNetwork("lost")).toThrow('"lost" is stored in the database');
  expect(() => getToken(getNetwork("bsc"), "DAI")).toThrow("DAI on bsc");
  expect(findToken(getNetwork("bsc"), "DAI")).toBeNull();
});

test("people read the name with the standard", () => {
  expect(NETWORKS.map(networkTitle)).toEqual([
    "Ethereum (ERC20)",
    "BNB Smart Chain (BEP20)",
    "Polygon (ERC20)",
    "Arbitrum One (ERC20)",
    "Optimism (ERC20)",
    "Base (ERC20)",
    "Avalanche C-Chain (ERC20)",
    "Celo (ERC20)",
    "Plasma (ERC20)",
    "TRON (TRC20)",
    "Solana (SPL)",
  ]);
});

test.each([
  ["trc20", "tron"],
  ["ERC20", "ethereum"],
  ["bep20", "bsc"],
  ["Matic", "polygon"],
  ["arb", "arbitrum"],
  ["op", "optimism"],
  ["avax", "avalanche"],
  ["sol", "solana"],
  ["spl", "solana"],
])("%s is a name of %s", (alias, id) => {
  expect(findNetwork(alias)?.id).toBe(id);
});

test("tron and plasma offer USDT only and base USDC only; every other network offers both", () => {
  for (const network of NETWORKS) {
    const only = { tron: ["USDT"], plasma: ["USDT"], base: ["USDC"] }[network.id];
    expect(network.tokens.map(({ currency }) => currency)).toEqual(only ?? ["USDT", "USDC"]);
  }
});

/** Returns the WCAG 2.2 contrast ratio of two #rrggbb colors. */
function contrast(left: string, right: string): number {
  const [low = 0, high = 0] = [luminance(left), luminance(right)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test("a browser receives the operator's changes and then knows all networks as the server does", () => {
  expect(changedNetworks()).toEqual([]);
  const bsc = { ...getNetwork("bsc"), blockMs: 1 };
  installNetworks(NETWORKS.map((row) => (row.id === "bsc" ? bsc : row)));
  const reported = structuredClone(changedNetworks());
  expect(reported).toEqual([bsc]);
  installNetworks(NETWORKS);
  installChanged(reported);
  expect([getNetwork("bsc").blockMs, getNetwork("tron")]).toEqual([1, NETWORKS.find(({ id }) => id === "tron")]);
  installNetworks(NETWORKS);
});
