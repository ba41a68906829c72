import { asc, eq } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { callbacks, orders } from "@/db/schema";
import { createIntegrationSigner } from "@/lib/callbacks/sign-for-integration";
import { parseRate } from "@/lib/domain/rates/price";
import { INSTALLED } from "@/lib/integrations/installed";
import { addressVerifier } from "@/lib/merchants/vault";
import { chooseMethod } from "@/lib/orders/choose-method";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { seedAddress, seedCursor, TEST_APP_SECRET } from "@/testing/database/seed";
import { boardSign, coreSign, signed } from "@/testing/integrations/epay-client";
import { goSign, phpSign } from "@/testing/integrations/epusdt-client";
import { seedPlugin } from "@/testing/integrations/seed";
import { TEST_ENV, useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true });
const db = () => api.pool.db;
const log = pino({ level: "silent" });
const ctx = { publicUrl: "https://pay.example.com", log, integrations: INSTALLED };
let [epay, epusdt]: Awaited<ReturnType<typeof seedPlugin>>[] = [];
let signer: ReturnType<typeof createIntegrationSigner>;
let count = 0;
const counts = { made: 0, refused: 0, verified: 0, changed: 0 };

beforeAll(async () => {
  const now = new Date();
  const merchantId = api.merchant.id;
  await seedCursor(db(), "bsc", now);
  for (let number = 0; number < 3; number++) await seedAddress(db(), { merchantId, network: "bsc" }, now);
  [epay, epusdt] = [
    await seedPlugin(db(), { merchantId, integration: "epay" }, now),
    await seedPlugin(db(), { merchantId, integration: "epusdt" }, now),
  ];
  const fixedRate = parseRate("7.2");
  await writeMerchantPrice(db(), { merchantId, fiat: "CNY", mode: "fixed", markUpBasisPoints: 0, fixedRate }, now);
  signer = createIntegrationSigner(db(), { appSecret: TEST_APP_SECRET, log, integrations: INSTALLED });
});
afterAll(() => console.log(`hostile orders: ${JSON.stringify(counts)}`));

/** An unusual order: its fields in both protocols, the field for which it is rejected, and its displayed name. */
interface Hostile {
  what: string;
  number?: string;
  money?: string;
  name?: string;
  notifyUrl?: string;
  returnUrl?: string;
  /** The value of `param`, in EPay only. */
  param?: string;
  /** Additional fields that neither protocol defines; they are signed too. */
  more?: Record<string, string>;
  /** The field for which the order is rejected, by protocol if they differ; absent if the order is created. */
  refused?: string | { epay?: string; epusdt?: string };
  shown?: string;
}

