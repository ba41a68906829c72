import { describe, expect, test } from "vitest";
import { exactNumber } from "@/lib/domain/orders/order-wire";
import { epayPaidFields, isEpayAcknowledged, withEpayFields } from "@/lib/integrations/epay/callbacks";
import { isSignedEpay, signEpay } from "@/lib/integrations/epay/signature";
import { isEpusdtAcknowledged, withEpusdtSignature, writeEpusdtPaid } from "@/lib/integrations/epusdt/callbacks";
import { epusdtVerifier, signEpusdt, signedNumber } from "@/lib/integrations/epusdt/signature";
import { findAmbiguousField } from "@/lib/integrations/shared/ambiguous-field";
import { shortDecimal } from "@/lib/integrations/shared/short-decimal";
import { parseTradeType, tradeTypeOf } from "@/lib/integrations/shared/trade-type";
import { detailData } from "@/testing/callbacks/seed";

/** The expected signatures are from the published code of go-epay and EpayCore. */
test("EPay signatures equal the published vectors", () => {
  expect(signEpay({ device: "devicev", money: "moneyv" }, "1234567")).toBe("3854cc9f022e0fb821bd2e002260245d");
  const whole = {
    pid: "1001",
    out_trade_no: "A-1",
    name: '会员 & "VIP" +1',
    money: "10.00",
    type: "",
    param: "",
    notify_url: "https://m.example/n?a=1&b=2",
    return_url: "https://m.example/r",
    sign_type: "MD5",
  };
  expect(signEpay(whole, "k3y")).toBe("7bfa5e29bd1fa6c074f4a9f4568a5b6f");
});

test("one byte more, less or other is another sign; 0 is signed and blanks are not", () => {
  const fields = { pid: "1", money: "10", flag: "0" };
  const sign = signEpay(fields, "k");
  expect(isSignedEpay({ ...fields, sign, sign_type: "MD5", note: " \n" }, "k")).toBe(true);
  expect(isSignedEpay({ ...fields, sign: sign.toUpperCase() }, "k")).toBe(true);
  for (const invalid of [{ money: "11" }, { flag: "" }, { more: "1" }, { sign: "" }, { sign: `${sign.slice(0, -1)}x` }])
    expect(isSignedEpay({ ...fields, sign, ...invalid }, "k")).toBe(false);
  expect(isSignedEpay({ ...fields, sign }, "K")).toBe(false);
});

test("a request is signed over its bytes, in any alphabet", () => {
  const gbk = { name: Buffer.from([0xbb, 0xe1]).toString("latin1"), money: "1" };
  const sign = signEpay(gbk, "k", "latin1");
  expect(isSignedEpay({ ...gbk, sign }, "k")).toBe(true);
  expect(signEpay({ name: "会", money: "1" }, "k")).not.toBe(sign);
});

describe("a request whose signed text could be split into other fields", () => {
  const honest = {
    money: "10.00",
    name: "A book",
    notify_url: "https://shop.example/notify?type=epay&name=x",
    out_trade_no: "7",
    param: "a=b&c=d",
    pid: "1000",
    return_url: "https://shop.example/done?a=1&pid=2",
    type: "usdt.trc20",
  };

  test("is not found in an honest one, whose URLs have parameters of their own", () => {
    expect(findAmbiguousField(honest)).toBeNull();
  });

  test("EPay: the request of a shop and its re-split forms have one signature, and each is refused", () => {
    const name = "A book&notify_url=https://evil.example/&out_trade_no=8&param=x";
    const asSent = { ...honest, name };
    const hidden = `notify_url=${honest.notify_url}&out_trade_no=7&param=${honest.param}`;
    const evil = { notify_url: "https://evil.example/", out_trade_no: "8", param: `x&${hidden}` };
    const resplit = { ...honest, ...evil };
    const shorter = { ...honest, name: "A book&notify_url=https://evil.example/" };
    const inUrl = { ...honest, notify_url: `https://evil.example/&notify_url=${honest.notify_url}` };
    const unknown = { ...honest, notify_url: "https://evil.example/", nz: `x&notify_url=${honest.notify_url}` };
    expect(signEpay(resplit, "k")).toBe(signEpay(asSent, "k"));
    expect(signEpay(inUrl, "k")).toBe(signEpay(shorter, "k"));
    expect([asSent, resplit, inUrl, unknown].map((fields) => findAmbiguousField(fields))).toEqual([
      "name",
      "param",
      "notify_url",
      "nz",
    ]);
  });

  test("GMPay's additional fields are found only where they are fields", () => {
    const hidden = { ...honest, name: "A book&token=usdt&network=tron" };
    expect(findAmbiguousField(hidden)).toBeNull();
    expect(findAmbiguousField(hidden, ["token", "network"])).toBe("name");
  });

  test("EPay: a pid that is hidden in a URL is found", () => {
    expect(findAmbiguousField({ ...honest, return_url: "https://evil.example/?x&pid=1000" })).toBe("return_url");
  });
});

test("EPay's news hold nothing that is empty, and join a query that is there", () => {
  const events = epayPaidFields(
    { pid: "7", type: "", name: "", money: "10.00", param: "" },
    detailData({ network: "tron" }),
  );
  expect(events).toEqual({
    pid: "7",
    trade_no: "01k",
    out_trade_no: "A-1",
    type: "usdt.trc20",
    money: "10.00",
    trade_status: "TRADE_SUCCESS",
  });
  const url = new URL(withEpayFields("https://m.example/n?a=1#x", { ...events, name: "a&b +%41 会" }, "k"));
  expect(url.searchParams.get("a")).toBe("1");
  expect(url.searchParams.get("name")).toBe("a&b +%41 会");
  expect(url.hash).toBe("#x");
  for (const from of ["https://m.example/n", "https://m.example/n?", "https://m.example/n?a=1&"])
    expect(withEpayFields(from, { pid: "7" }, "k")).toMatch(/[?&]pid=7&sign=[0-9a-f]{32}&sign_type=MD5$/);
});

