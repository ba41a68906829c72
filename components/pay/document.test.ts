import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import jsQR from "jsqr";
import { describe, expect, test } from "vitest";
import { SCRIPT } from "@/components/pay/assets";
import { awayPage, checkoutPage, notFoundPage } from "@/components/pay/document";
import { en } from "@/components/pay/messages/en";
import type { CheckoutFacts } from "@/lib/domain/checkout-facts";
import { checkoutTag } from "@/lib/domain/checkout-refresh";
import { CHECKOUT_STATES } from "@/lib/domain/checkout-state";
import { checkoutView } from "@/lib/domain/checkout-view";
import { parseUnits } from "@/lib/domain/money";

const KB = 1_024;
const now = new Date("2026-03-01T12:00:00Z");
const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const usdt = (text: string) => parseUnits(text, 18) ?? 0n;

const base: CheckoutFacts = {
  tradeId: "01kahy4m3r9t5w8x2z6b7c1d0e",
  mchOrderId: "A1",
  merchantName: `Tom & Jerry's <script>"shop"`,
  status: "pending",
  exception: null,
  version: 1,
  redirectUrl: 'https://shop.example/?q="><script>',
  createdAt: at(-600),
  expiresAt: at(1_200),
  paidAt: null,
  quote: {
    network: "bsc",
    currency: "USDT",
    address: "0x52908400098527886e0f7030069857d2e4169ee7",
    kind: "dedicated",
    baseUnits: usdt("128.004217"),
    reservedUntil: at(12_000),
    isReleased: false,
  },
  transfers: [],
  chain: { head: { height: 1_000, finalizedHeight: 990 }, caughtUpAt: at(-999), hasProblem: false },
};
const arrived = (amount: string, height: number, blockTime = at(-5)) => [
  {
    network: "bsc",
    currency: "USDT" as const,
    txId: `0x${"9f".repeat(32)}`,
    baseUnits: usdt(amount),
    countedUnits: usdt(amount),
    isConfirmed: false,
    blockHeight: height,
    blockTime,
  },
];
const facts: Record<(typeof CHECKOUT_STATES)[number], Partial<CheckoutFacts>> = {
  waiting: {},
  underpaid: { transfers: arrived("100", 990) },
  partial: { quote: { ...base.quote, kind: "shared" }, transfers: arrived("100", 990) },
  checking: { expiresAt: now },
  seen: { status: "confirming", transfers: arrived("128.004217", 1_000) },
  confirming: { status: "confirming", transfers: arrived("128.004217", 995) },
  late: { status: "confirming", expiresAt: at(-60), transfers: arrived("128.004217", 995) },
  paid: { status: "paid", paidAt: now, transfers: arrived("128.004217", 900) },
  overpaid: { status: "paid", exception: "overpaid", paidAt: now, transfers: arrived("130", 900) },
  expired: { status: "expired", expiresAt: at(-60) },
  cancelled: { status: "cancelled" },
};
const viewOf = (state: (typeof CHECKOUT_STATES)[number]) => checkoutView({ ...base, ...facts[state] }, now);
const pageOf = (state: (typeof CHECKOUT_STATES)[number]) => {
  const view = viewOf(state);
  return checkoutPage(view, checkoutTag(view), { t: en, nowMs: now.getTime(), isSandbox: true }).html;
};

describe.each(CHECKOUT_STATES)("%s", (state) => {
  test("is shown as that state, in one heading", () => {
    const html = pageOf(state);
    expect(html).toContain(`data-view="${state}"`);
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(html).not.toMatch(/undefined|\[object|NaN/);
  });

  test("escapes what a merchant wrote", () => {
    const html = pageOf(state);
    expect(html).not.toContain("Jerry's <script>");
    expect(html).not.toContain('q="><script>');
  });

  test("asks for money, in the sandbox by a button too, only while money is wanted", () => {
    const html = pageOf(state);
    const isWanted = state === "waiting" || state === "underpaid";
    for (const part of ['id="copy-address"', 'class="qr-code"', 'action="/sandbox/pay/']) {
      expect(html.includes(part)).toBe(isWanted);
    }
  });

  test("travels in one flight: at most 14 KB with style, script and QR codes", () => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
    expect(brotliCompressSync(pageOf(state), { params }).length).toBeLessThanOrEqual(14 * KB);
  });
});

test("a live page has no sandbox button", () => {
  const view = viewOf("waiting");
  const { html } = checkoutPage(view, checkoutTag(view), { t: en, nowMs: now.getTime(), isSandbox: false });
  expect(html).not.toContain("sandbox/pay");
});

test("the script is at most 4 KB compressed", () => {
  expect(gzipSync(SCRIPT).length).toBeLessThanOrEqual(4 * KB);
});

test("both QR codes read as what they should", () => {
  const { payloads } = viewOf("waiting");
  const codes = [
    ...pageOf("waiting").matchAll(/<svg class="qr-code" viewBox="0 0 (\d+) \d+".*?stroke="#000" d="(.*?)"/g),
  ];
  expect(codes.map(([, size, path]) => readQr(Number(size), path ?? ""))).toEqual([payloads.address, payloads.wallet]);
});

test("pages without an order still have a heading and a style", () => {
  for (const { html, policy } of [notFoundPage(en), awayPage(en)]) {
    expect(html).toContain("<h1>");
    expect(html).not.toContain("<script");
    expect(policy).toContain("script-src 'none'");
  }
  expect(awayPage(en).html).toContain('<meta http-equiv="refresh" content="5"/>');
});

/** Draws the dark lines of a QR code four pixels a module, and reads it. */
function readQr(size: number, path: string): string | undefined {
  const scale = 4;
  const width = size * scale;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)\.5h(\d+)/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++) {
      for (let column = Number(x) * scale; column < (Number(x) + Number(length)) * scale; column++) {
        pixels.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
      }
    }
  }
  return jsQR(pixels, width, width)?.data;
}