const LONG = "长".repeat(42);
const TABLE: readonly Hostile[] = [
  { what: "nothing odd" },
  { what: "Chinese", name: "会员一个月", shown: "会员一个月" },
  { what: "ampersand, equals and plus", name: "a&b=c +1", shown: "a&b=c +1" },
  { what: "another field in the name", name: "x&money=0.01", shown: "x&money=0.01", refused: { epay: "name" } },
  { what: "another field in the param", param: "x&notify_url=https://evil.example", refused: { epay: "param" } },
  { what: "percent signs that look encoded", name: "%41%2B%26", shown: "%41%2B%26" },
  { what: "a lone percent sign", name: "100%", shown: "100%" },
  { what: "quotes of all kinds", name: `'"\`“”‘’`, shown: `'"\`“”‘’` },
  { what: "HTML", name: "<script>alert(1)</script>", shown: "<script>alert(1)</script>" },
  { what: "an emoji outside the first plane", name: "🧧👨‍👩‍👧", shown: "🧧👨‍👩‍👧" },
  { what: "marks that turn the writing round", name: "abc\u202Egnp.exe" },
  { what: "combining marks", name: "Z͑ͫ̓ͪ̂ͫ̽͏a", shown: "Z͑ͫ̓ͪ̂ͫ̽͏a" },
  { what: "blanks around", name: "  tea  " },
  { what: "a name of zero", name: "0", shown: "0" },
  { what: "an empty name", name: "" },
  { what: "a name of blanks", name: "   " },
  { what: "127 bytes that end within a character", name: `a${LONG}b`, shown: "" },
  { what: "a thousand characters", name: "n".repeat(1_000) },
  { what: "a null byte", name: "a\u0000b" },
  { what: "line breaks", name: "a\r\nb" },
  { what: "SQL", name: "'); drop table orders; --", shown: "'); drop table orders; --" },
  { what: "a format's marks", name: "%s %n $x {{y}}", shown: "%s %n $x {{y}}" },
  { what: "the least money", money: "0.01" },
  { what: "the most money", money: "99999999.99" },
  { what: "no money", money: "0", refused: { epay: "money", epusdt: "amount" } },
  { what: "zero with decimals", money: "0.00", refused: { epay: "money", epusdt: "amount" } },
  { what: "money below zero", money: "-1", refused: { epay: "money", epusdt: "amount" } },
  { what: "too many decimals", money: "1.005", refused: { epay: "money", epusdt: "amount" } },
  { what: "two dots", money: "1.2.3", refused: { epay: "money", epusdt: "amount" } },
  { what: "digits of another script", money: "１０", refused: { epay: "money", epusdt: "amount" } },
  { what: "a comma", money: "1,50", refused: { epay: "money", epusdt: "amount" } },
  { what: "a hexadecimal number", money: "0x10", refused: { epay: "money", epusdt: "amount" } },
  { what: "not a number", money: "NaN", refused: { epay: "money", epusdt: "amount" } },
  { what: "more money than there is", money: "9".repeat(40), refused: { epay: "money", epusdt: "amount" } },
  { what: "zeros at the end", money: "10.00" },
  { what: "an exponent in a text", money: "1e2", refused: { epay: "money" } },
  { what: "a plus in front", money: "+5", refused: { epay: "money", epusdt: "amount" } },
  { what: "a dot alone", money: ".", refused: { epay: "money", epusdt: "amount" } },
  { what: "a number with a line break", number: "A\n1", refused: { epay: "out_trade_no", epusdt: "order_id" } },
  { what: "an empty number", number: "", refused: { epay: "out_trade_no", epusdt: "order_id" } },
  {
    what: "a number of 4,000 characters",
    number: "9".repeat(4_000),
    refused: { epay: "out_trade_no", epusdt: "order_id" },
  },
  { what: "a number with every mark that EPay allows", number: "a.B_c-1|2" },
  { what: "a number of blanks inside", number: "A 1", refused: { epay: "out_trade_no" } },
  { what: "a notify_url on this machine", notifyUrl: "http://127.0.0.1/n", refused: "notify_url" },
  { what: "a notify_url of the cloud's own", notifyUrl: "http://169.254.169.254/latest", refused: "notify_url" },
  { what: "a notify_url of a file", notifyUrl: "file:///etc/passwd", refused: "notify_url" },
  {
    what: "a notify_url with a name in it",
    notifyUrl: "https://user:secret@shop.example.com/n",
    refused: "notify_url",
  },
  { what: "a notify_url with a query", notifyUrl: "https://shop.example.com/n?a=1&b=%26" },
  {
    what: "a return_url that runs",
    returnUrl: "javascript:alert(1)",
    refused: { epay: "return_url", epusdt: "redirect_url" },
  },
  { what: "a return_url with a fragment", returnUrl: "https://shop.example.com/done?x=1#top" },
  { what: "no return_url", returnUrl: "" },
  { what: "an empty param", param: "" },
  { what: "a param of zero", param: "0" },
  { what: "a param with everything", param: "k=v&x=1 +%41\"'<>" },
  { what: "a param of a null byte, which PHP takes for blank", param: "\u0000" },
  { what: "a param with a null byte", param: "a\u0000b", refused: { epay: "param" } },
  { what: "unknown fields", more: { sitename: "Shop & Co", clientip: "1.2.3.4", device: "mobile", zzz: "会" } },
  { what: "unknown empty fields", more: { sitename: "", device: " " } },
  { what: "a field by the name of a prototype", more: { constructor: "x", toString: "y" } },
];

const filled = ({ number, money = "72.00", name = "tea", ...row }: Hostile) => ({
  number: number ?? `H-${++count}`,
  money,
  name,
  notifyUrl: row.notifyUrl ?? "https://shop.example.com/n",
  returnUrl: row.returnUrl ?? "https://shop.example.com/d",
});

/** Returns the field that an integration rejects an order for; undefined if the order is created. */
const refusedBy = ({ refused }: Hostile, integration: "epay" | "epusdt") =>
  typeof refused === "string" ? refused : refused?.[integration];

async function payFor(id: string): Promise<{ url: string; body: string; method: string }> {
  const choosing = { log, env: TEST_ENV, isVerifiedAddress: addressVerifier(TEST_APP_SECRET) };
  const [order] = await db().select().from(orders).where(eq(orders.id, id));
  if (order?.network === null) await chooseMethod(db(), choosing, id, { network: "bsc", currency: "USDT" }, new Date());
  const actor = { merchantId: api.merchant.id, userId: epay?.userId ?? "", role: "owner" } as const;
  await markOrderPaid(db(), ctx, actor, { orderId: id, reason: "seen" }, new Date());
  const [pending] = await db().select().from(callbacks).where(eq(callbacks.orderId, id)).orderBy(asc(callbacks.id));
  const integration = order?.integration === "epay" ? "epay" : "epusdt";
  const events = {
    merchantId: api.merchant.id,
    integration,
    url: order?.notifyUrl ?? "",
    body: pending?.body ?? "",
  } as const;
  const request = await signer({ ...events, webhookId: null }, new Date());
  if (typeof request === "string") throw new Error(request);
  return request;
}

