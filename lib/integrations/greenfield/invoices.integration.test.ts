import { eq } from "drizzle-orm";
import pino from "pino";
import { beforeAll, describe, expect, test } from "vitest";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { orders, pluginKeys, quotes, transfers } from "@/db/schema";
import { parseRate } from "@/lib/domain/rates/price";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { expireOrders } from "@/lib/orders/expire-orders";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { moveOrder } from "@/lib/orders/move-order";
import { seedAddress, seedCursor, seedMerchant, seedTransfer } from "@/testing/database/seed";
import { seedPlugin } from "@/testing/integrations/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true });
const db = () => api.pool.db;
const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }) };
const BSC = { paymentMethods: ["USDT-BSC"] };
let store: Awaited<ReturnType<typeof seedPlugin>>;

beforeAll(async () => {
  const now = new Date();
  const merchantId = api.merchant.id;
  for (const network of ["ethereum", "bsc"]) {
    await seedCursor(db(), network, now);
    await seedAddress(db(), { merchantId, network }, now);
  }
  store = await seedPlugin(db(), { merchantId, integration: "greenfield" }, now);
  const price = { merchantId, mode: "fixed", markUpBasisPoints: 0 } as const;
  for (const [fiat, rate] of [
    ["EUR", "0.9"],
    ["JPY", "150"],
  ] as const)
    await writeMerchantPrice(db(), { ...price, fiat, fixedRate: parseRate(rate) }, now);
});

type Body = Record<string, unknown>;
const send = async (method: string, path: string, body?: unknown, token = store.key) => {
  const answer = await fetch(`${api.origin}/greenfield/api/v1/stores/${store.publicId}${path}`, {
    method,
    headers: { authorization: `token ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: JSON.parse(text) as Body };
};
const EUROS = { amount: "10.80", currency: "EUR" };
const create = async (change: Body = {}) => {
  const made = await send("POST", "/invoices", { ...EUROS, ...change });
  expect(made.status, made.text).toBe(200);
  return made.body;
};
const idOf = async (change: Body = {}) => String((await create({ checkout: BSC, ...change }))["id"]);
const show = async (id: string) => (await send("GET", `/invoices/${id}`)).body;
const stateOf = async (id: string) => {
  const { status, additionalStatus } = await show(id);
  return `${status} ${additionalStatus}`;
};
const paths = ({ status, body }: Awaited<ReturnType<typeof send>>) => {
  expect(status, JSON.stringify(body)).toBe(422);
  const list = body as unknown as { path: string; message: string }[];
  for (const one of list) expect(one).toEqual({ path: expect.any(String), message: expect.stringMatching(/.{10}/) });
  return list.map(({ path }) => path);
};

/** Returns the ids of the invoices that a search finds. */
const found = async (query: string) => {
  const { status, body } = await send("GET", `/invoices?${query}`);
  expect(status).toBe(200);
  return (body as unknown as Body[]).map(({ id }) => id);
};

/** Receives a percentage of an invoice's amount. */
async function receive(id: string, percent: bigint, { isFinal = true, at = new Date() } = {}) {
  const [quote] = await db().select().from(quotes).where(eq(quotes.orderId, id));
  if (!quote) throw new Error("An invoice without a quote");
  const address = {
    id: quote.receivingAddressId,
    merchantId: quote.merchantId,
    network: "bsc",
    address: quote.address,
  };
  const sent = await seedTransfer(db(), { address, baseUnits: (quote.baseUnits * percent) / 100n, blockTime: at }, at);
  const link = { orderId: id, quoteId: quote.id, matchedAt: at };
  if (percent !== 100n) await db().update(transfers).set(link).where(eq(transfers.id, sent.id));
  else await matchTransfers(db(), ctx, "bsc", at);
  const final = { status: "confirmed" as const, confirmedAt: at, confirmations: 100 };
  if (isFinal) await db().update(transfers).set(final).where(eq(transfers.id, sent.id));
  await moveOrder(db(), ctx, id, { type: "fundsChanged" }, at);
  return sent;
}

async function expire(id: string) {
  await db()
    .update(orders)
    .set({ expiresAt: new Date(Date.now() - 60_000) })
    .where(eq(orders.id, id));
  await moveOrder(db(), ctx, id, { type: "timePassed" }, new Date());
}

test("an invoice is made, answered in the types that clients read, and found again", async () => {
  const metadata = { orderId: "1001", itemDesc: "Two tickets", buyerName: "Zoë", taxIncluded: 1.5, posData: { a: [] } };
  const checkout = {
    redirectURL: "https://shop.example.com/x?o={OrderId}&i={InvoiceId}",
    ...BSC,
    speedPolicy: "HighSpeed",
  };
  const made = await create({ metadata, checkout: { ...checkout, expirationMinutes: 20, defaultLanguage: "de-DE" } });
  const id = String(made["id"]);
  const created = Number(made["createdTime"]);
  expect(made).toEqual({
    id,
    storeId: store.publicId,
    type: "Standard",
    archived: false,
    ...EUROS,
    checkoutLink: `https://pay.example.com/pay/${id}`,
    status: "New",
    additionalStatus: "None",
    availableStatusesForManualMarking: ["Invalid"],
    createdTime: created,
    expirationTime: expect.any(Number),
    monitoringExpiration: Number(made["expirationTime"]) + 3 * 3_600,
    monitoringTime: Number(made["expirationTime"]) + 3 * 3_600,
    checkout: expect.objectContaining({
      speedPolicy: "HighSpeed",
      paymentMethods: ["USDT-BSC"],
      expirationMinutes: 20,
      monitoringMinutes: 180,
      redirectURL: "https://shop.example.com/x?o=1001&i={InvoiceId}",
      defaultLanguage: "de-DE",
    }),
    metadata,
  });
  expect(Math.abs(Number(made["expirationTime"]) - created - 1_200)).toBeLessThanOrEqual(1);
  expect(await show(id)).toEqual(made);
  const [row] = await db().select().from(orders).where(eq(orders.id, id));
  expect(row).toMatchObject({ integration: "greenfield", network: "bsc", currency: "USDT", subject: "Two tickets" });
  expect(row?.amountUnits).toBe(12n * 10n ** 18n);
});

