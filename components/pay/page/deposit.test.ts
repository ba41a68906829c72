import { createHash } from "node:crypto";
import { brotliCompressSync, constants } from "node:zlib";
import { describe, expect, test } from "vitest";
import { en } from "@/components/pay/messages/en";
import { LANGUAGES } from "@/components/pay/messages/languages";
import { noDepositPage } from "@/components/pay/page/document";
import { DEPOSIT_PAGES, renderDeposit } from "@/testing/checkout/deposits";
import { BRAND, LOGO } from "@/testing/checkout/pages";
import { readQrPath } from "@/testing/checkout/qr-path";

const FLIGHT = 14 * 1_024;
const sizeOf = (html: string) => brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
const pageOf = (name: string, isSandbox = false) =>
  renderDeposit(DEPOSIT_PAGES[name] ?? expect.fail(name), en, { isSandbox });
const copiedIn = (html: string) => [...html.matchAll(/data-copy="(.*?)"/g)].map(([, text]) => text);

describe.each(Object.entries(DEPOSIT_PAGES))("the page %s", (name, shown) => {
  test("explains its purpose, and escapes the merchant's texts", () => {
    const { html } = renderDeposit(shown, en);
    expect(html.split("<script>")[0]).toContain(shown.title);
    expect(html).not.toMatch(/Jerry's <script>|\sstyle=/);
    expect(html).not.toMatch(/id="countdown"|id="copy-amount"|id="wallets"/);
  });

  test("shows an address, its QR code and the sandbox's button only where money may be sent", () => {
    const { html } = renderDeposit(shown, en, { isSandbox: true });
    const isOpen = !/closed|broken/.test(name);
    for (const part of ['id="copy-address"', 'class="qr-code"', 'action="/sandbox/deposit/'])
      expect(html.includes(part)).toBe(isOpen);
    if (!isOpen) expect(html.toLowerCase()).not.toContain(shown.facts.address.slice(2));
  });
});

describe.each(LANGUAGES.map((t) => [t.lang, t] as const))("in %s", (lang, t) => {
  test("every page, with the heaviest logo, fits the initial congestion window, has one heading, and no unfinished text", () => {
    for (const [name, shown] of Object.entries(DEPOSIT_PAGES)) {
      const { html } = renderDeposit(shown, t, { brand: BRAND, logo: LOGO });
      const [markup = ""] = html.split("<script>");
      expect(markup).toContain(`<html lang="${lang}" dir="${t.dir}">`);
      expect([name, markup.match(/<h1[ >]/g)?.length, sizeOf(html) <= FLIGHT]).toEqual([name, 1, true]);
      expect(markup.replace(/base64,[^"]+/g, "")).not.toMatch(/undefined|\[object|NaN|\*\*|\ue000/);
      expect(copiedIn(html)).toEqual(copiedIn(renderDeposit(shown, en).html));
    }
    expect(noDepositPage(t).html).not.toContain("**");
  });
});

test("the QR code holds the bare address, as people write it", () => {
  for (const name of ["deposit", "deposit-tron", "deposit-solana"]) {
    const { html } = pageOf(name);
    const [, size = "0"] = /class="qr-code" viewBox="0 0 (\d+)/.exec(html) ?? [];
    const [, path = ""] = /<path stroke="#000" d="(.*?)"/.exec(html) ?? [];
    expect(readQrPath(Number(size), path)).toBe(copiedIn(html)[0]);
  }
});

test("its policy lets exactly its own style and script run, and no wallet's", () => {
  const { html, policy } = pageOf("deposit-tron");
  const hash = (tag: string) =>
    createHash("sha256")
      .update(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? "")
      .digest("base64");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`script-src 'sha256-${hash("script")}';`);
  expect(policy).toContain(`style-src 'sha256-${hash("style")}';`);
  expect(policy).toContain("connect-src 'self';");
});

test("an open page polls every few seconds while something is not final, and announces changes", () => {
  const of = (name: string, attribute: string) => new RegExp(`data-${attribute}="(.*?)"`).exec(pageOf(name).html)?.[1];
  expect(of("deposit", "refresh")).toBe("60000");
  expect(of("deposit-confirming", "refresh")).toBe("3000");
  expect(of("deposit-full", "refresh")).toBe("60000");
  expect(of("deposit-seen", "say")).toBe("12.50 USDT: Detected");
  expect(of("deposit-full", "say")).toBe("12.50 USDT: Confirmed");
  expect(of("deposit-seen", "view")).toBe(of("deposit-full", "view"));
});
