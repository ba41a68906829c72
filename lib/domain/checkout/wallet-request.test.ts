import { describe, expect, test } from "vitest";
import { PLAIN_BRAND } from "@/lib/domain/checkout/brand";
import type { CheckoutFacts } from "@/lib/domain/checkout/facts";
import { checkoutView } from "@/lib/domain/checkout/view";
import { type WalletContext, walletRequest } from "@/lib/domain/checkout/wallet-request";

const now = new Date("2026-03-01T12:00:00Z");
const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const HASH = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";
const head = { height: 77, hash: "0xabcd", caughtUpAt: at(-2), blockMs: 200 };
const live: WalletContext = { isSandbox: false, head, account: null, now };
const SOLANA = { network: "solana", token: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB" };
const PAYER = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";
const OWNER = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU";

function facts(quote: Partial<CheckoutFacts["quote"]> = {}, arrived = 0n): CheckoutFacts {
  return {
    tradeId: "t",
    mchOrderId: "m",
    merchantName: "M",
    brand: PLAIN_BRAND,
    locale: null,
    status: "pending",
    exception: null,
    version: 1,
    price: null,
    returnUrl: null,
    subject: null,
    createdAt: at(-600),
    expiresAt: at(600),
    paidAt: null,
    misdirected: [],
    quote: {
      network: "bsc",
      currency: "USDT",
      token: "0x55d398326f99059ff775485246999027b3197955",
      address: "0x52908400098527886e0f7030069857d2e4169ee7",
      kind: "dedicated",
      reservedUntil: at(9_000),
      baseUnits: 10_000_100_000_000_000_000n,
      isReleased: false,
      rest: null,
      ...quote,
    },
    transfers: arrived === 0n ? [] : [{ countedUnits: arrived } as CheckoutFacts["transfers"][number]],
    chain: null,
    checkout: null,
    extensions: 0,
    otherQuotes: [],
    isElsewhereOpen: false,
    lookups: [],
  };
}

test("an EVM wallet is asked for the remaining base units, at the contract and recipient that the page shows", () => {
  expect(walletRequest(facts({}, 100_100_000_000_000_000n), live)).toEqual({
    family: "evm",
    chain: "0x38",
    block: null,
    transaction: null,
    problem: null,
    units: "9900000000000000000",
    token: "0x55d398326f99059fF775485246999027B3197955",
    recipient: "0x52908400098527886E0F7030069857D2E4169EE7",
    add: {
      chainId: "0x38",
      chainName: "BNB Smart Chain",
      rpcUrls: ["https://bsc-dataseed1.binance.org"],
      nativeCurrency: { name: "BNB", symbol: "BNB", decimals: 18 },
      blockExplorerUrls: ["https://bscscan.com"],
    },
  });
});

test("a TRON wallet's node must have the first block of the main network", () => {
  const token = "0xa614f803b6fd780986a42c78ec9c7f77e6ded13c";
  const request = walletRequest(facts({ network: "tron", token }), live);
  expect(request).toMatchObject({ family: "tron", chain: "0x2b6653dc", block: { height: 0, hash: "2b6653dc" } });
  expect(request.token).toBe("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t");
  expect(request.recipient).toMatch(/^T/);
});

describe("Solana", () => {
  const fresh = { ...head, hash: HASH };
  const ask = (changes: Partial<WalletContext>) =>
    walletRequest(facts({ ...SOLANA, address: OWNER, baseUnits: 48_200_000n }), { ...live, head: fresh, ...changes });

  test("the transaction is made for the account that pays, on the main cluster", () => {
    expect(ask({})).toMatchObject({ chain: "solana:mainnet", transaction: null, problem: null, units: "48200000" });
    const { transaction } = ask({ account: PAYER });
    expect(Buffer.from(transaction ?? "", "base64").length).toBe(64 + 1 + 4 + 9 * 32 + 1 + 10 + 17);
  });

  test("a paid order or an invalid account cannot pay, and an old blockhash is not returned", () => {
    for (const account of [OWNER, "someone", ""]) expect(ask({ account })).toMatchObject({ problem: "account" });
    for (const head of [null, { ...fresh, caughtUpAt: at(-16) }])
      expect(ask({ account: PAYER, head })).toMatchObject({ transaction: null, problem: "stale" });
    expect(ask({ account: PAYER, head: { ...fresh, caughtUpAt: at(-14) } }).problem).toBeNull();
  });
});

test("wallets of real chains are rejected in the sandbox, whose chains have the ids of real ones", () => {
  const sandbox = { ...live, isSandbox: true };
  expect(walletRequest(facts(), sandbox)).toMatchObject({ block: { height: 77, hash: "abcd" }, add: null });
  expect(walletRequest(facts(), { ...sandbox, head: null })).toMatchObject({ block: { hash: "unknown" } });
  const solana = facts({ ...SOLANA, address: OWNER });
  expect(walletRequest(solana, sandbox)).toMatchObject({ chain: "solana:localnet" });
});

test("another amount, recipient, contract or network is another offer; another version is not", () => {
  const name = (one: CheckoutFacts) => checkoutView(one, now).offer.name;
  const same = name(facts());
  expect(name({ ...facts(), version: 2 })).toBe(same);
  expect(name(facts({ baseUnits: 10n ** 18n }))).not.toBe(same);
  expect(name(facts({ address: `0x${"11".repeat(20)}` }))).not.toBe(same);
  expect(name(facts({ network: "polygon", token: "0xc2132d05d31c914a87c6611c10748aeb04b58e8f" }))).not.toBe(same);
});
