import { createHash, randomBytes } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { SCRIPT } from "@/components/pay/assets";
import { en, type Messages } from "@/components/pay/messages/en";
import { chooseLanguage, LANGUAGES } from "@/components/pay/messages/languages";
import { awayPage, busyPage, checkoutPage, notFoundPage, refusedPage } from "@/components/pay/page/document";
import { PLAIN_BRAND } from "@/lib/domain/checkout/brand";
import type { CheckoutFacts } from "@/lib/domain/checkout/facts";
import { checkoutTag } from "@/lib/domain/checkout/refresh";
import { CHECKOUT_STATES } from "@/lib/domain/checkout/state";
import { checkoutView } from "@/lib/domain/checkout/view";
import { MISDIRECTED, NOW, ORDER, STATE_FACTS, usdt } from "@/testing/checkout/facts";
import { ORDER_PAGES, renderPage, STILL_PAGES } from "@/testing/checkout/pages";
import { readQrPath } from "@/testing/checkout/qr-path";

const KB = 1_024;
const viewOf = (state: (typeof CHECKOUT_STATES)[number]) => checkoutView({ ...ORDER, ...STATE_FACTS[state] }, NOW);
const htmlOf = (changes: Partial<CheckoutFacts>, isSandbox = false, t: Messages = en, logo: string | null = null) => {
  const view = checkoutView({ ...ORDER, ...changes }, NOW);
  return checkoutPage(view, checkoutTag(view), { t, isSandbox, logo }).html;
};
const sizeOf = (html: string) => brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
const pageOf = (state: (typeof CHECKOUT_STATES)[number]) => htmlOf(STATE_FACTS[state], true);

describe.each(CHECKOUT_STATES)("%s", (state) => {
  test("is shown as that state, in one heading", () => {
    const html = pageOf(state);
    expect(html).toContain(`data-view="${state}"`);
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(html).not.toMatch(/undefined|\[object|NaN/);
  });

  test("escapes the merchant's texts", () => {
    const html = pageOf(state);
    expect(html).not.toContain("Jerry's <script>");
    expect(html).not.toContain('q="><script>');
  });

  test("asks for money, in the sandbox by a button too, only while money is wanted", () => {
    const html = pageOf(state).replace(/<details class="contract again".*?<\/details>/s, "");
    const isWanted = state === "waiting" || state === "underpaid";
    for (const part of ['id="copy-address"', 'class="qr-code"', 'action="/sandbox/pay/']) {
      expect(html.includes(part)).toBe(isWanted);
    }
  });

  test("travels in one flight: at most 14 KB with style, script and QR codes", () => {
    expect(sizeOf(pageOf(state))).toBeLessThanOrEqual(14 * KB);
  });
});

test("a fiat price is shown beside the amount, and on the receipt, with its rate", () => {
  for (const state of ["waiting", "underpaid", "confirming", "paid"] as const)
    expect(pageOf(state)).toContain("19.90 EUR (1 USDT = 0.9215 EUR)");
  expect(htmlOf({ price: null })).not.toContain("EUR");
});

describe("the merchant's own", () => {
  const brand = {
    version: 3,
    accent: "#2447d8",
    supportUrl: "mailto:help@shop.example",
    hasLogo: true,
    frameParents: ["https://shop.example"],
    languages: [],
  };
  /** The largest accepted logo. */
  const logo = randomBytes(1_200).toString("base64");

  test("looks stay within one flight in every state, with the heaviest logo", () => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
    for (const state of CHECKOUT_STATES) {
      const html = htmlOf({ ...STATE_FACTS[state], brand }, true, en, logo);
      expect(html).toContain(`src="data:image/webp;base64,${logo}"`);
      expect(brotliCompressSync(html, { params }).length).toBeLessThanOrEqual(14 * KB);
    }
  });

  test("the accent colour is in a separate style sheet that the policy permits, and no element has a style", () => {
    const view = checkoutView({ ...ORDER, brand }, NOW);
    const { html, policy } = checkoutPage(view, checkoutTag(view), { t: en, isSandbox: false });
    const sheets = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text]) => text ?? "");
    expect(sheets).toHaveLength(2);
    for (const sheet of sheets) expect(policy).toContain(createHash("sha256").update(sheet).digest("base64"));
    expect(policy).toMatch(/frame-ancestors https:\/\/shop\.example$/);
    expect(html).not.toMatch(/\sstyle=/);
  });

  test("way back leaves the frame; without sites that may frame it there is nothing of frames", () => {
    expect(htmlOf({ ...STATE_FACTS.paid, brand })).toMatch(/<a class="button" id="return"[^>]* target="_top"/);
    expect(htmlOf(STATE_FACTS.paid)).not.toMatch(/_top|data-parents/);
  });
});