test("one orderId makes as many invoices as are asked for, and each is found by it", async () => {
  const metadata = { orderId: "again" };
  const ids = [await idOf({ metadata }), await idOf({ metadata }), await idOf({ metadata: { orderId: 7 } })];
  expect(new Set(ids).size).toBe(3);
  expect(await found("orderId=again")).toEqual([ids[1], ids[0]]);
  expect(await found("orderId[]=7&orderId[]=unknown")).toEqual([ids[2]]);
  expect(await found("orderId=again&orderId=7&take=1&skip=1&status=New")).toEqual([ids[1]]);
  expect(await found("orderId=again&status=Settled")).toEqual([]);
  expect(await found(`orderId=again&endDate=${Math.floor(Date.now() / 1_000) - 3_600}`)).toEqual([]);
  for (const [query, path] of [
    ["status=paid", "status"],
    ["take=x", "take"],
    ["includeArchived=maybe", "includeArchived"],
    ["startDate=20&endDate=10", "startDate"],
  ])
    expect(paths(await send("GET", `/invoices?${query}`))).toEqual([path]);
});

test("a text is found in metadata, however its client escaped it, in the item, the id and a transaction; nowhere else", async () => {
  const search = (text: string) => found(`textSearch=${encodeURIComponent(text)}`);
  const make = async (metadata: string) => {
    const checkout = JSON.stringify(BSC);
    const made = await send(
      "POST",
      "/invoices",
      `{"amount":2,"currency":"EUR","metadata":${metadata},"checkout":${checkout}}`,
    );
    return made.body["id"];
  };
  const php = await make('{"buyerName":"Zo\\u00eb Lou","buyerAddress":"M\\u00fcnchen \\/ West","orderId":"T-100%_1"}');
  const node = await make('{"buyerName":"Zoë Lou","itemDesc":"A \\"quoted\\" ticket","orderId":"T-200"}');
  expect(await search("zoë lou")).toEqual([node, php]);
  expect(await search(" München / West ")).toEqual([php]);
  expect(await search('"QUOTED" ticket')).toEqual([node]);
  expect(await search("100%_1")).toEqual([php]);
  expect(await search("T_100")).toEqual([]);
  expect(await search(String(node).slice(4))).toEqual([node]);
  const { txId } = await receive(String(php), 100n);
  expect(await search(txId)).toEqual([php]);
  expect(await found("textSearch=T-&status=New")).toEqual([node]);
});

