import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FormerTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { desc, eq } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { auditEvents, orders, paymentLinks, quotes, transfers } from "@/db/schema";
import { type KeyRules, SCOPES } from "@/lib/domain/keys/key-rules";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { createLog } from "@/lib/log";
import { createApiKey } from "@/lib/merchants/api-keys";
import { seedAddress, seedCursor, seedTransfer, TEST_APP_SECRET } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ readsPerMinute: 1_000, viewsPerMinute: 100_000 });
const db = () => api.pool.db;
const ctx = { publicUrl: "https://pay.example.com", log: createLog("test", "fatal") };
const NAME = { name: "test-agent", version: "1.2.3" };
let address: Awaited<ReturnType<typeof seedAddress>>;
let key: Awaited<ReturnType<typeof issueKey>>;
let open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  address = await seedAddress(db(), { merchantId: api.merchant.id, network: "bsc" }, new Date());
  await seedCursor(db(), "bsc", new Date());
  key = await issueKey();
});
afterEach(async () => {
  await Promise.all(open.map((client) => client.close()));
  open = [];
});

/** Issues a key that agents may use. */
async function issueKey(change: Partial<KeyRules> = {}): Promise<{ id: string; apiKey: string }> {
  const rules = { isForAgents: true, scopes: SCOPES, ...change };
  const context = { appSecret: TEST_APP_SECRET, mode: "test" } as const;
  return createApiKey(
    db(),
    context,
    { merchantId: api.merchant.id, name: "Agent", userId: "person", ...rules },
    new Date(),
  );
}

const headersOf = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });
const endpoint = () => new URL(`${api.origin}/mcp`);

interface Result {
  isError?: boolean;
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
}

/** The part of a client that these tests use. */
interface Agent {
  close(): Promise<void>;
  listTools(): Promise<{
    tools: {
      name: string;
      annotations?: { readOnlyHint?: boolean | undefined; destructiveHint?: boolean | undefined } | undefined;
    }[];
  }>;
  call(name: string, input?: Record<string, unknown>): Promise<Result>;
  instructions(): string | undefined;
}

const GENERATIONS = ["1.x", "2.x by its default", "2.x with the protocol of 2026-07-28"] as const;

async function connect(generation: (typeof GENERATIONS)[number] = "1.x", { apiKey } = key): Promise<Agent> {
  const requestInit = { headers: headersOf(apiKey) };
  if (generation === "1.x") {
    const client = new FormerClient(NAME);
    await client.connect(new FormerTransport(endpoint(), { requestInit }) as Transport);
    return agentOf(client);
  }
  const mode = generation === "2.x by its default" ? "legacy" : { pin: "2026-07-28" };
  const client = new ModernClient(NAME, { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(endpoint(), { requestInit }));
  return agentOf(client);
}

function agentOf(client: FormerClient | ModernClient): Agent {
  open.push(client);
  return {
    close: () => client.close(),
    listTools: () => client.listTools(),
    call: async (name, input = {}) => (await client.callTool({ name, arguments: input })) as Result,
    instructions: () => client.getInstructions(),
  };
}

const textOf = ({ content }: Result) => content.map(({ text }) => text).join("\n");
const lastCall = async () => (await db().select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(1))[0];
const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(endpoint(), {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headersOf(key.apiKey),
      ...headers,
    },
  });
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

/** Submits the form of a payment link and pays the order with a final transfer. Returns the order's id. */
async function payByLink(linkId: string): Promise<string> {
  const page = await fetch(`${api.origin}/link/${linkId}`);
  const formKey = /name="key" value="([0-9a-z]{28})"/.exec(await page.text())?.[1] ?? "";
  const body = new URLSearchParams({ key: formKey });
  const started = await fetch(`${api.origin}/link/${linkId}`, { method: "POST", body, redirect: "manual" });
  const tradeId = /^\/pay\/([0-9a-z]{28})/.exec(started.headers.get("location") ?? "")?.[1] ?? "";
  const [quote] = await db().select().from(quotes).where(eq(quotes.orderId, tradeId));
  if (!quote) throw new Error("the order has no amount");
  const sent = await seedTransfer(db(), { address, baseUnits: quote.baseUnits }, new Date());
  const final = { status: "confirmed" as const, confirmedAt: new Date(), confirmations: 20 };
  await db().update(transfers).set(final).where(eq(transfers.id, sent.id));
  await matchTransfers(db(), ctx, "bsc", new Date());
  return tradeId;
}

