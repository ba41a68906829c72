import { eq, inArray } from "drizzle-orm";
import pino from "pino";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { writeRefundSettings } from "@/db/queries/refunds/refund-requests";
import { insertRefundTransfers } from "@/db/queries/refunds/refund-transfers";
import { callbacks, refundRequests } from "@/db/schema";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { formatMicro } from "@/lib/domain/money";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { parseRate } from "@/lib/domain/rates/price";
import { INSTALLED } from "@/lib/integrations/installed";
import { confirmRefunds } from "@/lib/ledger/confirm-refunds";
import { matchRefunds } from "@/lib/ledger/match-refunds";
import { grantPluginKey } from "@/lib/plugins/plugin-settings";
import { approveRefund, reopenRefund } from "@/lib/refunds/decide-refund";
import { requestRefund } from "@/lib/refunds/request-refund";
import { seedAddress, seedCursor, seedMerchant, seedPerson, TEST_APP_SECRET } from "@/testing/database/seed";
import { receivePayment } from "@/testing/integrations/receive-payment";
import { PLUGIN_SETTINGS, seedPlugin } from "@/testing/integrations/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true, callbackAllowCidrs: ["127.0.0.0/8"] });
const db = () => api.pool.db;
const ctx = {
  publicUrl: "https://pay.example.com",
  log: pino({ level: "silent" }),
  integrations: INSTALLED,
  appSecret: TEST_APP_SECRET,
};
const CUSTOMER = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const OTHER = "0x52908400098527886E0F7030069857D2E4169EE7";
const PERMISSION = "btcpay.store.cancreatenonapprovedpullpayments";
const bsc = getNetwork("bsc");
let store: Awaited<ReturnType<typeof seedPlugin>>;
let userId: string;
let numbers = 0;

beforeAll(async () => {
  const now = new Date();
  const merchantId = api.merchant.id;
  await seedCursor(db(), "bsc", now);
  await seedAddress(db(), { merchantId, network: "bsc" }, now);
  store = await seedPlugin(db(), { merchantId, integration: "greenfield" }, now);
  userId = await seedPerson(db(), { merchantId }, now);
  const price = { merchantId, mode: "fixed", markUpBasisPoints: 0, fiat: "EUR" } as const;
  await writeMerchantPrice(db(), { ...price, fixedRate: parseRate("0.9") }, now);
});
beforeEach(() => settings({ claimCheck: "none", networks: [] }));

type Body = Record<string, unknown>;
const settings = (change: Parameters<typeof writeRefundSettings>[2]) =>
  writeRefundSettings(db(), api.merchant.id, change, new Date());