test.each([
  [200, "success", true],
  [200, "SUCCESS\n", true],
  [200, '{"state":"success","msg":"支付成功"}', true],
  [200, "<b>Success</b>", true],
  [200, "fail", false],
  [200, "unsuccessful", false],
  [200, "successful", false],
  [200, "", false],
  [201, "success", false],
  [500, "success", false],
])("EPay: status %i with %j acknowledges: %s", (status, answer, isAcked) => {
  expect(isEpayAcknowledged(status, answer)).toBe(isAcked);
});

test.each([
  [200, "ok", true],
  [200, " OK\r\n", true],
  [200, "\uFEFFsuccess", true],
  [200, "fail", false],
  [200, "ok, but no", false],
  [200, "fail - sign error", false],
  [204, "ok", false],
])("epusdt: status %i with %j acknowledges: %s", (status, answer, isAcked) => {
  expect(isEpusdtAcknowledged(status, answer)).toBe(isAcked);
});

test("epusdt signs as its manual's example, numbers by their value", () => {
  const fields = {
    order_id: "20220201030210321",
    amount: signedNumber("42"),
    notify_url: "http://example.com/notify",
    redirect_url: "http://example.com/redirect",
  };
  expect(signEpusdt(fields, "epusdt_password_xasddawqe")).toBe("1cd4b52df5587cfb1968b0c0c6e156cd");
  expect(
    epusdtVerifier({ ...fields, signature: "1cd4b52df5587cfb1968b0c0c6e156cd", x: "" })("epusdt_password_xasddawqe"),
  ).toBe(true);
  expect(
    epusdtVerifier({ ...fields, amount: "43", signature: "1cd4b52df5587cfb1968b0c0c6e156cd" })(
      "epusdt_password_xasddawqe",
    ),
  ).toBe(false);
});

test("epusdt signs pid and coin along, as the younger manual's example", () => {
  const fields = {
    pid: "1000",
    order_id: "ORD202605230001",
    currency: "cny",
    token: "usdt",
    network: "tron",
    name: "VIP",
    amount: signedNumber("100.00"),
    notify_url: "https://merchant.example/notify",
    redirect_url: "https://merchant.example/return",
  };
  expect(signEpusdt(fields, "epusdt_secret_key")).toBe("476412c422f4dd75c3d533f5c47a9cac");
});

test.each([
  ["100.00", "100"],
  ["28.80", "28.8"],
  ["0.01", "0.01"],
  ["1e2", "100"],
  ["1E-7", "0.0000001"],
  ["1e21", "1000000000000000000000"],
  ["99999999.99", "99999999.99"],
])("the number %s is signed as %s", (text, signed) => {
  expect(signedNumber(text)).toBe(signed);
});

test("epusdt's news have exactly the fields that clients know", () => {
  const data = detailData({ actual_amount: exactNumber("4.250000"), address: "TX", tx_hash: "0xabc" });
  const body = withEpusdtSignature(writeEpusdtPaid({ amount: "28.8" }, data), "t");
  expect(body).toContain('"amount":28.8,"actual_amount":"4.25"');
  const { signature, ...fields } = JSON.parse(body) as Record<string, string>;
  expect(Object.keys(fields)).toEqual(
    "trade_id order_id amount actual_amount token block_transaction_id status".split(" "),
  );
  const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  expect(signature).toBe(signEpusdt(texts, "t"));
  expect(shortDecimal("100")).toBe("100");
  expect(shortDecimal("100.00")).toBe("100");
});

test.each([
  ["", null, null],
  ["alipay", null, null],
  ["epusdt", null, null],
  ["usdt", null, "USDT"],
  ["USDC", null, "USDC"],
  ["usdt.trc20", "tron", "USDT"],
  ["usdt.tron", "tron", "USDT"],
  ["usdt.bep20", "bsc", "USDT"],
  ["usdc.erc20", "ethereum", "USDC"],
  ["usdt.solana", "solana", "USDT"],
  ["usdc.solana", "solana", "USDC"],
  ["usdt.erc20", "ethereum", "USDT"],
  ["usdc.bep20", "bsc", "USDC"],
  ["usdt.polygon", "polygon", "USDT"],
  ["usdc.polygon", "polygon", "USDC"],
  ["usdt.arbitrum", "arbitrum", "USDT"],
  ["usdc.arbitrum", "arbitrum", "USDC"],
  ["usdc.base", "base", "USDC"],
  ["usdt.plasma", "plasma", "USDT"],
  ["wxpay", null, null],
  ["qqpay", null, null],
  ["usdt-trc20", "tron", "USDT"],
])("the type %j asks for %s, %s", (type, network, currency) => {
  expect(parseTradeType(type)).toEqual({ network, currency });
  if (network && currency)
    expect(parseTradeType(tradeTypeOf(parseTradeType(type) ?? { network, currency: null }))).toEqual({
      network,
      currency,
    });
});

test.each([
  "tron.trx",
  "usdt.aptos",
  "ethereum.eth",
  "bsc.bnb",
  "usdt.xlayer",
  "usdt.nowhere",
  "btc",
  "usdt.",
  "usdt.<x>",
])("the type %j names nothing", (type) => {
  expect(parseTradeType(type)).toBeNull();
});
