import { PLAIN_BRAND } from "@/lib/domain/checkout/brand";
import type { ChoiceFacts } from "@/lib/domain/checkout/choice";
import type { CheckoutFacts, CheckoutMisdirected, CheckoutTransfer } from "@/lib/domain/checkout/facts";
import type { CheckoutState } from "@/lib/domain/checkout/state";
import { parseUnits } from "@/lib/domain/money";
import type { Lookup } from "@/lib/domain/transfers/lookup";

/** The time at which these tests view orders. */
export const NOW = new Date("2026-03-01T12:00:00Z");
/** Returns the time that is this many seconds later. */
export const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
/** Returns an amount in base units of USDT on BNB Smart Chain. */
export const usdt = (text: string) => parseUnits(text, 18) ?? 0n;

/** An order of a merchant whose name must be escaped, waiting for a payment at a dedicated address. */
export const ORDER: CheckoutFacts = {
  tradeId: "01kahy4m3r9t5w8x2z6b7c1d0e",
  brand: PLAIN_BRAND,
  mchOrderId: "A1",
  subject: null,
  merchantName: `Tom & Jerry's <script>"shop"`,
  status: "pending",
  exception: null,
  version: 1,
  price: {
    fiat: "EUR",
    amount: "19.9",
    currency: "USDT",
    rate: "0.9215",
    source: "a, b",
    at: "2026-03-01T11:50:00.000Z",
  },
  locale: null,
  returnUrl: 'https://shop.example/?q="><script>',
  createdAt: at(-600),
  expiresAt: at(1_200),
  paidAt: null,
  quote: {
    network: "bsc",
    currency: "USDT",
    token: "0x55d398326f99059ff775485246999027b3197955",
    address: "0x52908400098527886e0f7030069857d2e4169ee7",
    kind: "dedicated",
    baseUnits: usdt("128.004217"),
    reservedUntil: at(12_000),
    isReleased: false,
    rest: null,
  },
  transfers: [],
  otherQuotes: [],
  isElsewhereOpen: true,
  lookups: [],
  extensions: 0,
  checkout: null,
  misdirected: [],
  chain: {
    head: { height: 1_000, finalizedHeight: 990 },
    wait: null,
    caughtUpAt: at(-9),
    hasProblem: false,
  },
};

/** Returns a transfer to the address of `ORDER`, in the block at the given height. */
export const arrived = (amount: string, blockHeight: number): CheckoutTransfer[] => [
  {
    network: "bsc",
    token: "0x55d398326f99059ff775485246999027b3197955",
    currency: "USDT",
    txId: `0x${"9f".repeat(32)}`,
    baseUnits: usdt(amount),
    countedUnits: usdt(amount),
    isConfirmed: false,
    wait: null,
    head: { height: 1_000, finalizedHeight: 990 },
    blockHeight,
    blockTime: at(-5),
  },
];

/** A transfer of the full amount on a different network and in a different currency. */
export const MISDIRECTED: CheckoutMisdirected = {
  network: "ethereum",
  token: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
  currency: "USDC",
  txId: `0x${"7e".repeat(32)}`,
  baseUnits: 128_004_217n,
};

/** The lookup of a transaction whose amount differs from the amount of `ORDER`. */
export const OTHER_AMOUNT: Lookup = {
  network: "bsc",
  txId: `0x${"ab".repeat(32)}`,
  askedAt: NOW,
  answer: { kind: "amount", arrived: "127.004217", due: "128.004217", isShort: true, currency: "USDT" },
};

/** The fields in which an order in each state differs from `ORDER`. */
export const STATE_FACTS: Readonly<Record<CheckoutState, Partial<CheckoutFacts>>> = {
  waiting: {},
  underpaid: { transfers: arrived("100", 990) },
  partial: { quote: { ...ORDER.quote, kind: "shared" }, transfers: arrived("100", 990) },
  elsewhere: { misdirected: [MISDIRECTED] },
  otherAmount: { lookups: [OTHER_AMOUNT] },
  checking: { expiresAt: NOW },
  seen: { status: "confirming", transfers: arrived("128.004217", 1_000) },
  confirming: { status: "confirming", transfers: arrived("128.004217", 995) },
  late: { status: "confirming", expiresAt: at(-60), transfers: arrived("128.004217", 995) },
  paid: { status: "paid", paidAt: NOW, transfers: arrived("128.004217", 900) },
  overpaid: { status: "paid", exception: "overpaid", paidAt: NOW, transfers: arrived("130", 900) },
  expired: { status: "expired", expiresAt: at(-60) },
  cancelled: { status: "cancelled" },
};

const far = { wait: null, amount: { decimal: "128", isEstimate: false } };

/** An order for which the payer chooses among all payment methods that a merchant can offer. */
export const CHOICE: ChoiceFacts = {
  tradeId: ORDER.tradeId,
  merchantName: ORDER.merchantName,
  brand: PLAIN_BRAND,
  locale: null,
  status: "pending",
  version: 1,
  extensions: 0,
  createdAt: at(-600),
  expiresAt: at(1_200),
  subject: "Two espresso cups & a saucer",
  checkout: { network: null, currency: null, amount: "128", price: null },
  methods: [
    { network: "tron", currency: "USDT", ...far },
    { network: "ethereum", currency: "USDT", ...far },
    { network: "ethereum", currency: "USDC", ...far },
    { network: "bsc", currency: "USDT", ...far },
    { network: "bsc", currency: "USDC", ...far },
    { network: "solana", currency: "USDT", ...far },
    { network: "solana", currency: "USDC", ...far },
    { network: "optimism", currency: "USDC", ...far },
    { network: "plasma", currency: "USDT", ...far },
  ],
  quoted: [],
};