test.each(TABLE)("EPay: $what", async (row) => {
  const { number, money, name, notifyUrl, returnUrl } = filled(row);
  const fields = {
    pid: epay?.publicId ?? "",
    type: "alipay",
    out_trade_no: number,
    name,
    money,
    notify_url: notifyUrl,
    return_url: returnUrl,
    ...(row.param === undefined ? {} : { param: row.param }),
    ...row.more,
  };
  const key = epay?.key ?? "";
  const send = async (body: URLSearchParams) => {
    const answer = await fetch(`${api.origin}/epay/mapi.php`, { method: "POST", body });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { code: number; msg?: string; trade_no?: string };
  };
  for (const name of ["sign", "money", "notify_url"]) {
    const forged = signed(fields, key);
    forged.set(name, changed(forged.get(name) ?? ""));
    expect(await send(forged)).toMatchObject({ code: -3 });
    counts.changed += 1;
  }
  const made = await send(signed(fields, key));
  const field = refusedBy(row, "epay");
  if (field) {
    expect(made).toMatchObject({ code: -1, msg: expect.stringContaining(field) });
    counts.refused += 1;
    return;
  }
  expect(made).toMatchObject({ code: 1 });
  counts.made += 1;
  const id = made.trade_no ?? "";
  expect((await send(signed(fields, key))).trade_no).toBe(id);
  expect(await send(signed({ ...fields, money: "1.23" }, key))).toMatchObject({ code: -1 });
  if (row.shown) expect((await db().select().from(orders).where(eq(orders.id, id)))[0]?.subject).toBe(row.shown);
  const { url } = await payFor(id);
  // The parameters as PHP reads them into $_GET.
  const got = Object.fromEntries(new URL(url).searchParams);
  const ours = new Set([
    "pid",
    "trade_no",
    "out_trade_no",
    "type",
    "name",
    "money",
    "trade_status",
    "param",
    "sign",
    "sign_type",
  ]);
  const reported = Object.fromEntries(Object.entries(got).filter(([field]) => ours.has(field)));
  expect(reported).toMatchObject({ out_trade_no: number, money, trade_status: "TRADE_SUCCESS" });
  for (const sign of [coreSign, boardSign]) expect(sign(reported, key)).toBe(reported["sign"]);
  for (const [name, value] of Object.entries(reported))
    if (name !== "sign" && name !== "sign_type") {
      expect(coreSign({ ...reported, [name]: changed(value) }, key)).not.toBe(reported["sign"]);
      counts.changed += 1;
    }
  counts.verified += 1;
});

test.each(TABLE)("epusdt: $what", async (row) => {
  const { number, money, name, notifyUrl, returnUrl } = filled(row);
  const isNumber = /^-?\d{1,9}(\.\d{1,9})?$/.test(money);
  const fields = {
    order_id: number,
    amount: isNumber ? Number(money) : money,
    trade_type: "usdt.bep20",
    name,
    notify_url: notifyUrl,
    redirect_url: returnUrl,
    ...row.more,
  };
  const key = epusdt?.key ?? "";
  const send = async (body: object) => {
    const headers = { "content-type": "application/json" };
    const url = `${api.origin}/epusdt/api/v1/order/create-transaction`;
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { status_code: number; message: string; data: { trade_id: string } | null };
  };
  const signature = goSign(fields, key);
  const forged = [{ signature: changed(signature) }, { amount: 1.23 }, { notify_url: changed(notifyUrl) }];
  for (const change of forged) {
    expect(await send({ ...fields, signature, ...change })).toMatchObject({ status_code: 401, data: null });
    counts.changed += 1;
  }
  const made = await send({ ...fields, signature });
  const field = refusedBy(row, "epusdt");
  if (field) {
    expect(made.status_code).not.toBe(200);
    expect(made.message).toContain(field);
    counts.refused += 1;
    return;
  }
  expect(made).toMatchObject({ status_code: 200, message: "success" });
  counts.made += 1;
  const id = made.data?.trade_id ?? "";
  expect((await send({ ...fields, signature })).data?.trade_id).toBe(id);
  const { body } = await payFor(id);
  const reported = JSON.parse(body) as Record<string, string | number>;
  expect(Object.keys(reported).sort()).toEqual(
    ["actual_amount", "amount", "block_transaction_id", "order_id", "signature", "status", "token", "trade_id"].sort(),
  );
  expect(reported).toMatchObject({ order_id: number, trade_id: id, status: 2, amount: Number(money) });
  for (const sign of [goSign, phpSign]) expect(sign(reported, key)).toBe(reported["signature"]);
  for (const [name, value] of Object.entries(reported))
    if (name !== "signature" && String(value) !== "") {
      expect(goSign({ ...reported, [name]: changed(String(value)) }, key)).not.toBe(reported["signature"]);
      counts.changed += 1;
    }
  counts.verified += 1;
});