describe.each(GENERATIONS)("the official client %s", (generation) => {
  test("creates a payment link, sees it paid, and is refused what the scopes of its key lack", async () => {
    const limited = await issueKey({ scopes: ["links:create", "links:read", "orders:read"] });
    const number = `L-${GENERATIONS.indexOf(generation)}`;
    const agent = await connect(generation, limited);
    const made = await agent.call("create_link", {
      network: "bsc",
      currency: "USDT",
      amount: 25.5,
      subject: "Chair",
      mch_link_id: number,
    });
    expect(made.isError ?? false).toBe(false);
    expect(made.structuredContent).toMatchObject({ status: "open", amount: 25.5, paid_orders: 0, mch_link_id: number });
    const linkId = String(made.structuredContent?.["link_id"]);
    const tradeId = await payByLink(linkId);

    const link = await agent.call("retrieve_link", { mch_link_id: number });
    expect(link.structuredContent).toMatchObject({ link_id: linkId, paid_orders: 1 });
    const { structuredContent: order } = await agent.call("retrieve_order", { trade_id: tradeId });
    expect(order).toMatchObject({ status: "paid", currency: "USDT", metadata: { payment_link: linkId } });

    const refused = await agent.call("create_refund", { trade_id: tradeId, amount: 5, mch_refund_id: "R-1" });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain(
      "This API key lacks the scope refunds:create; it has links:create, links:read, orders:read.",
    );
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name)).not.toContain("create_refund");
    expect(await lastCall()).toMatchObject({
      action: "agent.refused",
      userId: null,
      detail: { client: "test-agent 1.2.3", tool: "create_refund", apiKeyId: limited.id },
    });
  });
});

test("a repeated create returns the same object, and other terms for its number are refused", async () => {
  const agent = await connect();
  const terms = { currency: "USDT", network: "bsc", amount: 7, mch_order_id: "agent-1" };
  const first = await agent.call("create_order", terms);
  const second = await agent.call("create_order", terms);
  expect(second.structuredContent?.["trade_id"]).toBe(first.structuredContent?.["trade_id"]);
  expect(textOf(first)).not.toContain("existed before");
  expect(textOf(second)).toContain("The object existed before this call; nothing new was created.");
  const other = await agent.call("create_order", { ...terms, amount: 8 });
  expect(other.isError).toBe(true);
  expect(textOf(other)).toContain(String(first.structuredContent?.["trade_id"]));
  expect(await db().$count(orders, eq(orders.mchOrderId, "agent-1"))).toBe(1);
});

test("a create without a number is refused and creates nothing", async () => {
  const agent = await connect();
  const count = await db().$count(paymentLinks);
  for (const number of [{}, { mch_link_id: "" }, { mch_link_id: null }]) {
    const refused = await agent.call("create_link", { currency: "USDT", amount: 5, ...number });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain("mch_link_id is missing; it must be your unique number of the object");
  }
  expect(await db().$count(paymentLinks)).toBe(count);
});

test("errors are results with the sentences of the API, and exact numbers and metadata survive", async () => {
  const agent = await connect();
  const refused = await agent.call("create_order", {
    currency: "USDT",
    network: "bsc",
    amount: "1.2345678",
    mch_order_id: "x",
  });
  expect(refused.isError).toBe(true);
  expect(textOf(refused)).toContain('amount "1.2345678" has more than 6 decimals');
  const params = `{"name":"create_order","arguments":{"currency":"USDT","network":"bsc","amount":9.000001,"mch_order_id":"exact","metadata":{"id":12345678901234567890}}}`;
  await post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
  const { text } = await api.post("/order/detail", { mch_order_id: "exact" }, { "x-api-key": key.apiKey });
  expect(text).toContain('"metadata":{"id":12345678901234567890}');
  expect(text).toContain('"amount":9.000001');
});

test("each call is in the audit log with the client's name, and a change in the history of its order", async () => {
  const agent = await connect("2.x with the protocol of 2026-07-28");
  const { structuredContent } = await agent.call("create_checkout", { amount: 5, mch_order_id: "audited" });
  const tradeId = structuredContent?.["trade_id"];
  const about = { apiKeyId: key.id, ip: "127.0.0.1", client: "test-agent 1.2.3", subjectId: tradeId };
  expect(await lastCall()).toMatchObject({
    action: "agent.called",
    orderId: tradeId,
    detail: { ...about, tool: "create_checkout" },
  });
  await agent.call("retrieve_order", { mch_order_id: "audited" });
  expect(await lastCall()).toMatchObject({ orderId: null, detail: { ...about, tool: "retrieve_order" } });
  await agent.call("cancel_order", { mch_order_id: "audited" });
  expect(await lastCall()).toMatchObject({ orderId: tradeId, detail: { ...about, tool: "cancel_order" } });
});

test("a refund request moves no money and says who approves it", async () => {
  const agent = await connect();
  const { structuredContent: link } = await agent.call("create_link", {
    network: "bsc",
    currency: "USDT",
    amount: 6,
    mch_link_id: "to-refund",
  });
  const tradeId = await payByLink(String(link?.["link_id"]));
  const refund = await agent.call("create_refund", { trade_id: tradeId, amount: 2, mch_refund_id: "R-2" });
  expect(refund.structuredContent).toMatchObject({ status: "requested", amount: 2 });
  expect(textOf(refund)).toContain("No money has moved.");
});