describe("amounts that people shorten", () => {
  const shared = (amount: string) => ({ quote: { ...ORDER.quote, kind: "shared" as const, baseUnits: usdt(amount) } });

  test("have the distinguishing digits marked and explained", () => {
    const html = htmlOf(shared("49.9901"));
    expect(html).toContain('<span class="number">49.99<b class="tail">01</b></span>');
    expect(html).toContain("The last digits, <strong>01</strong>, identify your order.");
    expect(html).toContain('data-copy="49.9901"');
    expect(htmlOf(shared("10.000101"))).toContain('10.00<b class="tail">0101</b>');
  });

  test("are not marked where any amount counts, or nothing is behind the cents", () => {
    for (const changes of [{}, shared("49.99"), shared("50")])
      expect(htmlOf(changes)).not.toMatch(/class="tail"|The last digits/);
  });
});

describe("an address of the order's own", () => {
  const own = (kind: "shared" | "dedicated", t = en) =>
    htmlOf({ quote: { ...ORDER.quote, kind, baseUnits: usdt("49.9") } }, false, t);

  test("asks for the amount without the shared-address text in any language, and keeps the code with the amount", () => {
    const html = own("dedicated");
    expect(html).toContain("<strong>Send 49.90 USDT.</strong>");
    expect(html).toContain("This page then requests the rest.".replace("This", "</strong> This"));
    expect(html).not.toMatch(/exactly|in full/i);
    expect(html).toContain('class="mode mode-wallet"');
    expect(own("shared")).toMatch(/Send exactly 49\.90 USDT.*the amount received is exactly 49\.90 USDT/s);
    for (const messages of LANGUAGES) {
      const markup = [messages.sumNote("A"), messages.restNote].join();
      expect([messages.exactNote("A"), messages.exchangeNote("A")].join()).not.toBe(markup);
      expect(own("dedicated", messages)).not.toContain(messages.exchangeNote("49.90 USDT").split("**")[2]?.trim());
    }
  });

  test("stays within one flight in every language", () => {
    for (const messages of LANGUAGES) expect(sizeOf(own("dedicated", messages))).toBeLessThanOrEqual(14 * KB);
  });
});

describe("warnings", () => {
  const boxIn = (html: string) => /<div class="warning" id="warnings">(.*?)<\/div>/s.exec(html)?.[1] ?? "";

  test("stand in one box below the address, above any link of the page and the QR code", () => {
    for (const name of ["waiting", "waiting-exact", "waiting-optimism", "waiting-switched", "underpaid"]) {
      const { html } = renderPage(ORDER_PAGES[name] ?? fail(name), en);
      const after = (html.split('id="copy-address"')[1] ?? "").split("</button>").slice(1).join("</button>");
      expect(after).toMatch(/^<\/div><div class="warning" id="warnings">/);
      expect(after.split('class="qr-box"')[0]).not.toContain("<a ");
      expect(boxIn(html)).toContain("Only USDT on");
    }
  });

  test("name everything that would cost the payer money", () => {
    const of = (name: string) => boxIn(renderPage(ORDER_PAGES[name] ?? fail(name), en).html);
    expect(of("waiting-exact")).toMatch(/the amount received is exactly 128\.004217 USDT/);
    expect(of("waiting-exact-round")).toMatch(/Send exactly 128\.00 USDT.*the amount received is exactly/s);
    expect(of("waiting-optimism")).toContain("Not bridged USDT");
    expect(of("waiting-switched")).toMatch(/Already sent 128\.00 USDC on Ethereum.*Do not pay twice/s);
    expect(of("waiting")).not.toMatch(/exactly/);
  });
});