test("metadata is replaced, and with it what searches and payers see; the amount and the payment stay", async () => {
  const id = await idOf({ metadata: { orderId: "before", itemDesc: "One ticket", keep: 1 } });
  const before = await show(id);
  const metadata = '{"orderId":"after","itemDesc":"Two tickets","big":12345678901234567890.10}';
  const changed = await send("PUT", `/invoices/${id}`, `{"metadata":${metadata}}`);
  expect(changed.status, changed.text).toBe(200);
  expect(changed.text).toContain(`"metadata":${metadata}`);
  expect(changed.body).toEqual({ ...before, metadata: JSON.parse(metadata) });
  expect((await send("GET", `/invoices/${id}`)).text).toBe(changed.text);
  expect([await found("orderId=before"), await found("orderId=after")]).toEqual([[], [id]]);
  const page = await fetch(`${api.origin}/pay/${id}`);
  expect(await page.text()).toContain("Two tickets");
  for (const nothing of [{}, { metadata: null }])
    expect((await send("PUT", `/invoices/${id}`, nothing)).text).toBe(changed.text);
  expect(paths(await send("PUT", `/invoices/${id}`, { metadata: "x" }))).toEqual(["metadata"]);
  await receive(id, 100n);
  expect((await send("PUT", `/invoices/${id}`, { metadata: {} })).body).toMatchObject({
    status: "Settled",
    metadata: {},
  });
});

test("an archived invoice is found by its id and by searches that include it, can still be paid, and can be unarchived", async () => {
  const id = await idOf({ metadata: { orderId: "old" } });
  const listed = async () => [await found("orderId=old"), await found("orderId=old&includeArchived=true")];
  for (let time = 0; time < 2; time += 1)
    expect(await send("DELETE", `/invoices/${id}`)).toMatchObject({ status: 200 });
  expect(await listed()).toEqual([[], [id]]);
  await receive(id, 100n);
  expect(await show(id)).toMatchObject({ archived: true, status: "Settled" });
  expect((await send("POST", `/invoices/${id}/unarchive`)).body).toMatchObject({ id, archived: false });
  expect(await listed()).toEqual([[id], [id]]);
  expect(await send("POST", `/invoices/${id}/unarchive`)).toMatchObject({
    status: 400,
    body: { code: "already-unarchived", message: expect.any(String) },
  });
});

test("a payment method is activated as a payer selects it; 422: one that the store does not offer", async () => {
  const id = String((await create())["id"]);
  const activate = (method: string) => send("POST", `/invoices/${id}/payment-methods/${method}/activate`);
  const methods = async () =>
    ((await send("GET", `/invoices/${id}/payment-methods`)).body as unknown as Body[]).map(
      (one) => one["paymentMethod"],
    );
  for (let time = 0; time < 2; time += 1) expect((await activate("USDT-BSC")).status).toBe(200);
  expect(await methods()).toEqual(["USDT-BSC"]);
  expect((await activate("USDC-ETHEREUM")).status).toBe(200);
  expect((await methods()).toSorted()).toEqual(["USDC-ETHEREUM", "USDT-BSC"]);
  expect(paths(await activate("BTC"))).toEqual(["paymentMethod"]);
  expect(await activate("USDT-TRON")).toMatchObject({
    status: 422,
    body: { code: "generic-error", message: expect.any(String) },
  });
  expect((await methods()).length).toBe(2);
});

