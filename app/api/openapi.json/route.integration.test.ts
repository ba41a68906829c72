import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiKeys, orders, quotes, rateLimits, receivingAddresses, refundRequests, transfers } from "@/db/schema";
import type { Env } from "@/lib/config/env";
import type { OpenApiDocument } from "@/lib/domain/api/open-api";
import { SCOPES } from "@/lib/domain/keys/key-rules";
import { createLog } from "@/lib/log";
import { moveOrder } from "@/lib/orders/move-order";
import { API_ALIAS } from "@/mounted-routes";
import { startWeb } from "@/server";
import { seedAddress, seedMerchant, seedTransfer } from "@/testing/database/seed";
import { createDocumentChecker, type DocumentChecker } from "@/testing/document-checker";
import { TEST_ENV, useTestApi } from "@/testing/web";

const api = useTestApi();
const API = "app/api/v1";
const STRANGER = "7".padEnd(28, "0");
/** The responses seen so far, each as "POST /path 200". */
const seen = new Set<string>();
let document: OpenApiDocument;
let checker: DocumentChecker;
let tradeId: string;
let depositId: string;
let refundId: string;
let linkId: string;

beforeAll(async () => {
  await api.pool.db
    .update(apiKeys)
    .set({ isForPlugin: true, scopes: [...SCOPES] })
    .where(eq(apiKeys.id, api.merchant.keyId));
  await seedAddress(api.pool.db, { merchantId: api.merchant.id }, new Date());
  // Orders prefer dedicated addresses, and a customer's deposit address must not have been used for an order.
  for (let count = 0; count < 6; count++)
    await seedAddress(api.pool.db, { merchantId: api.merchant.id, kind: "dedicated" }, new Date());
  document = await (await fetch(`${api.origin}/api/openapi.json`)).json();
  checker = createDocumentChecker(document);
});

const apiOperations = () => [...checker.operations].filter(([, { requestBody }]) => requestBody);
/** Returns the documented example of a request; a refund or link that it names is the one that this test created. */
const asksOf = (name: string): object => {
  const example: object = checker.operations.get(name)?.requestBody?.content["application/json"]?.example ?? {};
  if ("link_id" in example) return { ...example, link_id: linkId ?? STRANGER };
  return "refund_id" in example ? { ...example, refund_id: refundId ?? STRANGER } : example;
};

const bodyOf = (name: string) => checker.operations.get(name)?.requestBody?.content["application/json"]?.schema ?? {};

interface Asked {
  /** The request body; defaults to the document's example. */
  body?: unknown;
  headers?: Record<string, string>;
  origin?: string;
  /** The query without "?". */
  query?: string;
}

/** Reads an event stream up to its first event and cancels it. */
async function readFirstEvent(response: Response): Promise<string> {
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (/^data: .*\n\n/m.test(text)) break;
  }
  return text;
}