describe("the merchant's contact", () => {
  const branded = (name: string, isBranded: boolean, t = en) =>
    (renderPage(ORDER_PAGES[name] ?? fail(name), t, { isBranded }).html.split("<script>")[0] ?? "").split(
      "<body>",
    )[1] ?? "";

  test("is named where there is one, with its link", () => {
    for (const name of [
      "partial",
      "elsewhere",
      "overpaid",
      "paid-late",
      "cancelled",
      "expired-unwatched",
      "asked-kept",
    ]) {
      expect([name, /contact (them|tom)/i.test(branded(name, true))]).toEqual([name, true]);
      expect(branded(name, true)).toContain('href="mailto:help@shop.example"');
    }
  });

  test("is never mentioned where the merchant gave none, and the page says what to keep instead", () => {
    for (const name of Object.keys(ORDER_PAGES))
      expect([name, /contact/i.exec(textIn(branded(name, false)))]).toEqual([name, null]);
    expect(branded("elsewhere", false)).toContain("Keep the transaction id below.");
    expect(branded("cancelled", false)).toContain("Keep the transaction id from your wallet or exchange.");
    for (const make of Object.values(STILL_PAGES))
      expect(textIn(make(en).html.split("<body>")[1] ?? "")).not.toMatch(/contact/i);
  });
});

describe("the source of the money", () => {
  const of = (name: string, t = en) => renderPage(ORDER_PAGES[name] ?? fail(name), t).html.split("<script>")[0] ?? "";

  test("is asked first, with links that need no script and keep the language", () => {
    const german = LANGUAGES.find(({ lang }) => lang === "de") ?? en;
    const html = of("waiting-exact", german);
    expect(html.indexOf(german.sourceTitle)).toBeLessThan(html.indexOf('id="amount"'));
    expect(html).toContain(`id="from-exchange" href="/pay/${ORDER.tradeId}?from=exchange&amp;lang=de"`);
    expect(html).toContain(`id="from-wallet" href="/pay/${ORDER.tradeId}?from=wallet&amp;lang=de"`);
    expect(html).not.toContain('id="from-binance"');
    for (const id of ["binance", "okx", "bybit", "coinbase", "kraken"])
      expect(of("waiting-exchange")).toContain(`id="from-${id}"`);
  });

  test("an exchange gets its own words, the amount to be received, and no wallet links", () => {
    const html = of("waiting-binance");
    expect(html).toMatch(/Network at Binance: <bdi>BNB Smart Chain \(BEP20\)<\/bdi><small>fee about 0\.01 USDT/);
    expect(html).toContain("Amount to be received");
    expect(html).toMatch(/Withdrawals can take several minutes.*No memo or tag is needed/s);
    expect(html).not.toMatch(/id="open-wallet"|id="wallets"|id="qr-wallet"/);
    expect(html).toMatch(/id="from-exchange"[^>]* aria-current="true">Binance ▾</);
    expect(of("waiting-unlisted")).toContain("Kraken may not send USDT on this network.");
  });

  test("a payer who would have to withdraw more than the order is warned, on the page and before choosing", () => {
    const text = "<strong>Binance sends at least about 10 USDT here,</strong> which is more than this order.";
    expect(of("waiting-minimum")).toContain(text);
    expect(of("picker-minimum")).toContain(text);
    expect(of("waiting-binance")).not.toContain("sends at least");
  });

  test("a wallet gets links that open it with the payment", () => {
    const request = `ethereum:0x55d398326f99059fF775485246999027B3197955@56/transfer?address=${viewOf("waiting").address}`;
    expect(of("waiting-wallet")).toContain(`id="open-wallet" href="${request}`);
    expect(of("waiting-wallet")).toContain('href="https://link.metamask.io/send/0x55d3');
    expect(of("waiting-wallet-tron")).toMatch(/id="open-wallet" href="tronlinkoutside:[^"]+pay\.shop\.example/);
    expect(of("waiting")).toContain('id="open-wallet"');
  });

  test("stays selected in every link and form of the page", () => {
    const html = of("waiting-binance");
    expect(html).toContain('<a href="?lang=de&amp;from=binance"');
    expect(html).toContain(`href="/pay/${ORDER.tradeId}?choose=1&amp;lang=en&amp;from=binance"`);
    expect(html).toContain(`href="/pay/${ORDER.tradeId}?paid=1&amp;lang=en&amp;from=binance#lookup"`);
    expect(html.match(/<form[^>]* action="\/pay\/[^"]+"/g)?.every((form) => form.includes("from=binance"))).toBe(true);
    expect(of("picker-okx")).toContain(`action="/pay/${ORDER.tradeId}?lang=en&amp;from=okx"`);
  });
});

