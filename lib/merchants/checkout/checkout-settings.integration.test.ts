import type { ServerResponse } from "node:http";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Context } from "@/app/context";
import { GET as getPage } from "@/app/pay/[tradeId]/route";
import { findCheckoutSettings } from "@/db/queries/merchants/checkout-settings";
import { auditEvents, merchants } from "@/db/schema";
import { readEnv } from "@/lib/config/env";
import { type BrandForm, readBrand } from "@/lib/domain/checkout/brand";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { createHtmlPages } from "@/lib/http/html-pages";
import { createVisitors } from "@/lib/http/visitors";
import { createLog } from "@/lib/log";
import { changeCheckout, changeContact } from "@/lib/merchants/checkout/checkout-settings";
import { addressVerifier } from "@/lib/merchants/vault";
import { findCheckoutsTogether } from "@/lib/orders/find-checkout";
import { type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedCursor, seedMerchant, seedOrder, seedPerson, TEST_APP_SECRET } from "@/testing/database/seed";
import { inSentences } from "@/testing/problem-sentences";

const testDb = useTestDb();
const now = new Date("2026-03-01T12:00:00Z");
const db = () => testDb.pool.db;
const fetching = { allowCidrs: ["127.0.0.0/8"], userAgent: "Stablegate/test" };

let shop: Receiver;
let answer: (response: ServerResponse) => void;
let merchantId = "";
let userId = "";
let tradeId = "";

const change = async (form: Partial<BrandForm>, isLogoNew = false, options = fetching) => {
  const brand = readBrand(form);
  return "errors" in brand ? brand : changeCheckout(db(), options, { ...brand, merchantId, userId, isLogoNew }, now);
};
const known = () => findCheckoutSettings(db(), merchantId);
const view = (query = "") =>
  getPage(new Request(`http://localhost/pay/${tradeId}${query}`), { params: Promise.resolve({ tradeId }) });
const tagOf = (html: string) => /data-tag="([^"]+)"/.exec(html)?.[1];

beforeAll(async () => {
  shop = await startReceiver((response) => answer(response));
  const png = await sharp({ create: { width: 200, height: 200, channels: 3, background: "#c00" } })
    .png()
    .toBuffer();
  answer = (response) => void response.writeHead(200, { "content-type": "image/png" }).end(png);
  const merchant = await seedMerchant(db(), now);
  merchantId = merchant.id;
  userId = await seedPerson(db(), { merchantId }, now);
  const address = await seedAddress(db(), { merchantId, network: "bsc" }, now);
  tradeId = (await seedOrder(db(), { address, baseUnits: 10_000_100_000_000_000_000n }, now)).id;
  await seedCursor(db(), "bsc", now);
  const log = createLog("test", "fatal");
  const env = readEnv({
    DATABASE_URL: testDb.url,
    APP_SECRET: TEST_APP_SECRET,
    PUBLIC_URL: "http://localhost:3000",
    BSC_RPC_URLS: "http://localhost:1",
  });
  const context = {
    env,
    pool: testDb.pool,
    log,
    visitors: createVisitors(env, log),
    now: () => now,
    pages: createHtmlPages(),
    findCheckoutRow: findCheckoutsTogether(db()),
    orders: { log, publicUrl: env.publicUrl, isVerifiedAddress: addressVerifier(env.appSecret) },
  };
  globalThis.stablegateContext = context as Context;
});

afterAll(async () => {
  globalThis.stablegateContext = undefined;
  await shop?.close();
});

test("the page of a merchant without settings is unchanged, and cannot be framed", async () => {
  const page = await view();
  const html = await page.text();
  expect(html).toContain('<span class="mark" aria-hidden="true">T</span>');
  expect(html.match(/<style>/g)).toHaveLength(1);
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(page.headers.get("x-frame-options")).toBe("DENY");
});

test("saved settings are on the page: name, logo, colour, help and permitted frames; the earlier version is outdated", async () => {
  const before = tagOf(await (await view()).text());
  const form = {
    shownName: "Café & Co",
    accent: "#0B7A4B",
    supportUrl: "help@cafe.example",
    logoUrl: `${shop.origin}/logo`,
    frameParents: "https://cafe.example https://www.cafe.example",
  };
  expect(await change(form)).toBe(true);
  const page = await view();
  const html = await page.text();
  expect(html).toMatch(
    /<img class="logo" src="data:image\/webp;base64,UklGR[\w+/=]+" width="32" height="32" alt=""\/><bdi>Café &amp; Co<\/bdi>/,
  );
  expect(html).toContain("--button:#0b7a4b");
  expect(html).toContain('href="mailto:help@cafe.example"');
  expect(html).not.toMatch(/\sstyle=|Test shop|127\.0\.0\.1/);
  expect(page.headers.get("content-security-policy")).toContain(
    "frame-ancestors https://cafe.example https://www.cafe.example",
  );
  expect(page.headers.get("x-frame-options")).toBeNull();
  expect(tagOf(html)).not.toBe(before);
  expect(await (await view("?fragment=1")).text()).not.toContain("data:image");
});

