import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { GET as getEvents } from "@/app/api/pay/[tradeId]/events/route";
import { GET as getStatus } from "@/app/api/pay/[tradeId]/status/route";
import { GET as getWallet } from "@/app/api/pay/[tradeId]/wallet/route";
import type { Context } from "@/app/context";
import { GET as getPage } from "@/app/pay/[tradeId]/route";
import { GET as getAsset } from "@/app/pay/assets/[file]/route";
import { WALLET_FILE, WALLET_INTEGRITY, WALLET_SCRIPT } from "@/components/pay/assets";
import { openDb } from "@/db/client";
import { merchants, orders, quotes } from "@/db/schema";
import { readEnv } from "@/lib/config/env";
import { ORDER_CHANGED } from "@/lib/domain/channels";
import { newId } from "@/lib/domain/id";
import { createHtmlPages, type HtmlPages } from "@/lib/http/html-pages";
import { createOrderStreams } from "@/lib/http/order-events";
import { createVisitors } from "@/lib/http/visitors";
import { createLog } from "@/lib/log";
import { addressVerifier } from "@/lib/merchants/vault";
import { findCheckoutsTogether, findVersionsTogether } from "@/lib/orders/find-checkout";
import { createOrderChanges, type OrderChanges } from "@/lib/orders/order-changes";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedCursor, seedMerchant, seedOrder, TEST_APP_SECRET } from "@/testing/database/seed";

const testDb = useTestDb();
const now = new Date("2026-03-01T12:00:00Z");
const log = createLog("test", "fatal");
const NOTIFY_URL = "https://shop.example/private-callback";
const MCH_ORDER_ID = "INTERNAL-7781";
const UNKNOWN = "01kahy4m3r9t5w8x2z6b7c1d0e";

let orderChanges: OrderChanges;
let tradeId = "";

function useContext(overrides: Partial<Context> = {}): void {
  const env = readEnv({
    DATABASE_URL: testDb.url,
    APP_SECRET: TEST_APP_SECRET,
    PUBLIC_URL: "http://localhost:3000",
    BSC_RPC_URLS: "http://localhost:1",
    STABLEGATE_SANDBOX: "1",
  });
  globalThis.stablegateContext = {
    env,
    pool: testDb.pool,
    log,
    orderChanges,
    visitors: createVisitors(env, log),
    pages: createHtmlPages(),
    orders: { log, publicUrl: env.publicUrl, isVerifiedAddress: addressVerifier(env.appSecret) },
    findCheckoutRow: findCheckoutsTogether((overrides.pool ?? testDb.pool).db),
    findOrderVersion: findVersionsTogether((overrides.pool ?? testDb.pool).db),
    orderStreams: createOrderStreams(orderChanges),
    now: () => now,
    ...overrides,
  } as Context;
}

type Handler = (request: Request, context: { params: Promise<{ tradeId: string }> }) => Promise<Response>;

const ask = (handler: Handler, path: string, headers: Record<string, string> = {}, id = tradeId) =>
  handler(new Request(`http://localhost:3000${path}`, { headers }), { params: Promise.resolve({ tradeId: id }) });

async function change(values: Partial<typeof orders.$inferInsert> & { version: number }): Promise<void> {
  await testDb.pool.db.transaction(async (tx) => {
    await tx.update(orders).set(values).where(eq(orders.id, tradeId));
    await tx.execute(`select pg_notify('${ORDER_CHANGED}', '${tradeId} ${values.version}')`);
  });
}