describe("the choice of a method", () => {
  const of = (name: string) => renderPage(ORDER_PAGES[name] ?? fail(name), en).html.split("<script>")[0] ?? "";
  const valuesIn = (html: string) =>
    [...html.matchAll(/name="method" id="[^"]*" value="([^"]*)"/g)].map(([, one]) => one);

  test("is grouped by currency, with the amount and the recommended method first", () => {
    const html = of("picker-priced");
    expect(html.match(/<fieldset class="options">/g)).toHaveLength(2);
    expect(html).toContain("about 21.60 USDC");
    expect(html.match(/Recommended/g)).toHaveLength(1);
    expect(valuesIn(html)[0]).toBe("solana:USDT");
    expect(of("picker")).toContain("<bdi>128.00 USDT</bdi>");
    expect(of("picker-unrated")).not.toMatch(/<bdi>about|undefined/);
  });

  test("preselects the cheapest method of the payer's exchange, and none without an exchange", () => {
    expect(of("picker-okx")).toMatch(/value="optimism:USDC" checked/);
    for (const name of ["picker-exchange", "picker-wallet"]) expect(of(name)).not.toMatch(/type="radio"[^>]* checked/);
    expect(of("picker-okx")).toContain("Network at OKX: <bdi>TRC20</bdi>");
  });
});

test("a live page has no sandbox button", () => {
  expect(htmlOf({})).not.toContain("sandbox/pay");
});

test("links to explorers lead to the transaction; chains of a sandbox, which no explorer shows, have none", () => {
  const { paid } = STATE_FACTS;
  expect(htmlOf(paid)).toContain(`href="https://bscscan.com/tx/0x${"9f".repeat(32)}"`);
  expect(htmlOf(paid, true)).toContain(`0x${"9f".repeat(2)}`);
  for (const state of CHECKOUT_STATES) expect(pageOf(state)).not.toContain("bscscan.com");
});

describe("money that came on another network", () => {
  test("is reported with amount, address, transaction, and what to do; paying again is kept separate", () => {
    const html = htmlOf(STATE_FACTS.elsewhere);
    for (const part of ["128.004217 USDC", "Ethereum (ERC20)", "BNB Smart Chain (BEP20)", "Do not pay again,"])
      expect(html).toContain(part);
    expect(html).toContain(`href="https://etherscan.io/tx/${MISDIRECTED.txId}"`);
    expect(html).toMatch(/<details class="contract again" id="again">.*id="copy-address".*<\/details>/s);
  });

  test("cannot be paid again once the time is up", () => {
    expect(htmlOf({ ...STATE_FACTS.elsewhere, expiresAt: NOW })).not.toContain('id="again"');
  });

  test("is reported in every state of the order", () => {
    for (const state of ["confirming", "paid", "cancelled"] as const) {
      const html = htmlOf({ ...STATE_FACTS[state], misdirected: [MISDIRECTED] });
      expect(html).toContain(`data-view="${state}"`);
      expect(html).toContain("<strong>128.004217 USDC</strong> also arrived on <strong>Ethereum (ERC20)</strong>");
    }
  });
});

describe("tokens that are easily mixed up", () => {
  const optimism = { ...ORDER.quote, network: "optimism", baseUnits: 128_004_217n };
  const bridged = {
    network: "optimism",
    token: "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58",
    currency: null,
    txId: MISDIRECTED.txId,
    baseUnits: 128_004_217n,
  };

  test("are distinguished before a payment: tokens with the same name in wallets, and others", () => {
    const html = htmlOf({ quote: optimism });
    expect(html).toContain("Some wallets show this USDT as <strong>USD₮0</strong>. It is the same token.");
    expect(html).toContain("<strong>Not bridged USDT</strong> (0x94b008…e58e58): wallets show it as USDT");
    expect(html).not.toContain("bridged USDC");
    expect(htmlOf({})).not.toMatch(/Some wallets show|bridged/);
  });

  test("are named once they arrived, with what to do, and without a promise to accept them", () => {
    const html = htmlOf({ quote: optimism, misdirected: [bridged] });
    expect(html).toContain("<h1>Paid with another token</h1>");
    expect(html).toContain("You sent <strong>128.004217 bridged USDT</strong> on <strong>Optimism (ERC20)</strong>.");
    expect(html).toContain("Wallets show it as USDT, but it is a different token (0x94b008…e58e58) than the USDT");
    expect(html).toContain("sees this payment next to the order and decides how to handle it.");
    expect(html).not.toContain("can accept it");
  });

  test("stay within the initial congestion window, on the network with the longest text", () => {
    for (const changes of [{ quote: optimism }, { quote: optimism, misdirected: [bridged] }])
      expect(sizeOf(htmlOf(changes, true))).toBeLessThanOrEqual(14 * KB);
  });
});

describe.each(Object.entries(ORDER_PAGES))("the page %s", (_name, shown) => {
  test("explains its purpose, and escapes the merchant's texts", () => {
    const { html } = renderPage(shown, en);
    expect(html.split("<script>")[0]).toContain(shown.title);
    expect(html).not.toMatch(/Jerry's <script>|q="><script>|\sstyle=/);
  });
});

describe.each(LANGUAGES.map((t) => [t.lang, t] as const))("in %s", (lang, t) => {
  test("every page, with the heaviest logo, fits the initial congestion window, has one heading, and no unfinished text", () => {
    for (const [name, shown] of Object.entries(ORDER_PAGES)) {
      const { html } = renderPage(shown, t, { isBranded: true });
      const [markup = ""] = html.split("<script>");
      expect(markup).toContain(`<html lang="${lang}" dir="${t.dir}">`);
      expect([name, markup.match(/<h1[ >]/g)?.length, sizeOf(html) <= 14 * KB]).toEqual([name, 1, true]);
      // The base64 of the logo may contain any of these strings by chance.
      expect(markup.replace(/base64,[^"]+/g, "")).not.toMatch(/undefined|\[object|NaN|\*\*|\ue000/);
    }
  });

  test("pages without an order are short, have one heading, and run only the script that reloads them", () => {
    for (const make of Object.values(STILL_PAGES)) {
      const { html, policy } = make(t);
      expect(html.match(/<h1[ >]/g)).toHaveLength(1);
      expect(html).not.toContain("**");
      const [, script] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
      const hash = createHash("sha256")
        .update(script ?? "")
        .digest("base64");
      expect(policy).toContain(`script-src ${script ? `'sha256-${hash}'` : "'none'"};`);
      expect(sizeOf(html)).toBeLessThanOrEqual(14 * KB);
    }
  });

  test("copied values are the same in every language, in Latin letters and digits", () => {
    const copied = (html: string) => [...html.matchAll(/data-copy="(.*?)"/g)].map(([, text]) => text);
    expect(copied(htmlOf({}, false, t))).toEqual(copied(htmlOf({})));
    for (const state of CHECKOUT_STATES) {
      const html = htmlOf(STATE_FACTS[state], true, t);
      expect(html.replaceAll(/<details class="languages".*?<\/details>/gs, "")).not.toMatch(/(?![0-9])\p{Nd}/u);
    }
  });

  test("every other language is one link away, by its own name, without a script", () => {
    const html = htmlOf({}, false, t);
    for (const other of LANGUAGES) expect(html).toContain(`<a href="?lang=${other.lang}" lang="${other.lang}"`);
    expect(html.match(/aria-current="true"/g)).toHaveLength(1);
  });
});

test("another language keeps the payer's step, and so does the link back from choosing", () => {
  const linksOf = (name: string) => renderPage(ORDER_PAGES[name] ?? fail(name), en).html.match(/<a href="\?lang=.*?"/g);
  expect(linksOf("picker-again")).toContain('<a href="?lang=de&amp;choose=1"');
  expect(linksOf("asking")).toContain('<a href="?lang=de&amp;paid=1"');
  for (const name of ["waiting", "picker", "paid"]) expect(linksOf(name)).toContain('<a href="?lang=de"');
  const [german] = LANGUAGES.filter(({ lang }) => lang === "de");
  const { html } = renderPage(ORDER_PAGES["picker-again"] ?? fail("picker-again"), german ?? en);
  expect(html).toContain(`id="back" href="/pay/${ORDER.tradeId}?lang=de"`);
});

test("a shop's own languages are offered alone, and one of them is no choice", () => {
  const linksOf = (languages: string[]) =>
    htmlOf({ brand: { ...PLAIN_BRAND, languages } })
      .match(/<a href="\?lang=[^"]*"/g)
      ?.map((link) => link.slice(15, -1));
  expect(linksOf(["zh-Hans", "de"])).toEqual(["de", "zh-Hans"]);
  expect(linksOf(["de"])).toBeUndefined();
  expect(linksOf([])).toHaveLength(LANGUAGES.length);
});

test("in a language that runs to the left, addresses, amounts and names keep their own direction", () => {
  const arabic = htmlOf({}, false, chooseLanguage({ chosen: "ar" }));
  expect(arabic).toMatch(/<bdi class="mono" dir="ltr" translate="no">/);
  expect(arabic).toMatch(/<bdi class="network network-bsc" dir="ltr">BNB Smart Chain \(BEP20\)<\/bdi>/);
  expect(arabic).toContain("<bdi>128.004217 USDT</bdi>");
  // Invisible characters would be copied along with an amount.
  expect(arabic.replaceAll(/(data-say|aria-label)="[^"]*"/g, "")).not.toMatch(/\u2068[\d.]+/);
});

test("the script is at most 4 KB compressed", () => {
  expect(gzipSync(SCRIPT).length).toBeLessThanOrEqual(4 * KB);
});

test("both QR codes decode to the expected content", () => {
  const { payloads } = viewOf("waiting");
  const codes = [
    ...pageOf("waiting").matchAll(/<svg class="qr-code" viewBox="0 0 (\d+) \d+".*?stroke="#000" d="(.*?)"/g),
  ];
  expect(codes.map(([, size, path]) => readQrPath(Number(size), path ?? ""))).toEqual([
    payloads.address,
    payloads.wallet,
  ]);
});

test("a page that cannot be shown comes back by itself", () => {
  const back = '<noscript><meta http-equiv="refresh" content="5"/></noscript>';
  expect(awayPage(en).html).toContain(back);
  expect(busyPage(en, 37).html).toContain(back.replace("5", "37"));
  expect(notFoundPage(en).html).not.toMatch(/refresh|<script/);
});

test("the page of a refused request shows its reference and does not repeat the request", () => {
  for (const refusal of ["paid", "closed", "temporary", "invalid"] as const) {
    const page = refusedPage(en, refusal, "01ref");
    expect(page.html).toContain("01ref");
    expect(page.html).not.toMatch(/refresh|<script/);
  }
});

/** Returns the text of a page without its markup. */
function textIn(html: string): string {
  return (html.split("<script>")[0] ?? "").replaceAll(/<[^>]+>/g, " ");
}

function fail(name: string): never {
  throw new Error(`There is no page ${name}`);
}