const call = async (method: string, path: string, body?: unknown, token: string | null = store.key) => {
  const answer = await fetch(`${api.origin}/greenfield/api/v1${path}`, {
    method,
    headers: { ...(token !== null && { authorization: `token ${token}` }), "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Body };
};
const send = (method: string, path: string, body?: unknown) => call(method, `/stores/${store.publicId}${path}`, body);
/** Sends a request of a customer, without a token. */
const asCustomer = (method: string, path: string, body?: unknown) => call(method, path, body, null);
const ok = async (answer: ReturnType<typeof call>) => {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const owner = () => ({ merchantId: api.merchant.id, userId, role: "owner" as const }) as never;

/** Creates an invoice over 9.00 EUR, which are 10 USDT and a few millionths, and pays a percentage of it. */
async function paidInvoice(number = String(1_000 + ++numbers), percent = 100n) {
  const checkout = { paymentMethods: ["USDT-BSC"] };
  const metadata = { orderId: number, buyerEmail: "buyer@example.com" };
  const { id } = await ok(send("POST", "/invoices", { amount: "9.00", currency: "EUR", metadata, checkout }));
  const paid = percent > 0n ? await receivePayment(db(), ctx, { orderId: String(id), percent }, new Date()) : 0n;
  return { id: String(id), number, paid };
}

/** The request of BTCPay for WooCommerce's button, as process_refund sends it. */
const button = (number: string, change: Body = {}) => ({
  name: `Refund of order ${number}; wrong size`,
  description: null,
  amount: "4.50",
  currency: "EUR",
  period: null,
  BOLT11Expiration: null,
  autoApproveClaims: false,
  startsAt: null,
  expiresAt: null,
  paymentMethods: ["USDT_BSC", "USDC_BSC"],
  payoutMethods: ["USDT_BSC", "USDC_BSC"],
  ...change,
});
const refundOf = async (number: string, change: Body = {}) =>
  String((await ok(send("POST", "/pull-payments", button(number, change))))["id"]);
const CLAIM = { destination: CUSTOMER, payoutMethodId: "USDT-BSC" };
const claimOf = (id: string, change: Body = {}) =>
  asCustomer("POST", `/pull-payments/${id}/payouts`, { ...CLAIM, ...change });
const approve = async (id: string) => expect(await approveRefund(db(), ctx, owner(), id, new Date())).toBeNull();

/** Sends the amount of an approved refund from the merchant's wallet, final immediately. */
async function payOut(id: string) {
  const [row] = await db().select().from(refundRequests).where(eq(refundRequests.id, id));
  if (!row?.baseUnits) throw new Error("A refund that is not approved");
  const later = new Date(Date.now() + 5_000);
  const contract = canonicalAddress("evm", getToken(bsc, "USDT").contract);
  const transfer = {
    network: "bsc",
    currency: "USDT" as const,
    token: contract,
    txId: `0x${String(++numbers).padStart(64, "0")}`,
    position: `${contract}:0`,
    from: `0x${"22".repeat(20)}`,
    to: CUSTOMER.toLowerCase(),
    baseUnits: row.baseUnits,
    blockHeight: 150,
    blockHash: "0xblock",
    blockTime: later,
  };
  await insertRefundTransfers(db(), bsc, [transfer], later);
  await matchRefunds(db(), ctx, "bsc", later);
  const sent = await stateOf(id);
  const head = { height: 200, hash: "0x1", parentHash: "0x0", time: later, finalizedHeight: 200 };
  const checker = { heads: () => [head, head], checkFinality: async () => ({ kind: "final" }) } as never;
  await confirmRefunds(db(), ctx, { checker, network: bsc, head }, later);
  return { sent, txId: transfer.txId };
}
const payout = async (id: string) => ok(send("GET", `/payouts/${id}`));
const stateOf = async (id: string) => (await payout(id))["state"];
const pathsOf = ({ status, body }: Awaited<ReturnType<typeof call>>) => {
  expect(status, JSON.stringify(body)).toBe(422);
  return (body as unknown as { path: string }[]).map(({ path }) => path);
};
const named = ({ status, body }: Awaited<ReturnType<typeof call>>) => `${status} ${String(body["code"])}`;
const refundsOf = (orderId: string) => db().select().from(refundRequests).where(eq(refundRequests.orderId, orderId));

describe("the refund button of a shop", () => {
  test("its pull payment becomes a refund of the order that its name contains, at the rate of the order", async () => {
    const { id: orderId, number } = await paidInvoice();
    const made = await ok(send("POST", "/pull-payments", button(number)));
    expect(made).toEqual({
      id: expect.any(String),
      name: `Refund of order ${number}; wrong size`,
      description: expect.any(String),
      currency: "EUR",
      amount: "4.5",
      period: 0,
      BOLT11Expiration: 0,
      autoApproveClaims: false,
      archived: false,
      startsAt: expect.any(Number),
      expiresAt: Number(made["startsAt"]) + 30 * 86_400,
      viewLink: expect.stringMatching(new RegExp(`^https?://[^/]+/refund/${String(made["id"])}$`)),
    });
    expect(await refundsOf(orderId)).toMatchObject([
      {
        id: made["id"],
        microUnits: 5_000_000n,
        status: "requested",
        integration: "greenfield",
        email: "buyer@example.com",
      },
    ]);
    expect(await ok(asCustomer("GET", `/pull-payments/${String(made["id"])}`))).toEqual(made);
    const page = await fetch(`${api.origin}/refund/${String(made["id"])}`);
    expect(page.status).toBe(200);
  });

  test("the whole way: claim, approval in the back office, transfer, completion", async () => {
    const { number } = await paidInvoice();
    const id = await refundOf(number, { amount: "9.00" });
    expect(await ok(asCustomer("GET", `/pull-payments/${id}/payouts`))).toEqual([]);
    const claimed = await ok(claimOf(id, { amount: "9" }));
    expect(claimed).toMatchObject({
      id,
      pullPaymentId: id,
      destination: CUSTOMER,
      originalCurrency: "EUR",
      originalAmount: "9",
      payoutCurrency: "USDT",
      payoutAmount: "10",
      payoutMethodId: "USDT-BSC",
      paymentMethod: "USDT-BSC",
      state: "AwaitingApproval",
      paymentProof: null,
    });
    expect(await ok(claimOf(id))).toEqual(claimed);
    await approve(id);
    expect(await stateOf(id)).toBe("AwaitingPayment");
    const { sent, txId } = await payOut(id);
    expect(sent).toBe("InProgress");
    expect(await payout(id)).toMatchObject({
      state: "Completed",
      paymentProof: { id: txId, link: expect.stringContaining(txId) },
    });
    expect(await ok(send("POST", `/payouts/${id}/mark-paid`))).toEqual({});
    expect(await ok(asCustomer("GET", `/pull-payments/${id}/payouts/${id}`))).toMatchObject({ state: "Completed" });
  });

  test("partial refunds never exceed the payment, also when they are requested at the same time", async () => {
    const { id: orderId, number } = await paidInvoice();
    const results = await Promise.all(
      Array.from({ length: 5 }, () => send("POST", "/pull-payments", button(number, { amount: "3.00" }))),
    );
    expect(results.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const refused of results.filter(({ status }) => status !== 200)) expect(pathsOf(refused)).toEqual(["amount"]);
    expect(await refundsOf(orderId)).toHaveLength(3);
    expect(pathsOf(await send("POST", "/pull-payments", button(number, { amount: "0.01" })))).toEqual(["amount"]);
  });

  test("more than the price is refused for its amount, another currency for its currency", async () => {
    const { number } = await paidInvoice();
    expect(pathsOf(await send("POST", "/pull-payments", button(number, { amount: "9.01" })))).toEqual(["amount"]);
    expect(pathsOf(await send("POST", "/pull-payments", button(number, { currency: "USD" })))).toEqual(["currency"]);
    const inTokens = await refundOf(number, { amount: "10", currency: "USDT" });
    expect(await ok(asCustomer("GET", `/pull-payments/${inTokens}`))).toMatchObject({ amount: "10", currency: "USDT" });
  });

  test.each([
    ["%", (number: string) => `Rückerstattung der Bestellung #${number}`],
    [
      "another language, with another order in the reason",
      (number: string) => `订单退款 ${number}; instead of order 1001`,
    ],
  ])("the order is found in a name such as %s", async (_name, nameOf) => {
    const { id: orderId, number } = await paidInvoice();
    await refundOf(number, { name: nameOf(number) });
    expect(await refundsOf(orderId)).toHaveLength(1);
  });

  test("a name without a paid order is refused, and so is one that two paid orders have", async () => {
    const { number: unpaid } = await paidInvoice("unpaid-1", 0n);
    for (const name of [`Refund of order ${unpaid}; `, "Refund of order 99999; ", "Gift", "; 1001", ""])
      expect(pathsOf(await send("POST", "/pull-payments", button("", { name })))).toEqual(["name"]);
    const { id: first, number } = await paidInvoice("twice");
    const { id: second } = await paidInvoice("twice");
    const twice = await send("POST", "/pull-payments", button(number));
    expect(pathsOf(twice)).toEqual(["name"]);
    expect(JSON.stringify(twice.body)).toContain(first);
    await ok(send("POST", `/invoices/${second}/refund`, { refundVariant: "RateThen" }));
    await refundOf(number);
    expect(await refundsOf(first)).toHaveLength(1);
  });

  test("an order of another shop is never refunded", async () => {
    const { number } = await paidInvoice();
    const merchant = await seedMerchant(db(), new Date());
    const other = await seedPlugin(db(), { merchantId: merchant.id, integration: "greenfield" }, new Date());
    const path = `/stores/${other.publicId}/pull-payments`;
    expect(pathsOf(await call("POST", path, button(number), other.key))).toEqual(["name"]);
    const id = await refundOf(number);
    await ok(claimOf(id));
    for (const [method, what] of [
      ["DELETE", `pull-payments/${id}`],
      ["GET", `payouts/${id}`],
      ["DELETE", `payouts/${id}`],
      ["POST", `payouts/${id}/mark-paid`],
    ] as const)
      expect((await call(method, `/stores/${other.publicId}/${what}`, undefined, other.key)).status).toBe(404);
    expect(await ok(call("GET", path, undefined, other.key))).toEqual([]);
    const claim = { ...CLAIM, pullPaymentId: id };
    expect((await call("POST", `/stores/${other.publicId}/payouts`, claim, other.key)).status).toBe(404);
  });

  test.each([
    ["period", { period: 3600 }],
    ["startsAt", { startsAt: 9_999_999_999 }],
    ["expiresAt", { expiresAt: 1 }],
    ["name", { name: "x".repeat(51) }],
    ["amount", { amount: "0" }],
    ["amount", { amount: "-1" }],
    ["amount", { amount: "9.005" }],
    ["payoutMethods", { payoutMethods: [], paymentMethods: null }],
    ["payoutMethods", { payoutMethods: ["BTC-CHAIN"], paymentMethods: null }],
  ] as const)("a wrong %s is refused", async (field, change) => {
    const { number } = await paidInvoice();
    expect(pathsOf(await send("POST", "/pull-payments", button(number, change)))).toEqual([field]);
  });
});

describe("permissions", () => {
  test("a token without the permission sees and requests no refunds", async () => {
    const permissions = ["btcpay.store.canviewinvoices", "btcpay.store.cancreateinvoice"];
    const { id, number } = await paidInvoice();
    const grant = { label: "Shop", host: "shop.example", site: null, permissions };
    const { key } = await grantPluginKey(db(), PLUGIN_SETTINGS, { ...store, ...grant }, new Date());
    for (const [method, path, body] of [
      ["POST", "pull-payments", button(number)],
      ["GET", "pull-payments", undefined],
      ["GET", "payouts", undefined],
      ["POST", `invoices/${id}/refund`, { refundVariant: "RateThen" }],
    ] as const) {
      const refused = await call(method, `/stores/${store.publicId}/${path}`, body, key);
      expect(refused).toMatchObject({ status: 403, body: { missingPermission: `${PERMISSION}:${store.publicId}` } });
    }
  });

  test("no token approves a refund: the response names the page on which a user does it", async () => {
    const { number } = await paidInvoice();
    const id = await refundOf(number);
    await ok(claimOf(id));
    for (const refused of [
      await send("POST", `/payouts/${id}`, { revision: 1, rateRule: null }),
      await send("POST", `/payouts/${id}/mark`, { state: "AwaitingPayment" }),
      await send("POST", "/pull-payments", button(number, { autoApproveClaims: true })),
      await send("POST", "/payouts", { ...CLAIM, pullPaymentId: id, approved: true }),
    ])
      expect(refused).toMatchObject({
        status: 403,
        body: { code: "missing-permission", message: expect.stringContaining("/dashboard/refunds") },
      });
    const paid = await send("POST", `/payouts/${id}/mark-paid`);
    expect(named(paid)).toBe("400 invalid-state");
    expect(await stateOf(id)).toBe("AwaitingApproval");
  });
});

describe("claims without a token", () => {
  test("a claimed refund cannot be claimed for another address", async () => {
    const { number } = await paidInvoice();
    const id = await refundOf(number);
    await ok(claimOf(id));
    expect(named(await claimOf(id, { destination: OTHER }))).toBe("400 overdraft");
    expect(await payout(id)).toMatchObject({ destination: CUSTOMER });
  });

  test("a part, more than the refund, another currency and an invalid address are refused", async () => {
    const { number } = await paidInvoice();
    const id = await refundOf(number);
    expect(named(await claimOf(id, { amount: "4.49" }))).toBe("400 amount-too-low");
    expect(named(await claimOf(id, { amount: "4.500000000001" }))).toBe("400 overdraft");
    expect(named(await claimOf(id, { payoutMethodId: "USDC-BSC" }))).toBe("400 payment-method-not-supported");
    expect(pathsOf(await claimOf(id, { payoutMethodId: "BTC-CHAIN" }))).toEqual(["payoutMethodId"]);
    expect(pathsOf(await claimOf(id, { destination: CUSTOMER.replace("8ba1f1", "8BA1F1") }))).toEqual(["destination"]);
    await settings({ claimCheck: "none", networks: ["ethereum"] });
    expect(named(await claimOf(id))).toBe("400 payment-method-not-supported");
    expect((await asCustomer("POST", "/pull-payments/00000000/payouts", CLAIM)).status).toBe(404);
  });

  test("a shop that asks for the order number before a claim refers to the claim page, which accepts the number of the shop", async () => {
    const { number } = await paidInvoice();
    await settings({ claimCheck: "order_number", networks: [] });
    const id = await refundOf(number);
    const refused = await claimOf(id);
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining(`/refund/${id}`) } });
    const claim = { network: "bsc", address: CUSTOMER, confirmation: CUSTOMER.slice(-4) };
    const onPage = async (check: string) => {
      const body = new URLSearchParams({ ...claim, check });
      const answer = await fetch(`${api.origin}/refund/${id}`, { method: "POST", body, redirect: "manual" });
      return answer.status;
    };
    expect(await onPage("1")).toBe(422);
    expect(await onPage(number)).toBe(303);
    expect(await stateOf(id)).toBe("AwaitingApproval");
  });

  test("a shop claims for its customer with its token", async () => {
    const { number } = await paidInvoice();
    const id = await refundOf(number);
    expect(pathsOf(await send("POST", "/payouts", CLAIM))).toEqual(["pullPaymentId"]);
    expect(await ok(send("POST", "/payouts", { ...CLAIM, pullPaymentId: id }))).toMatchObject({
      id,
      state: "AwaitingApproval",
    });
  });
});

describe("ends and lists", () => {
  test("an archived pull payment cannot be claimed, its amount is free again, and repetitions change nothing", async () => {
    const { number } = await paidInvoice();
    const id = await refundOf(number, { amount: "9.00" });
    expect(await ok(send("DELETE", `/pull-payments/${id}`))).toEqual({});
    expect(await ok(send("DELETE", `/pull-payments/${id}`))).toEqual({});
    expect(await ok(asCustomer("GET", `/pull-payments/${id}`))).toMatchObject({ archived: true });
    expect(named(await claimOf(id))).toBe("400 archived");
    const listed = async (query: string) =>
      ((await ok(send("GET", `/pull-payments${query}`))) as unknown as Body[]).some((one) => one["id"] === id);
    expect([await listed(""), await listed("?includeArchived=true")]).toEqual([false, true]);
    await refundOf(number, { amount: "9.00" });
    expect((await send("DELETE", "/pull-payments/unknown")).body).toMatchObject({ code: "pullpayment-not-found" });
  });

  test("a cancelled payout cancels its refund", async () => {
    const { number } = await paidInvoice();
    const id = await refundOf(number);
    expect((await send("DELETE", `/payouts/${id}`)).body).toMatchObject({ code: "payout-not-found" });
    await ok(claimOf(id));
    await ok(send("POST", `/payouts/${id}/mark`, { state: "Cancelled" }));
    await ok(send("DELETE", `/payouts/${id}`));
    expect(await stateOf(id)).toBe("Cancelled");
    const listed = async (query: string) =>
      ((await ok(send("GET", `/payouts${query}`))) as unknown as Body[]).filter((one) => one["id"] === id);
    expect(await listed("")).toEqual([]);
    expect(await listed("?includeCancelled=true")).toMatchObject([{ state: "Cancelled" }]);
  });

  test("refunds that a user requested are listed too, in both lists", async () => {
    const { id: orderId, paid } = await paidInvoice();
    const terms = { amount: "all", reason: "Sorry", email: null, mchRefundId: null, expiresInSeconds: 86_400 } as const;
    const subject = { orderId, transferId: null };
    const { refund } = await requestRefund(db(), owner(), { subject, ...terms }, new Date());
    await ok(claimOf(refund.id));
    const find = async (path: string) =>
      ((await ok(send("GET", path))) as unknown as Body[]).find((one) => one["id"] === refund.id);
    expect(await find("/pull-payments")).toMatchObject({
      amount: formatMicro(paid),
      currency: "USDT",
      description: "Sorry",
    });
    expect(await find("/payouts")).toMatchObject({ state: "AwaitingApproval" });
  });
});

describe("the refund of an invoice", () => {
  const refund = (id: string, body: Body) => send("POST", `/invoices/${id}/refund`, body);

  test.each([
    ["Fiat", {}, { amount: "9", currency: "EUR" }],
    ["CurrentRate", {}, { amount: "10", currency: "USDT" }],
    ["Custom", { customAmount: "2.70", customCurrency: "EUR" }, { amount: "2.7", currency: "EUR" }],
    ["Custom", { customAmount: 3, customCurrency: "usdt" }, { amount: "3", currency: "USDT" }],
  ] as const)("%s %j", async (refundVariant, change, expected) => {
    const { id } = await paidInvoice();
    const made = await ok(refund(id, { refundVariant, payoutMethods: ["USDT-BSC"], ...change }));
    expect(made).toMatchObject({ ...expected, viewLink: expect.stringContaining("/refund/") });
    expect(await refundsOf(id)).toHaveLength(1);
  });

  test("RateThen returns everything that was paid, less a percentage", async () => {
    const { id, paid } = await paidInvoice();
    const { id: second, paid: secondPaid } = await paidInvoice();
    const whole = await ok(refund(id, { refundVariant: "RateThen", paymentMethod: "USDT-BSC" }));
    expect(whole).toMatchObject({ amount: formatMicro(paid), currency: "USDT" });
    const part = await ok(refund(second, { refundVariant: "rateThen", subtractPercentage: "12.5" }));
    expect(part).toMatchObject({ amount: formatMicro((secondPaid * 875n) / 1_000n) });
  });

  test("the current rate returns the fiat value of today, and never more than was paid", async () => {
    const { id, paid } = await paidInvoice();
    const { id: second, paid: secondPaid } = await paidInvoice();
    expect((await send("GET", `/invoices/${second}/refund/USDC-BSC`)).status).toBe(404);
    const price = { merchantId: api.merchant.id, mode: "fixed", markUpBasisPoints: 0, fiat: "EUR" } as const;
    await writeMerchantPrice(db(), { ...price, fixedRate: parseRate("1") }, new Date());
    try {
      expect(await ok(send("GET", `/invoices/${id}/refund/USDT-BSC`))).toEqual({
        paymentAmountThen: formatMicro(paid),
        paymentAmountNow: "9",
        invoiceAmount: "9",
        overpaidPaymentAmount: null,
        paymentCurrency: "USDT",
        paymentCurrencyDivisibility: 6,
        invoiceCurrency: "EUR",
        invoiceCurrencyDivisibility: 2,
      });
      expect(await ok(refund(id, { refundVariant: "CurrentRate" }))).toMatchObject({ amount: "9", currency: "USDT" });
      await writeMerchantPrice(db(), { ...price, fixedRate: parseRate("0.5") }, new Date());
      expect(await ok(refund(second, { refundVariant: "CurrentRate" }))).toMatchObject({
        amount: formatMicro(secondPaid),
      });
    } finally {
      await writeMerchantPrice(db(), { ...price, fixedRate: parseRate("0.9") }, new Date());
    }
    expect((await send("GET", "/invoices/unknown/refund/USDT-BSC")).status).toBe(404);
  });

  test("only the excess of an overpaid invoice is OverpaidAmount", async () => {
    const { id, paid } = await paidInvoice(undefined, 150n);
    expect(await ok(refund(id, { refundVariant: "OverpaidAmount" }))).toMatchObject({
      amount: formatMicro(paid / 3n),
      currency: "USDT",
    });
    const { id: exact } = await paidInvoice();
    expect(pathsOf(await refund(exact, { refundVariant: "OverpaidAmount" }))).toEqual(["refundVariant"]);
  });

  test("unpaid and completely refunded invoices are not refundable; wrong fields are named", async () => {
    const { id: unpaid } = await paidInvoice("unpaid-2", 0n);
    expect(named(await refund(unpaid, { refundVariant: "RateThen" }))).toBe("400 non-refundable");
    const { id, paid } = await paidInvoice();
    expect(pathsOf(await refund(id, {}))).toEqual(["refundVariant"]);
    expect(pathsOf(await refund(id, { refundVariant: "Custom" }))).toEqual(["customAmount", "customCurrency"]);
    expect(pathsOf(await refund(id, { refundVariant: "RateThen", subtractPercentage: 100 }))).toEqual([
      "subtractPercentage",
    ]);
    const custom = { refundVariant: "Custom", customAmount: formatMicro(paid + 1n), customCurrency: "USDT" };
    expect(pathsOf(await refund(id, custom))).toEqual(["customAmount"]);
    await ok(refund(id, { refundVariant: "RateThen" }));
    expect(named(await refund(id, { refundVariant: "RateThen" }))).toBe("400 non-refundable");
    expect((await refund("unknown", { refundVariant: "RateThen" })).status).toBe(404);
  });
});

describe("webhooks", () => {
  const reported = async (webhookId: string) =>
    (
      await db()
        .select()
        .from(callbacks)
        .where(inArray(callbacks.webhookId, [webhookId]))
        .orderBy(callbacks.position)
    ).map(({ body, type }) => {
      const { type: event, payoutState, payoutId, pullPaymentId, storeId } = JSON.parse(body) as Body;
      expect({ storeId, payoutId }).toEqual({ storeId: store.publicId, payoutId: pullPaymentId });
      return `${type} ${String(event)} ${String(payoutState)}`;
    });
  const listen = async (specificEvents: readonly string[]) => {
    const authorizedEvents = { everything: false, specificEvents };
    const { id } = await ok(send("POST", "/webhooks", { url: "http://127.0.0.1:9999/hook", authorizedEvents }));
    return String(id);
  };

  test("each step of a payout is reported to the webhooks that subscribed to it", async () => {
    const all = await listen(["PayoutCreated", "PayoutApproved", "PayoutUpdated"]);
    const approvals = await listen(["PayoutApproved"]);
    const { number } = await paidInvoice();
    const id = await refundOf(number);
    await ok(claimOf(id));
    expect(await reopenRefund(db(), ctx, owner(), { id, reason: "" }, new Date())).toBeNull();
    await ok(claimOf(id));
    await approve(id);
    await payOut(id);
    expect(await reported(all)).toEqual([
      "refund.claimed PayoutCreated AwaitingApproval",
      "refund.reopened PayoutUpdated Cancelled",
      "refund.claimed PayoutCreated AwaitingApproval",
      "refund.approved PayoutApproved AwaitingPayment",
      "refund.sent PayoutUpdated InProgress",
      "refund.completed PayoutUpdated Completed",
    ]);
    expect(await reported(approvals)).toEqual(["refund.approved PayoutApproved AwaitingPayment"]);
  });

  test("a cancellation before the claim is not reported, because there is no payout yet", async () => {
    const all = await listen(["PayoutCreated", "PayoutApproved", "PayoutUpdated"]);
    const { number } = await paidInvoice();
    await ok(send("DELETE", `/pull-payments/${await refundOf(number)}`));
    const id = await refundOf(number);
    await ok(claimOf(id));
    await ok(send("DELETE", `/payouts/${id}`));
    expect(await reported(all)).toEqual([
      "refund.claimed PayoutCreated AwaitingApproval",
      "refund.cancelled PayoutUpdated Cancelled",
    ]);
  });
});