test("503: a network that no worker reads is an outage, and the answer says when to try again", async () => {
  await seedCursor(db(), "bsc", new Date(Date.now() - 7_200_000));
  const answer = await fetch(`${api.origin}/greenfield/api/v1/stores/${store.publicId}/invoices`, {
    method: "POST",
    headers: { authorization: `token ${store.key}` },
    body: JSON.stringify({ ...EUROS, checkout: BSC }),
  });
  expect([answer.status, await answer.json()]).toMatchObject([503, { code: "unavailable" }]);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  await seedCursor(db(), "bsc", new Date());
});

test("metadata comes back to the byte, and may hold more than the API's", async () => {
  const text = '{ "big" : 12345678901234567890.10, "e":1E2, "é":"\\u00e9", "orderId":"b" }';
  const { text: answer } = await send("POST", "/invoices", `{"amount":1,"currency":"EUR","metadata":${text}}`);
  expect(answer).toContain(text);
  const max = (bytes: number) => ({ note: "x".repeat(bytes - '{"note":""}'.length) });
  await create({ metadata: max(16_384) });
  expect(paths(await send("POST", "/invoices", { ...EUROS, metadata: max(16_385) }))).toEqual(["metadata"]);
  for (const empty of [null, [], {}]) expect((await create({ metadata: empty }))["metadata"]).toEqual({});
  expect(paths(await send("POST", "/invoices", '{"amount":1,"currency":"EUR","metadata":{"a":1,"a":2}}'))).toEqual([
    "metadata",
  ]);
});

test.each([
  ["10.800", "EUR", "10.800"],
  [10.8, "eur", "10.8"],
  ["150", "JPY", "150"],
  ["5.000001", "USDT", "5.000001"],
  [7, "usdc", "7"],
])("an amount of %s %s comes back as %s", async (amount, currency, written) => {
  const made = await create({ amount, currency });
  expect(made).toMatchObject({ amount: written, currency: currency.toUpperCase() });
  const [row] = await db()
    .select()
    .from(orders)
    .where(eq(orders.id, String(made["id"])));
  const isToken = currency.toUpperCase().startsWith("USD");
  expect(row?.checkout?.currency).toBe(isToken ? currency.toUpperCase() : null);
  expect(row?.checkout?.price === null).toBe(isToken);
});

test.each<[string, Body | string, string[]]>([
  ["no amount", { amount: null }, ["amount"]],
  ["nothing", { amount: "0" }, ["amount"]],
  ["less than nothing", { amount: "-1" }, ["amount"]],
  ["too many decimals", { amount: "1.001" }, ["amount"]],
  ["a yen's hundredth", { amount: "1.5", currency: "JPY" }, ["amount"]],
  ["a word", { amount: "ten" }, ["amount"]],
  ["an exponent", { amount: "1e9" }, ["amount"]],
  ["too much", { amount: "9".repeat(30) }, ["amount"]],
  ["another coin", { currency: "BTC" }, ["currency"]],
  [
    "ways that are not here",
    { checkout: { paymentMethods: ["BTC", "BTC-LightningNetwork"] } },
    ["checkout.paymentMethods"],
  ],
  ["a way that is not there now", { checkout: { paymentMethods: ["USDT-TRON"] } }, ["checkout.paymentMethods"]],
  ["another coin's way", { currency: "USDC", checkout: BSC }, ["checkout.paymentMethods"]],
  ["ways that are no list", { checkout: { paymentMethods: "USDT-BSC" } }, ["checkout.paymentMethods"]],
  ["no address to go back to", { checkout: { redirectURL: "javascript:alert(1)" } }, ["checkout.redirectURL"]],
  ["metadata that is a text", { metadata: "x" }, ["metadata"]],
  ["several at once", { amount: "x", currency: "BTC", metadata: 1 }, ["metadata", "currency"]],
])("422: %s", async (_what, change, expected) => {
  expect(paths(await send("POST", "/invoices", { ...EUROS, ...(change as Body) }))).toEqual(expected);
});