test("a logo is fetched once: neither views nor other changes ask for it again, unless that is wanted", async () => {
  const asked = shop.received.length;
  const logoUrl = `${shop.origin}/logo`;
  expect(await change({ logoUrl })).toBe(true);
  expect(shop.received).toHaveLength(asked);
  expect(await change({ logoUrl }, true)).toBe(true);
  expect(shop.received).toHaveLength(asked + 1);
  expect(shop.received.at(-1)).toMatchObject({ method: "GET", headers: { "user-agent": "Stablegate/test" } });
  expect(await change({})).toBe(true);
  expect(await known()).toMatchObject({ logo: null, logoUrl: null, shownName: null });
});

test("a logo that cannot be downloaded changes nothing, and is reported at its field", async () => {
  const version = (await known())?.version;
  const problem = async (logoUrl: string, options = fetching) => {
    const reported = await change({ logoUrl, shownName: "Other" }, false, options);
    return reported === true ? [] : reported.errors.map((error) => ({ field: error.field, message: inEnglish(error) }));
  };
  answer = (response) => void response.writeHead(404).end();
  expect(inSentences(await problem(`${shop.origin}/gone`))).toEqual([
    { field: "logoUrl", message: "The image could not be fetched: the response had status 404" },
  ]);
  answer = (response) => void response.writeHead(200, { "content-type": "image/png" }).end("<svg onload=alert(1)>");
  expect((await problem(`${shop.origin}/svg`))[0]?.message).toMatch(/^The image cannot be used: it is not a PNG/);
  answer = (response) => void response.writeHead(200).end(Buffer.alloc(2 * 1_024 * 1_024 + 1));
  expect((await problem(`${shop.origin}/huge`))[0]?.message).toMatch(/too large or incomplete/);
  const asked = shop.received.length;
  expect((await problem(`${shop.origin}/inside`, { ...fetching, allowCidrs: [] }))[0]?.message).toMatch(
    /a loopback address; requests go to public addresses only/,
  );
  expect(shop.received).toHaveLength(asked);
  expect((await known())?.version).toBe(version);
});

test("every change is in the record, without the picture", async () => {
  expect(await change({ accent: "#2447d8" })).toBe(true);
  const events = await db().select().from(auditEvents).where(eq(auditEvents.merchantId, merchantId));
  const ours = events.filter(({ action }) => action === "checkout.changed");
  expect(ours).toHaveLength((await known())?.version ?? 0);
  expect(JSON.stringify(ours)).not.toContain("UklGR");
  expect(ours.at(-1)).toMatchObject({ userId, detail: { after: { accent: "#2447d8", logoUrl: null } } });
});

test("the contact alone can be changed: every other setting is kept, and the change is recorded", async () => {
  expect(await change({ shownName: "Corner", accent: "#2447d8", languages: "de en" })).toBe(true);
  const before = await known();
  await changeContact(db(), { merchantId, userId, supportUrl: "mailto:help@shop.example.com" }, now);
  expect(await known()).toEqual({
    ...before,
    supportUrl: "mailto:help@shop.example.com",
    version: (before?.version ?? 0) + 1,
  });
  const other = await seedMerchant(db(), now);
  const otherUser = await seedPerson(db(), { merchantId: other.id }, now);
  await changeContact(db(), { merchantId: other.id, userId: otherUser, supportUrl: "https://x.example/help" }, now);
  expect(await findCheckoutSettings(db(), other.id)).toMatchObject({
    supportUrl: "https://x.example/help",
    version: 1,
  });
  const events = await db().select().from(auditEvents).where(eq(auditEvents.merchantId, other.id));
  expect(events.map(({ action }) => action)).toEqual(["checkout.changed"]);
});

test("two concurrent saves both count, and neither takes the other's logo", async () => {
  answer = (response) => void response.writeHead(404).end();
  const answers = await Promise.all([change({ shownName: "One" }), change({ shownName: "Two" })]);
  expect(answers).toEqual([true, true]);
  expect(["One", "Two"]).toContain((await known())?.shownName);
  expect(await db().select().from(merchants)).toHaveLength(2);
});
