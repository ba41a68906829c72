import { createHash } from "node:crypto";
import type { Messages } from "@/components/pay/messages/en";
import { depositPage, type Page } from "@/components/pay/page/document";
import type { Brand } from "@/lib/domain/checkout/brand";
import { PLAIN_BRAND } from "@/lib/domain/checkout/brand";
import { checkoutTag } from "@/lib/domain/checkout/refresh";
import {
  DEPOSITS_SHOWN,
  type DepositFacts,
  type DepositTransfer,
  depositView,
} from "@/lib/domain/deposits/deposit-view";
import { at, NOW, ORDER, usdt } from "@/testing/checkout/facts";

const HEAD = { height: 1_000, finalizedHeight: 990 };

/** Returns a transfer of 12.5 USDT to the deposit address. `index` distinguishes it from others; `depth` is its number of confirmations. */
export function arrivedAt(index: number, depth: number, changes: Partial<DepositTransfer> = {}): DepositTransfer {
  return {
    network: "bsc",
    token: "0x55d398326f99059ff775485246999027b3197955",
    currency: "USDT",
    txId: `0x${createHash("sha256").update(`transfer ${index}`).digest("hex")}`,
    baseUnits: usdt("12.5"),
    head: HEAD,
    wait: null,
    isConfirmed: false,
    isReversed: false,
    blockHeight: HEAD.height - depth + 1,
    seenAt: at(-index * 60),
    ...changes,
  };
}

/** A deposit address of a merchant whose name must be escaped; it has received no transfers. */
export const DEPOSIT: DepositFacts = {
  id: "01kahy4m3r9t5w8x2z6b7c1d0e",
  version: 1,
  state: "open",
  network: "bsc",
  merchantName: ORDER.merchantName,
  brand: PLAIN_BRAND,
  address: ORDER.quote.address,
  transfers: [],
  chain: ORDER.chain,
};

const FULL = Array.from({ length: DEPOSITS_SHOWN + 1 }, (_, index) => arrivedAt(index, 40, { isConfirmed: true }));
const ON_ETHEREUM = { network: "ethereum", token: "0xdac17f958d2ee523a2206206994597c13d831ec7", baseUnits: 7_000_000n };

interface Shown {
  facts: DepositFacts;
  /** A string that identifies the English version of this page. */
  title: string;
}

const deposit = (title: string, changes: Partial<DepositFacts> = {}): Shown => ({
  title,
  facts: { ...DEPOSIT, ...changes },
});

/** Every page that a deposit address can have, by name. */
export const DEPOSIT_PAGES: Readonly<Record<string, Shown>> = {
  deposit: deposit("Nothing has arrived yet"),
  "deposit-tron": deposit("TRON (TRC20)", { network: "tron", address: "41a614f803b6fd780986a42c78ec9c7f77e6ded13c" }),
  "deposit-solana": deposit("Solana", { network: "solana", address: "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV" }),
  "deposit-optimism": deposit("Not bridged USDT", { network: "optimism" }),
  "deposit-seen": deposit("Detected", { transfers: [arrivedAt(0, 1)] }),
  "deposit-confirming": deposit("Confirming", {
    transfers: [arrivedAt(0, 3), arrivedAt(1, 40, { isConfirmed: true })],
  }),
  "deposit-reversed": deposit("Reversed by the network", { transfers: [arrivedAt(0, 40, { isReversed: true })] }),
  "deposit-elsewhere": deposit("Ethereum (ERC20)", {
    transfers: [arrivedAt(0, 40, { ...ON_ETHEREUM, isConfirmed: true })],
  }),
  "deposit-full": deposit("The latest 20 are shown", { transfers: FULL }),
  "deposit-delayed": deposit("is delayed.", { chain: null }),
  "deposit-closed": deposit("has paused it", { state: "closed", transfers: FULL.slice(0, 1) }),
  "deposit-broken": deposit("failed an integrity check", { state: "broken", transfers: FULL.slice(0, 1) }),
};

/** Renders a deposit page at NOW. */
export function renderDeposit(
  { facts }: Shown,
  t: Messages,
  looks: { brand?: Brand; logo?: string; isSandbox?: boolean } = {},
): Page {
  const { brand = PLAIN_BRAND, logo = null, isSandbox = false } = looks;
  const view = depositView({ ...facts, brand }, NOW);
  return depositPage(view, checkoutTag(view), { t, isSandbox, logo });
}