test.each([
  [["BTC", "USDT_BSC"], { network: "bsc", currency: "USDT" }],
  [["USDT-BSC", "USDT-ETHEREUM"], { network: null, currency: "USDT" }],
  [["USDT-BSC", "USDC-BSC"], { network: "bsc", currency: null }],
  [["USDT-BSC", "USDC-ETHEREUM"], { network: null, currency: null }],
  [[], { network: null, currency: null }],
])("of the methods %j the common ones are kept, and the names are returned", async (paymentMethods, kept) => {
  const made = await create({ checkout: { paymentMethods } });
  expect(made["checkout"]).toMatchObject({ paymentMethods });
  const [row] = await db()
    .select()
    .from(orders)
    .where(eq(orders.id, String(made["id"])));
  expect(row?.checkout).toMatchObject(kept);
});

describe("states, as money comes", () => {
  test("New, Processing, Settled, PaidOver; the payments are listed as clients read them", async () => {
    const id = await idOf();
    const methods = async () => (await send("GET", `/invoices/${id}/payment-methods`)).body as unknown as Body[];
    const asked = {
      paymentMethod: "USDT-BSC",
      cryptoCode: "USDT",
      rate: "0.9",
      networkFee: "0",
      payments: [] as Body[],
    };
    const [before] = await methods();
    const amount = String(before?.["amount"]);
    expect(amount).toMatch(/^12(\.\d+)?$/);
    expect(before).toMatchObject({ ...asked, due: amount, totalPaid: "0", paymentMethodPaid: "0" });
    expect(before?.["destination"]).toMatch(/^0x[0-9a-fA-F]{40}$/);
    const sent = await receive(id, 100n, { isFinal: false });
    expect(await stateOf(id)).toBe("Processing None");
    const payment = { value: amount, fee: "0", destination: before?.["destination"], id: `${sent.txId}-0` };
    const paid = { totalPaid: amount, paymentMethodPaid: amount, due: "0" };
    expect(await methods()).toMatchObject([{ ...paid, payments: [{ ...payment, status: "Processing" }] }]);
    const final = { status: "confirmed" as const, confirmedAt: new Date(), confirmations: 100 };
    await db().update(transfers).set(final).where(eq(transfers.id, sent.id));
    await moveOrder(db(), ctx, id, { type: "fundsChanged" }, new Date());
    expect(await stateOf(id)).toBe("Settled None");
    expect(await methods()).toMatchObject([{ ...paid, payments: [{ status: "Settled" }] }]);
    await receive(id, 100n);
    expect(await stateOf(id)).toBe("Settled PaidOver");
    expect((await methods())[0]?.["payments"]).toHaveLength(2);
  });

  test("Expired, PaidPartial, PaidLate, Marked", async () => {
    const empty = await idOf();
    const part = await idOf();
    const late = await idOf();
    const manual = await idOf();
    await receive(part, 40n);
    expect(await stateOf(part)).toBe("New None");
    for (const id of [empty, part, late]) await expire(id);
    expect([await stateOf(empty), await stateOf(part)]).toEqual(["Expired None", "Expired PaidPartial"]);
    await receive(late, 100n);
    expect(await stateOf(late)).toBe("Settled PaidLate");
    const actor = { merchantId: api.merchant.id, userId: store.userId, role: "owner" } as const;
    await markOrderPaid(db(), ctx, actor, { orderId: manual, reason: "seen" }, new Date());
    expect(await stateOf(manual)).toBe("Settled Marked");
    expect(await expireOrders(db(), ctx, new Date())).toBe(0);
  });

  test("Invalid by the shop, once and for all; never once something was seen", async () => {
    const mark = (id: string, status: unknown = "Invalid") => send("POST", `/invoices/${id}/status`, { status });
    const id = await idOf();
    const seen = await idOf();
    const paid = await idOf();
    const part = await idOf();
    for (let time = 0; time < 2; time += 1)
      expect(await mark(id)).toMatchObject({
        status: 200,
        body: { id, status: "Invalid", additionalStatus: "Marked" },
      });
    await receive(seen, 100n, { isFinal: false });
    await receive(paid, 100n);
    await receive(part, 40n);
    for (const one of [seen, paid, part]) {
      const state = await stateOf(one);
      expect(paths(await mark(one))).toEqual(["status"]);
      expect(await stateOf(one)).toBe(state);
    }
    for (const other of ["Settled", "New", null, 1]) expect(paths(await mark(part, other))).toEqual(["status"]);
  });
});