test("unmatched transfers and the report of a period are readable", async () => {
  const agent = await connect();
  const sent = await seedTransfer(db(), { address, baseUnits: 1_234_560_000_000_000_000n }, new Date());
  await matchTransfers(db(), ctx, "bsc", new Date());
  const { structuredContent } = await agent.call("list_unmatched_transfers", { network: "bsc" });
  expect(structuredContent).toMatchObject({
    transfers: [{ transfer_id: sent.id, amount: 1.23456, currency: "USDT", reason: "no_such_amount" }],
    next_cursor: null,
  });
  const today = new Date().toISOString().slice(0, 10);
  const report = await agent.call("retrieve_report", { from: today, to: today });
  expect(report.structuredContent).toMatchObject({ from: today, to: today });
  expect(report.structuredContent?.["transfers"]).toContainEqual(
    expect.objectContaining({ network: "bsc", kind: "matched", currency: "USDT" }),
  );
  for (const to of ["2026-01-31", "2030-01-01", "2026-02-31"]) {
    const refused = await agent.call("retrieve_report", { from: "2026-02-01", to });
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringMatching(/\bto\b/)]);
  }
});

test("the tools, with their hints and the scopes of the key, are those of the API", async () => {
  const agent = await connect();
  const { tools } = await agent.listTools();
  expect(tools.map(({ name }) => name).toSorted()).toEqual([
    "cancel_order",
    "cancel_refund",
    "close_link",
    "create_checkout",
    "create_link",
    "create_order",
    "create_refund",
    "list_links",
    "list_orders",
    "list_payment_methods",
    "list_refunds",
    "list_unmatched_transfers",
    "retrieve_link",
    "retrieve_merchant",
    "retrieve_order",
    "retrieve_refund",
    "retrieve_report",
  ]);
  for (const { name, annotations } of tools) {
    expect([name, annotations?.readOnlyHint]).toEqual([name, /^(list|retrieve)/.test(name)]);
    expect([name, annotations?.destructiveHint]).toEqual([name, /^(cancel|close)/.test(name)]);
  }
  expect(agent.instructions()).toContain("No tool moves money");
});

describe("a request is refused", () => {
  test("403: with a key that may not be used by agents, or that accepts only signed requests", async () => {
    const ordinary = await issueKey({ isForAgents: false });
    const signing = await issueKey({ mustSign: true });
    for (const generation of ["1.x", "2.x by its default"] as const) {
      await expect(connect(generation, ordinary)).rejects.toThrow("must not be used by agents");
      await expect(connect(generation, signing)).rejects.toThrow("accepts signed requests only");
    }
    await expect(connect("2.x with the protocol of 2026-07-28", ordinary)).rejects.toThrow("denied access (HTTP 403)");
    expect((await post(PING, headersOf(ordinary.apiKey))).status).toBe(403);
  });

  test("401: without a key, or with an unknown one", async () => {
    for (const authorization of ["", "Bearer sg_test_unknown"]) {
      const refused = await post(PING, { authorization });
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="stablegate"']);
      expect(await refused.json()).toMatchObject({ jsonrpc: "2.0", error: { data: { code: 10002 } } });
    }
  });

  test("403: from a page of another origin; 405: with another method; 413: with a body above 64 KiB", async () => {
    expect((await post(PING, { origin: "https://evil.example" })).status).toBe(403);
    expect((await post(PING, { origin: "https://pay.example.com" })).status).toBe(200);
    for (const method of ["GET", "DELETE", "OPTIONS"]) {
      const refused = await fetch(endpoint(), { method, headers: headersOf(key.apiKey) });
      expect([method, refused.status, refused.headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
    expect((await post({ ...PING, params: { text: "x".repeat(70_000) } })).status).toBe(413);
  });

  test("400: if it is no single message; unknown tools and subscriptions are errors of the protocol", async () => {
    for (const body of ["{", "[]", JSON.stringify([PING]), "3"]) expect((await post(body)).status).toBe(400);
    const unknown = await post({ ...PING, method: "tools/call", params: { name: "pay_out", arguments: {} } });
    expect(await unknown.text()).toContain("There is no tool pay_out");
    expect((await post({ ...PING, method: "subscriptions/listen", params: {} })).status).toBe(404);
  });
});

test("calls count against the limits of the key", async () => {
  const call = { ...PING, method: "tools/call", params: { name: "retrieve_merchant", arguments: {} } };
  const first = await post(call);
  expect(first.headers.get("ratelimit")).toMatch(/^"reads";r=\d+/);
  const unknown = await post({ ...call, params: { name: "pay_out", arguments: {} } });
  expect(unknown.headers.get("ratelimit")).toMatch(/^"reads";r=\d+/);
  const listed = await post({ ...PING, method: "tools/list" });
  expect(listed.headers.get("ratelimit")).toMatch(/^"reads";r=\d+/);
});