/** Sends a documented request and checks the response against the document. */
async function ask(name: string, { body = asksOf(name), headers = {}, origin = api.origin, query }: Asked = {}) {
  const [method = "", pattern = ""] = name.split(" ");
  const isGet = method === "GET";
  const path = pattern
    .replace("{trade_id}", tradeId ?? STRANGER)
    .replace("{deposit_address_id}", depositId ?? STRANGER)
    .replace("{refund_id}", refundId ?? STRANGER);
  const response = await fetch(origin + path + (query === undefined ? "" : `?${query}`), {
    method,
    headers: isGet ? headers : { "x-api-key": api.merchant.apiKey, ...headers },
    ...(!isGet && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const text = isStream ? await readFirstEvent(response) : await response.text();
  expect(checker.checkAnswer(name, { status: response.status, headers: response.headers, text })).toBeNull();
  seen.add(`${name} ${response.status}`);
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" || isStream ? null : JSON.parse(text),
  };
}

/** Credits a transfer of the whole amount to an order, so that it can be refunded. */
async function receive(orderId: string): Promise<void> {
  const { db } = api.pool;
  const [quote] = await db.select().from(quotes).where(eq(quotes.orderId, orderId));
  const [address] = await db
    .select()
    .from(receivingAddresses)
    .where(eq(receivingAddresses.id, quote?.receivingAddressId ?? ""));
  if (!quote || !address) throw new Error("The order has no quote");
  const { id } = await seedTransfer(db, { address, baseUnits: quote.baseUnits, currency: quote.currency }, new Date());
  await db
    .update(transfers)
    .set({ orderId, quoteId: quote.id, status: "confirmed", confirmedAt: new Date(), matchedAt: new Date() })
    .where(eq(transfers.id, id));
  await db.update(orders).set({ paidUnits: quote.baseUnits }).where(eq(orders.id, orderId));
}

/** Runs another web process for the duration of `run`. The handlers use the process that was started last. */
async function elsewhere(change: Partial<Env>, run: (origin: string) => Promise<void>): Promise<void> {
  const own = globalThis.stablegateContext;
  const web = await startWeb({ env: { ...TEST_ENV, databaseUrl: api.url, ...change }, hasPages: false });
  try {
    await run(web.url);
  } finally {
    await web.close();
    globalThis.stablegateContext = own;
  }
}

test("every route of the API is in the document, and nothing else is", () => {
  const routes = readdirSync(API, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.ts" && !file.includes("["))
    .map((file) => `/api/v1/${path.dirname(file)}`.replace(API_ALIAS.canonical, API_ALIAS.prefix));
  const documented = Object.keys(document.paths).filter((name) => name.startsWith("/api/v1/"));
  expect(documented.toSorted()).toEqual(routes.toSorted());
  for (const name of Object.keys(document.paths).filter((name) => !documented.includes(name))) {
    const folder = `app${name
      .replace("{trade_id}", "[tradeId]")
      .replace("{deposit_address_id}", "[depositId]")
      .replace("{refund_id}", "[refundId]")}`;
    expect(existsSync(`${folder}/route.ts`), folder).toBe(true);
  }
});

test("/docs shows every operation and event without a script, and runs its own script only", async () => {
  const pageOf = async (name: string) => {
    const response = await fetch(`${api.origin}${name}`);
    expect([name, response.status]).toEqual([name, 200]);
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-/,
    );
    return response.text();
  };
  const start = await pageOf("/docs");
  for (const name of Object.keys(document.paths)) expect(start).toContain(`<code>${name}</code>`);
  const order = await pageOf("/docs/retrieve-order");
  for (const field of Object.keys(document.components.schemas["Order"]?.properties ?? {}))
    expect(order).toContain(`<code>${field}</code>`);
  const webhooks = await pageOf("/docs/webhooks");
  for (const type of Object.keys(document.webhooks)) expect(webhooks).toContain(`<code>${type}</code>`);
});

test("/docs: an unknown page is 404 with the menu, and the search has the fields of requests", async () => {
  const missing = await fetch(`${api.origin}/docs/no-such-page`);
  expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining('href="/docs/create-order"')]);
  const entries = await (await fetch(`${api.origin}/docs/search.json`)).json();
  expect(entries).toContainEqual({
    title: "mch_order_id",
    context: "Create an order, request",
    url: "/docs/create-order#request-mch_order_id",
  });
});

test("networks are those that are switched on", () => {
  const { OfferedNetwork } = document.components.schemas;
  expect(OfferedNetwork?.enum).toEqual(expect.arrayContaining(["ethereum", "erc20", "bsc", "bep20"]));
  expect(OfferedNetwork?.enum).not.toContain("tron");
});

test("200: every example can be asked, and its answer is as documented", async () => {
  for (const [name] of apiOperations()) {
    if (name.endsWith("refund/add")) await receive(tradeId);
    const { status, headers, body } = await ask(name);
    expect([name, status, body.message]).toEqual([name, 200, "success"]);
    if (name.endsWith("order/add")) tradeId = body.data.trade_id;
    if (name.endsWith("refund/add")) refundId = body.data.refund_id;
    if (name.endsWith("link/add")) linkId = body.data.link_id;
    if (name.endsWith("deposit-address")) depositId = body.data.deposit_address_id;
    expect(headers.get("idempotent-replayed")).toBeNull();
  }
  const open = await ask("POST /api/v1/pay/order/detail", { body: { mch_order_id: "A-1002" } });
  expect(open.body.data.address).toBeNull();
  const again = await ask("POST /api/v1/pay/order/add");
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  for (const name of checker.operations.keys()) if (name.startsWith("GET")) expect((await ask(name)).status).toBe(200);
});

test("200: an order that was paid, and its event, are as documented", async () => {
  const asks = {
    ...asksOf("POST /api/v1/pay/order/add"),
    mch_order_id: "paid-1",
    redirect_url: "https://shop.example/a",
  };
  const { body } = await ask("POST /api/v1/pay/order/add", { body: asks });
  const ctx = { publicUrl: TEST_ENV.publicUrl, log: createLog("test", "fatal") };
  const cause = { type: "markedPaid", userId: "u", reason: "test" } as const;
  expect(await moveOrder(api.pool.db, ctx, body.data.trade_id, cause, new Date())).toBe("paid");
  const names = { body: { mch_order_id: "paid-1" } };
  expect((await ask("POST /api/v1/pay/order/detail", names)).body.data.status).toBe("paid");
  expect((await ask("POST /api/v1/pay/event/list")).body.data.events).toHaveLength(1);
  expect((await ask("POST /api/v1/pay/order/cancel", names)).status).toBe(409);
});

test("every request can be refused in the documented ways, in the documented form", async () => {
  for (const [name] of apiOperations()) {
    // There are more operations than failed authentications that are answered with 401.
    await api.pool.db.delete(rateLimits);
    expect((await ask(name, { body: "{" })).status).toBe(400);
    expect((await ask(name, { headers: { "x-api-key": "" } })).status).toBe(401);
    expect((await ask(name, { body: { extra: "x".repeat(65_536) } })).status).toBe(413);
  }
  const bad = await ask("POST /api/v1/pay/order/add", { body: { amount: -1, expires_in: "soon" } });
  expect(bad.body.errors.map(({ field }: { field: string }) => field)).toEqual(
    expect.arrayContaining(["currency", "network", "amount", "mch_order_id", "expires_in"]),
  );
  const other = { ...asksOf("POST /api/v1/pay/order/add"), amount: 13 };
  expect((await ask("POST /api/v1/pay/order/add", { body: other })).body.data).toEqual({ trade_id: tradeId });
  const elsewise = { amount: 12.5, mch_order_id: "A-1001" };
  expect((await ask("POST /api/v1/pay/order/checkout", { body: elsewise })).status).toBe(409);
  const { apiKey } = await seedMerchant(api.pool.db, new Date());
  expect((await ask("POST /api/v1/pay/plugin/activate", { headers: { "x-api-key": apiKey } })).status).toBe(409);
  for (const name of ["refund/detail", "refund/cancel"])
    expect((await ask(`POST /api/v1/pay/${name}`, { body: { refund_id: STRANGER } })).status).toBe(404);
  expect((await ask("POST /api/v1/pay/refund/add", { body: { mch_order_id: "none" } })).status).toBe(404);
  const tooMuch = { mch_order_id: "A-1001", amount: 1_000 };
  expect((await ask("POST /api/v1/pay/refund/add", { body: tooMuch })).status).toBe(409);
  await api.pool.db.update(refundRequests).set({ status: "expired" });
  expect((await ask("POST /api/v1/pay/refund/cancel")).status).toBe(409);
  for (const name of ["order/detail", "order/cancel"])
    expect((await ask(`POST /api/v1/pay/${name}`, { body: { trade_id: STRANGER } })).status).toBe(404);
  for (const name of ["link/detail", "link/close"])
    expect((await ask(`POST /api/v1/pay/${name}`, { body: { link_id: STRANGER } })).status).toBe(404);
  const changed = { ...asksOf("POST /api/v1/pay/link/add"), max_uses: 7 };
  expect((await ask("POST /api/v1/pay/link/add", { body: changed })).status).toBe(409);
});

test("400: strict other than 1 is refused, so that a monitor does not take a misspelled setting for a healthy one", async () => {
  for (const query of ["strict=true", "strict=", "strict=1&strict=1"]) {
    const { status, body } = await ask("GET /api/health", { query });
    expect([query, status]).toEqual([query, 400]);
    expect(body.message).toMatch(/^strict must be 1 or omitted; got "/);
  }
});

test("an empty array is accepted where the document allows it, as an empty object", async () => {
  const accepting = apiOperations().filter(([name]) => checker.checkValue(bodyOf(name), []) === null);
  for (const [name] of apiOperations()) {
    const isAccepted = accepting.some(([one]) => one === name);
    expect([name, (await ask(name, { body: [] })).status]).toEqual([name, isAccepted ? 200 : 400]);
  }
  expect(accepting.length).toBeGreaterThan(4);
});

test("URLs that shops use but RFC 3986 excludes are accepted, and returned percent-encoded", async () => {
  const urls = { notify_url: "https://shop.example/{a}|^", redirect_url: "https://shop.example/{InvoiceId}?a=[1]" };
  const body = { ...asksOf("POST /api/v1/pay/order/add"), mch_order_id: "braces", ...urls };
  expect(checker.checkValue(bodyOf("POST /api/v1/pay/order/add"), body)).toBeNull();
  expect((await ask("POST /api/v1/pay/order/add", { body })).status).toBe(200);
  expect((await ask("POST /api/v1/pay/order/detail", { body: { mch_order_id: "braces" } })).body.data).toMatchObject({
    notify_url: "https://shop.example/%7Ba%7D%7C%5E",
    redirect_url: "https://shop.example/%7BInvoiceId%7D?a=%5B1%5D",
  });
});

test("429: too many requests are refused in the documented form", async () => {
  await elsewhere({ createsPerMinute: 1, readsPerMinute: 1, viewsPerMinute: 1 }, async (origin) => {
    for (const name of checker.operations.keys()) {
      let { status } = await ask(name, { origin });
      for (let times = 0; times < 5 && status !== 429; times++) ({ status } = await ask(name, { origin }));
      expect([name, status]).toEqual([name, 429]);
    }
  });
});

test("500 and 503: internal errors and an unavailable database have the documented form", async () => {
  const empty = new URL(api.url);
  empty.pathname = "/postgres";
  await elsewhere({ databaseUrl: empty.href }, async (origin) => {
    for (const [name] of apiOperations()) expect((await ask(name, { origin })).status).toBe(500);
  });
  await elsewhere({ databaseUrl: "postgres://unknown@127.0.0.1:1/none" }, async (origin) => {
    for (const name of checker.operations.keys())
      expect([name, (await ask(name, { origin })).status]).toEqual([name, 503]);
  });
});

test("304 and 404: a page that has nothing new, or behind which there is nothing", async () => {
  const pages = ["pay/{trade_id}", "deposit/{deposit_address_id}", "refund/{refund_id}"].map(
    (page) => `GET /api/${page}`,
  );
  for (const page of pages) {
    const tag = (await ask(`${page}/status`)).headers.get("etag") ?? "";
    expect((await ask(`${page}/status`, { headers: { "if-none-match": tag } })).status).toBe(304);
  }
  [tradeId, depositId, refundId] = [STRANGER, STRANGER, STRANGER];
  for (const path of [...pages.flatMap((page) => [`${page}/status`, `${page}/events`]), `${pages[0]}/wallet`])
    expect((await ask(path)).status).toBe(404);
});

afterAll(() => {
  const documented = [...checker.operations].flatMap(([name, { responses }]) =>
    Object.keys(responses).map((status) => `${name} ${status}`),
  );
  expect([...seen].toSorted(), "every documented answer came, and no other").toEqual(documented.toSorted());
});