test("422: an empty array as the body has no fields, as an empty object", async () => {
  const fields = paths(await send("POST", "/invoices", "{}"));
  expect(paths(await send("POST", "/invoices", "[]"))).toEqual(fields);
  expect((await create({ metadata: [], checkout: [] }))["metadata"]).toEqual({});
});

test("while its payer has yet to choose an invoice has no payment methods; the store has its own", async () => {
  const open = String((await create())["id"]);
  expect((await send("GET", `/invoices/${open}/payment-methods`)).body).toEqual([]);
  const { body } = await send("GET", "/payment-methods");
  const names = (body as unknown as Body[]).map(({ paymentMethod, paymentMethodId, enabled }) => {
    expect([enabled, paymentMethodId]).toEqual([true, paymentMethod]);
    return paymentMethod;
  });
  expect(names.toSorted()).toEqual(["USDC-BSC", "USDC-ETHEREUM", "USDT-BSC", "USDT-ETHEREUM"]);
});

test("unknown paths and methods are reported by name; another store sees nothing", async () => {
  const id = await idOf();
  const now = new Date();
  const merchant = await seedMerchant(db(), now);
  const other = await seedPlugin(db(), { merchantId: merchant.id, integration: "greenfield" }, now);
  expect(await send("GET", `/invoices/${id}`, undefined, other.key)).toMatchObject({
    status: 404,
    body: { code: "store-not-found", message: expect.any(String) },
  });
  const theirs = await fetch(`${api.origin}/greenfield/api/v1/stores/${other.publicId}/invoices/${id}`, {
    headers: { authorization: `token ${other.key}` },
  });
  expect([theirs.status, await theirs.json()]).toMatchObject([404, { code: "invoice-not-found" }]);
  const { body } = await api.post("/order/add", { mch_order_id: "n-1", amount: 3, currency: "USDT", network: "bsc" });
  for (const none of [body.data?.["trade_id"], "unknown", `${id}x`])
    for (const [method, rest] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/unarchive"],
      ["POST", "/payment-methods/USDT-BSC/activate"],
    ] as const)
      expect(
        await send(method, `/invoices/${none}${rest}`, method === "PUT" ? { metadata: {} } : undefined),
      ).toMatchObject({
        status: 404,
        body: { code: "invoice-not-found" },
      });
  expect(await send("GET", "/nothing")).toMatchObject({ status: 404, body: { code: "not-found" } });
  expect(await send("POST", `/invoices/${id}`, {})).toMatchObject({ status: 405, body: { code: "bad-request" } });
  expect(await send("POST", "/invoices", "{")).toMatchObject({ status: 400, body: { code: "bad-request" } });
  expect(await send("POST", "/invoices", "x".repeat(70_000))).toMatchObject({ status: 413 });
});

test("403: a token that may only look makes and changes nothing", async () => {
  const id = await idOf();
  await db()
    .update(pluginKeys)
    .set({ permissions: ["btcpay.store.canviewinvoices"] })
    .where(eq(pluginKeys.merchantId, api.merchant.id));
  expect((await send("GET", `/invoices/${id}`)).status).toBe(200);
  for (const [method, path, lacks] of [
    ["POST", "/invoices", "cancreateinvoice"],
    ["POST", `/invoices/${id}/status`, "canmodifyinvoices"],
    ["PUT", `/invoices/${id}`, "canmodifyinvoices"],
    ["DELETE", `/invoices/${id}`, "canmodifyinvoices"],
    ["POST", `/invoices/${id}/unarchive`, "canmodifyinvoices"],
    ["GET", "/payment-methods", "canviewstoresettings"],
  ] as const) {
    const { status, body } = await send(method, path, method === "POST" ? { ...EUROS, status: "Invalid" } : undefined);
    const missingPermission = `btcpay.store.${lacks}:${store.publicId}`;
    expect([status, body]).toMatchObject([403, { code: "missing-permission", missingPermission }]);
  }
  expect(await stateOf(id)).toBe("New None");
});