/** Returns EPay's fields with a valid signature, as text that a test can modify. */
function signedBody(change: Record<string, string> = {}) {
  const fields = {
    pid: epay?.publicId ?? "",
    type: "alipay",
    out_trade_no: `R-${++count}`,
    name: "tea",
    money: "72.00",
    notify_url: "https://shop.example.com/n",
    ...change,
  };
  return { number: fields.out_trade_no, body: signed(fields, epay?.key ?? "").toString() };
}
const mapi = async (body: string, query = "") => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const answer = await fetch(`${api.origin}/epay/mapi.php${query}`, { method: "POST", headers, body });
  return (await answer.json()) as { code: number; msg?: string; trade_no?: string };
};

test.each([
  ["lists beside the fields are not signed", (body: string) => `${body}&goods[]=a&goods[k]=b&x%5B%5D=1`, "", 1],
  ["of a field that comes twice the last counts: a forged one behind", (body: string) => `${body}&money=0.01`, "", -3],
  ["a forged one before the signed one changes nothing", (body: string) => `money=0.01&${body}`, "", 1],
  ["nor one in the URL, which the form goes before", (body: string) => body, "?money=0.01", 1],
  ["a field more in the URL is signed along", (body: string) => body, "?more=1", -3],
  ["a list in the place of a field leaves it out", (body: string) => body.replace("&money=", "&money[]="), "", -3],
  ["a list in the URL does not hide one", (body: string) => body, "?money[]=0.01", 1],
  ["a sign that comes twice is the last one", (body: string) => `${body}&sign=${"0".repeat(32)}`, "", -3],
  [
    "a key in the body opens nothing",
    (body: string) => `${body.replace(/sign=[0-9a-f]+/, "")}&key=${epay?.key}`,
    "",
    -3,
  ],
  ["one field more than a hundred", (body: string) => `${body}${"&a=1".repeat(101)}`, "", -1],
])("EPay: %s", async (_, spoil, query, code) => {
  const { body, number } = signedBody();
  const made = await mapi(spoil(body), query);
  expect(made.code).toBe(code);
  const row = made.trade_no ? (await db().select().from(orders).where(eq(orders.id, made.trade_no)))[0] : null;
  if (code === 1) expect(row).toMatchObject({ mchOrderId: number, echo: { money: "72.00" } });
  else expect(await db().$count(orders, eq(orders.mchOrderId, number))).toBe(0);
});

const transaction = async (body: string) => {
  const headers = { "content-type": "application/json" };
  const url = `${api.origin}/epusdt/api/v1/order/create-transaction`;
  const answer = await fetch(url, { method: "POST", headers, body });
  return (await answer.json()) as { status_code: number; message: string; data: { amount: string } | null };
};

test.each([
  ["an exponent is its value", "1e2", "100", 200],
  ["and one below one too", "1250E-1", "125", 200],
  ["zeros behind are none", "28.80", "28.8", 200],
  ["digits that no float holds are the float's", "28.800000000000001", "28.8", 200],
  ["an amount that comes twice is refused", '1,"amount":72', "72", 400],
  ["a forged one behind is refused too", '72,"amount":1', "72", 400],
  ["a list is no amount", "[72]", "72", 400],
  ["nor is an object", '{"a":72}', "72", 400],
  ["nor is true", "true", "true", 400],
  ["null is left out, and needed", "null", "", 400],
  ["below zero", "-72", "-72", 400],
  ["more than a number holds", "1e400", "1e400", 401],
])("epusdt: %s: %s", async (_, text, signedAs, code) => {
  const fields = { order_id: `X-${++count}`, trade_type: "usdt.bep20", notify_url: "https://shop.example.com/n" };
  const signature = goSign({ ...fields, amount: signedAs }, epusdt?.key ?? "");
  const rest = JSON.stringify({ ...fields, signature }).slice(1);
  const made = await transaction(`{"amount":${text},${rest}`);
  expect(made.status_code).toBe(code);
  if (code === 200) expect(made.data?.amount).toBe(signedAs);
  else expect(await db().$count(orders, eq(orders.mchOrderId, fields.order_id))).toBe(0);
});

/** Returns the string with its first character changed. */
function changed(text: string): string {
  return (text.startsWith("0") ? "1" : "0") + text.slice(1);
}
