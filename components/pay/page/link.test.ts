import { brotliCompressSync, constants } from "node:zlib";
import { describe, expect, test } from "vitest";
import { en, type Messages } from "@/components/pay/messages/en";
import { LANGUAGES } from "@/components/pay/messages/languages";
import { linkPage, noLinkPage } from "@/components/pay/page/document";
import { PLAIN_BRAND } from "@/lib/domain/checkout/brand";
import { type LinkView, type RefusedPayment, refusedPayment } from "@/lib/domain/links/link-view";
import { BRAND, LOGO } from "@/testing/checkout/pages";

const FLIGHT = 14 * 1_024;
const sizeOf = (html: string) => brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
const ID = "01kaq6m2t3000c5e7g9j1m4p6rsv";
const KEY = "01kaq6m2t3000aaaaaaaaaaaaaaa";
const OPEN: LinkView = {
  id: ID,
  state: "open",
  merchantName: "Jerry's <script> & sons",
  brand: PLAIN_BRAND,
  subject: "A <b>donation</b>",
  unit: "USDT or USDC",
  amount: null,
  min: "5 USDT or USDC",
  max: "50 USDT or USDC",
  noteLabel: "Your <i>name</i>",
  openOrderId: null,
  expiresAt: Date.parse("2026-11-28T12:00:00Z"),
};
const typed = { amount: '"3', note: "<img>" };
const VIEWS: Readonly<Record<string, { view: LinkView; refused?: RefusedPayment }>> = {
  open: { view: OPEN },
  fixed: { view: { ...OPEN, amount: "12.5 USDT", noteLabel: null, expiresAt: null } },
  started: { view: { ...OPEN, openOrderId: KEY } },
  malformed: { view: OPEN, refused: refusedPayment({ kind: "amount" }, typed) },
  little: { view: OPEN, refused: refusedPayment({ kind: "tooLittle", limit: "5 USDT" }, typed) },
  much: { view: OPEN, refused: refusedPayment({ kind: "tooMuch", limit: "50 USDT" }, typed) },
  note: { view: OPEN, refused: refusedPayment({ kind: "note" }, typed) },
  often: { view: OPEN, refused: refusedPayment({ kind: "often" }, typed) },
  unready: { view: OPEN, refused: refusedPayment({ kind: "away" }, typed) },
  away: { view: { ...OPEN, state: "away" } },
  usedUp: { view: { ...OPEN, state: "usedUp", openOrderId: KEY } },
  ended: { view: { ...OPEN, state: "ended" } },
};
const render = (name: string, t: Messages = en, more: { brand?: LinkView["brand"]; logo?: string } = {}) => {
  const { view, refused = null } = VIEWS[name] ?? expect.fail(name);
  const { brand = view.brand, logo = null } = more;
  return linkPage({ ...view, brand }, { t, isSandbox: false, logo, refused, formKey: KEY });
};

describe.each(Object.keys(VIEWS))("the page %s", (name) => {
  test("has no script, escapes texts, and labels its fields", () => {
    const { html, policy } = render(name);
    expect(policy).toContain("script-src 'none'");
    expect(html).not.toMatch(/<script|<b>|<i>|<img>|\sstyle=/);
    for (const [, id] of html.matchAll(/<input id="([^"]+)"/g)) expect(html).toContain(`for="${id}"`);
    for (const [, ids = ""] of html.matchAll(/aria-describedby="([^"]+)"/g))
      for (const id of ids.split(" ")) expect(html).toContain(`id="${id}"`);
  });

  test("shows the form only while the link is open", () => {
    const { html } = render(name);
    const isOpen = !["away", "usedUp", "ended"].includes(name);
    expect(html.includes(`name="key" value="${KEY}"`)).toBe(isOpen);
    expect(html.includes('type="submit"')).toBe(isOpen);
    expect(html.includes('name="amount"')).toBe(isOpen && name !== "fixed");
    expect(html.includes('role="alert"')).toBe(VIEWS[name]?.refused !== undefined);
  });
});

test("the fixed amount is shown, and an order that was started can be continued", () => {
  expect(render("fixed").html).toContain("12.5 USDT");
  for (const name of ["started", "usedUp"]) expect(render(name).html).toContain(`href="/pay/${KEY}?lang=en"`);
});

test.each(LANGUAGES.map((t) => [t.lang, t] as const))(
  "in %s, every page fits the initial congestion window, has one heading, and no unfinished text",
  (lang, t) => {
    for (const name of Object.keys(VIEWS)) {
      const { html } = render(name, t, { brand: BRAND, logo: LOGO });
      expect(html).toContain(`<html lang="${lang}" dir="${t.dir}">`);
      expect([name, html.match(/<h1[ >]/g)?.length, sizeOf(html) <= FLIGHT]).toEqual([name, 1, true]);
      expect(html.replace(/base64,[^"]+/g, "")).not.toMatch(/undefined|\[object|NaN|\*\*|\ue000/);
    }
    expect(noLinkPage(t).html).toContain(t.linkNoneLead);
  },
);