/** Reads events until one contains `text`; undefined if the stream ends first. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, text: string): Promise<string | undefined> {
  let seen = "";
  while (!seen.includes(text)) {
    const { value, done } = await reader.read();
    if (done) return undefined;
    seen += new TextDecoder().decode(value);
  }
  return seen;
}

const readerOf = (answer: Response) => {
  if (!answer.body) throw new Error("The answer has no body");
  return answer.body.getReader();
};

beforeAll(async () => {
  orderChanges = createOrderChanges(testDb.pool, log);
  useContext();
  const { db } = testDb.pool;
  const merchant = await seedMerchant(db, now);
  const address = await seedAddress(db, { merchantId: merchant.id, network: "bsc" }, now);
  const order = await seedOrder(db, { address, baseUnits: 10_000_100_000_000_000_000n, notifyUrl: NOTIFY_URL }, now);
  await seedCursor(db, "bsc", now);
  tradeId = order.id;
  await db.update(orders).set({ mchOrderId: MCH_ORDER_ID }).where(eq(orders.id, tradeId));
});

afterAll(() => {
  orderChanges?.close();
  globalThis.stablegateContext = undefined;
});

test("200: the page shows what to send and nothing that is private to the merchant", async () => {
  const answer = await ask(getPage, `/pay/${tradeId}`);
  const html = await answer.text();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(html).toContain('data-state="pending"');
  expect(html).toContain('data-copy="10.0001"');
  expect(html).toContain("BNB Smart Chain (BEP20)");
  expect(html).toContain('http-equiv="refresh"');
  expect(html).not.toContain(NOTIFY_URL);
  expect(html).not.toContain(MCH_ORDER_ID);
});

test("the page uses the payer's language, else the order's, else the browser's, and declares it", async () => {
  const { db } = testDb.pool;
  const german = { "accept-language": "de-AT, en;q=0.5" };
  const languageOf = async (path: string, headers: Record<string, string>, id = tradeId) => {
    const answer = await ask(getPage, path, headers, id);
    const [, lang] = /<html lang="(.*?)"/.exec(await answer.text()) ?? [];
    expect(answer.headers.get("content-language")).toBe(lang);
    expect(answer.headers.get("vary")).toContain("accept-language");
    return lang;
  };
  expect(await languageOf(`/pay/${tradeId}`, german)).toBe("de");
  expect(await languageOf("/pay/x", german, UNKNOWN)).toBe("de");
  await db.update(orders).set({ locale: "zh-TW" }).where(eq(orders.id, tradeId));
  expect(await languageOf(`/pay/${tradeId}`, german)).toBe("zh-Hant");
  expect(await languageOf(`/pay/${tradeId}?lang=ar`, german)).toBe("ar");
  expect(await languageOf(`/pay/${tradeId}?lang=xx`, german)).toBe("zh-Hant");
  const fragment = await ask(getPage, `/pay/${tradeId}?fragment=1&lang=ar`, german);
  expect(await (await ask(getPage, `/pay/${tradeId}?lang=ar`)).text()).toContain(await fragment.text());
  await db.update(orders).set({ locale: null }).where(eq(orders.id, tradeId));
});

test("the policy of the page lets exactly its own style and script run", async () => {
  const answer = await ask(getPage, `/pay/${tradeId}`);
  const html = await answer.text();
  const policy = answer.headers.get("content-security-policy") ?? "";
  const hashOf = (tag: string) => {
    const texts = [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "g"))].map((match) => match[1] ?? "");
    expect(texts).toHaveLength(1);
    return createHash("sha256")
      .update(texts[0] ?? "")
      .digest("base64");
  };
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`style-src 'sha256-${hashOf("style")}'`);
  expect(policy).toContain(`script-src 'sha256-${hashOf("script")}'`);
  expect(policy).toContain(`'${WALLET_INTEGRITY}' 'strict-dynamic'; style-src`);
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toContain("unsafe");
  expect(html).not.toMatch(/\sstyle=|\son[a-z]+=/);
});

test("a wallet request matches the page, and exists only while a payment is due", async () => {
  const page = await (await ask(getPage, `/pay/${tradeId}`)).text();
  const answer = await ask(getWallet, `/api/pay/${tradeId}/wallet?lang=en`);
  const { request, offer, words } = await answer.json();
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(page).toContain(`data-family="evm" data-offer="${offer}"`);
  expect(page).toContain(`data-copy="${request.recipient}"`);
  expect(request).toMatchObject({ chain: "0x38", units: "10000100000000000000" });
  // Local chains use real chain ids, so a wallet must return a block that only the local chain has.
  expect(request).toMatchObject({ block: { height: 100, hash: "00" }, add: null });
  expect(words.confirm).toContain("10.0001 USDT on BNB Smart Chain (BEP20)");
  useContext({ now: () => new Date(now.getTime() + 86_400_000) });
  expect((await (await ask(getWallet, "/x")).json()).request).toBeNull();
  useContext();
});

test("the wallet script is loaded by its hash, compressed, and only once", async () => {
  const load = (file: string, accepted: string) =>
    getAsset(new Request(`http://localhost:3000/pay/assets/${file}`, { headers: { "accept-encoding": accepted } }), {
      params: Promise.resolve({ file }),
    });
  const answer = await load(WALLET_FILE, "");
  const text = await answer.text();
  expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(`sha256-${createHash("sha256").update(text).digest("base64")}`).toBe(WALLET_INTEGRITY);
  expect(brotliDecompressSync(await (await load(WALLET_FILE, "gzip, br")).arrayBuffer()).toString()).toBe(
    WALLET_SCRIPT,
  );
  expect(gunzipSync(await (await load(WALLET_FILE, "gzip")).arrayBuffer()).toString()).toBe(WALLET_SCRIPT);
  expect((await load("wallets-0.js", "")).status).toBe(404);
});

test("the page is compressed as the browser allows", async () => {
  const plain = await (await ask(getPage, `/pay/${tradeId}`)).text();
  const brotli = await ask(getPage, `/pay/${tradeId}`, { "accept-encoding": "gzip, deflate, br, zstd" });
  const gzip = await ask(getPage, `/pay/${tradeId}`, { "accept-encoding": "gzip;q=1, br;q=0" });
  expect(brotli.headers.get("content-encoding")).toBe("br");
  expect(brotliDecompressSync(await brotli.arrayBuffer()).toString()).toBe(plain);
  expect(gzip.headers.get("content-encoding")).toBe("gzip");
  expect(gunzipSync(await gzip.arrayBuffer()).toString()).toBe(plain);
});

test("the fragment is the main part of the same page, and nothing else", async () => {
  const page = await (await ask(getPage, `/pay/${tradeId}`)).text();
  const fragment = await (await ask(getPage, `/pay/${tradeId}?fragment=1`)).text();
  expect(fragment).toMatch(/^<main [\s\S]*<\/main>$/);
  expect(page).toContain(fragment);
});

test("200: the page is identical for all visitors, and the server's clock is sent separately", async () => {
  const make = vi.spyOn(globalThis.stablegateContext?.pages ?? createHtmlPages(), "answer");
  const first = await ask(getPage, `/pay/${tradeId}`);
  useContext({ now: () => new Date(now.getTime() + 7_000), pages: globalThis.stablegateContext?.pages as HtmlPages });
  const second = await ask(getPage, `/pay/${tradeId}`, { "accept-language": "en" });
  expect(await second.text()).toBe(await first.text());
  expect(second.headers.get("server-timing")).toBe(`now;dur=${now.getTime() + 7_000}`);
  expect(new Set(make.mock.calls.map(([_call, name]) => name)).size).toBe(1);
  useContext();
});

test("200: many concurrent visitors each see their order in their language", async () => {
  const { db } = testDb.pool;
  const { id: merchantId } = await seedMerchant(db, now);
  const address = await seedAddress(db, { merchantId, network: "bsc" }, now);
  const amounts = [11, 12, 13, 14];
  const made = await Promise.all(
    amounts.map((amount) => seedOrder(db, { address, baseUnits: BigInt(amount) * 10n ** 18n }, now)),
  );
  for (let round = 0; round < 2; round++) {
    const views = made.flatMap(({ id }, index) =>
      ["en", "de", "ar"].map((lang) => ({ id, lang, amount: amounts[index] })),
    );
    await Promise.all(
      views.map(async ({ id, lang, amount }) => {
        const html = await (await ask(getPage, `/pay/${id}`, { "accept-language": lang }, id)).text();
        expect([
          html.includes(`<html lang="${lang}"`),
          html.includes(id),
          html.includes(`data-copy="${amount}.00"`),
        ]).toEqual([true, true, true]);
      }),
    );
  }
});

test("304: the page and its main part, if the client has them; no other response is cached", async () => {
  for (const path of [`/pay/${tradeId}`, `/pay/${tradeId}?fragment=1`]) {
    const etag = (await ask(getPage, path)).headers.get("etag") ?? "";
    expect((await ask(getPage, path, { "if-none-match": etag })).status).toBe(304);
  }
});

test("200: a merchant's change is visible at once, by name and by tag", async () => {
  const { db } = testDb.pool;
  const before = await ask(getPage, `/pay/${tradeId}`);
  await db.update(merchants).set({ name: "The New Name" });
  const after = await ask(getPage, `/pay/${tradeId}`, { "if-none-match": before.headers.get("etag") ?? "" });
  expect(after.status).toBe(200);
  expect(await after.text()).toContain("The New Name");
});

test("404 and then 200: a link that leads nowhere leads to its order as soon as there is one", async () => {
  const { db } = testDb.pool;
  const id = newId(now);
  expect((await ask(getPage, `/pay/${id}`, {}, id)).status).toBe(404);
  const address = await seedAddress(db, { merchantId: (await seedMerchant(db, now)).id, network: "ethereum" }, now);
  const order = await seedOrder(db, { address, baseUnits: 1_000_000n }, now);
  await db.transaction(async (tx) => {
    await tx.execute("set constraints all deferred");
    await tx.update(orders).set({ id }).where(eq(orders.id, order.id));
    await tx.update(quotes).set({ orderId: id }).where(eq(quotes.orderId, order.id));
  });
  expect((await ask(getPage, `/pay/${id}`, {}, id)).status).toBe(200);
});

test("503: a page that cannot be rendered reports it, and the next view retries", async () => {
  const pages = createHtmlPages();
  const answer: HtmlPages["answer"] = (call, name, make, options) =>
    pages.answer(call, name, name?.includes(" page ") ? () => fail() : make, options);
  const fail = () => {
    throw new Error("a panel that fails");
  };
  useContext({ pages: { answer } });
  expect((await ask(getPage, `/pay/${tradeId}`)).status).toBe(503);
  useContext({ pages });
  expect((await ask(getPage, `/pay/${tradeId}`)).status).toBe(200);
  useContext();
});

test("404: an unknown or malformed id gets an error page", async () => {
  for (const id of [UNKNOWN, "nonsense", "'; drop table orders; --"]) {
    const answer = await ask(getPage, "/pay/x", {}, id);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain("This payment link is not valid");
    expect((await ask(getStatus, "/x", {}, id)).status).toBe(404);
    expect((await ask(getEvents, "/x", {}, id)).status).toBe(404);
    expect((await ask(getWallet, "/x", {}, id)).status).toBe(404);
  }
});

test("304: the status is not sent again while nothing changed; a new version has a new tag", async () => {
  const first = await ask(getStatus, `/api/pay/${tradeId}/status`);
  const etag = first.headers.get("etag") ?? "";
  const before = await first.json();
  expect(before).toMatchObject({ trade_id: tradeId, status: "pending", state: "waiting", version: 1 });
  expect((await ask(getStatus, `/api/pay/${tradeId}/status`, { "if-none-match": etag })).status).toBe(304);

  await change({ version: 2, status: "confirming" });
  const second = await ask(getStatus, `/api/pay/${tradeId}/status`, { "if-none-match": etag });
  expect(second.status).toBe(200);
  expect(await second.json()).toMatchObject({ status: "confirming", version: 2 });
});

test("events send the version at once, and each higher one as it happens", async () => {
  await change({ version: 3 });
  const answer = await ask(getEvents, `/api/pay/${tradeId}/events`);
  expect(answer.headers.get("content-type")).toContain("text/event-stream");
  expect(answer.headers.get("cache-control")).toBe("no-cache, no-transform");
  expect(answer.headers.get("x-accel-buffering")).toBe("no");
  const reader = readerOf(answer);
  expect(await readUntil(reader, "\n\nid: 3\n")).toContain("data: 3");
  await change({ version: 4, status: "paid", paidAt: now });
  expect(await readUntil(reader, "data: 4")).toContain("id: 4");
  await change({ version: 3 });
  await change({ version: 5 });
  expect(await readUntil(reader, "data: 5")).not.toContain("data: 3");
  await reader.cancel();
});

test("events end when the process closes", async () => {
  const reader = readerOf(await ask(getEvents, `/api/pay/${tradeId}/events`));
  orderChanges.close();
  expect(await readUntil(reader, "never")).toBeUndefined();
});

test("once paid, the way back carries both names of the order", async () => {
  await testDb.pool.db
    .update(orders)
    .set({ status: "paid", paidAt: now, redirectUrl: "https://shop.example/thanks?lang=en#top" })
    .where(eq(orders.id, tradeId));
  const html = await (await ask(getPage, `/pay/${tradeId}`)).text();
  expect(html).toContain(
    `href="https://shop.example/thanks?lang=en&amp;trade_id=${tradeId}&amp;mch_order_id=${MCH_ORDER_ID}#top"`,
  );
  expect(html).not.toContain('http-equiv="refresh"');
});

test("503: without a database the page reports it and reloads by itself", async () => {
  const pool = openDb("postgres://unknown@127.0.0.1:1/none", { work: "pages" });
  useContext({ pool });
  const answer = await ask(getPage, `/pay/${tradeId}`);
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("5");
  expect(await answer.text()).toContain("Back in a moment");
  expect((await ask(getStatus, "/x")).status).toBe(503);
  expect((await ask(getEvents, "/x")).status).toBe(503);
  expect((await ask(getWallet, "/x")).status).toBe(503);
  await pool.close();
  useContext();
});
