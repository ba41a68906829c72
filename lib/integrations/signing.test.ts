import { describe, expect, test } from "vitest";
import { exactNumber } from "@/lib/domain/orders/order-wire";
import { withEpayFields } from "@/lib/integrations/epay/callbacks";
import { isSignedEpay, signEpay } from "@/lib/integrations/epay/signature";
import {
  epusdtCallbacks,
  isEpusdtAcknowledged,
  withEpusdtSignature,
  writeEpusdtPaid,
} from "@/lib/integrations/epusdt/callbacks";
import { epayVerifier, signEpay as signGmpayEpay } from "@/lib/integrations/epusdt/epay-signature";
import { epusdtVerifier, signEpusdt, signedNumber } from "@/lib/integrations/epusdt/signature";
import { findAmbiguousField } from "@/lib/integrations/shared/ambiguous-field";
import { epayPaidFields, isEpayAcknowledged } from "@/lib/integrations/shared/epay/callbacks";
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

/** The expected signatures are from the Python SDK of epusdt (0.3.1: MD5, 0.4.0: HMAC-SHA256) and from gmpay-edge's own tests. */
test.each([
  [
    "amount=100&currency=cny&name=会员&network=tron&notify_url=https://m.example/n?a=1%26b=2&order_id=SG-1001&pid=1000&redirect_url=https://m.example/r&token=usdt",
    "epusdt_secret_key",
    "91da307612e25d7edbc73ba5fbf77fbe",
    "6e7d9cf740b57b6205bedeb00a9580ed222c9053739ecef1cc11ebad44ef6b44",
  ],
  [
    "actual_amount=14.29&amount=100&block_transaction_id=0xabc123&order_id=SG-1001&pid=1000&receive_address=TTestTronAddress001&status=2&token=USDT&trade_id=T1",
    "epusdt_secret_key",
    "143595107e3a1b27c92943100613b898",
    "e91ef2d7dd8270b3e5bd1c4775a8becd4802cd14d186ac6ddec956c43da29e20",
  ],
  [
    "amount=100&currency=cny&network=tron&notify_url=https://merchant.example/notify&order_id=ORDER-1001&pid=gmp_merchant&redirect_url=&token=usdt",
    "merchant-secret",
    null,
    "c6e53cbcc50ed62160c4e9689bb5d266376baa2b15a2c054db88350f2f20f4b3",
  ],
])(
  "GMPay's signatures of %s equal the published vectors, and their length determines the algorithm",
  (text, key, md5, hmac) => {
    const pairs = text.split("&").map((pair) => [pair.replace(/=.*/s, ""), pair.replace(/^[^=]*=/, "")]);
    const fields = Object.fromEntries(pairs.map(([name, value = ""]) => [name, value.replace("%26", "&")]));
    if (md5 !== null) expect(signEpusdt(fields, key)).toBe(md5);
    expect(signEpusdt(fields, key, "hmac-sha256")).toBe(hmac);
    for (const signature of [signEpusdt(fields, key), hmac, hmac.toUpperCase()]) {
      expect(epusdtVerifier({ ...fields, signature })(key)).toBe(true);
      expect(epusdtVerifier({ ...fields, amount: "101", signature })(key)).toBe(false);
      expect(epusdtVerifier({ ...fields, signature })(`${key}x`)).toBe(false);
    }
    for (const signature of ["", hmac.slice(0, 32), `${hmac}0`, signEpusdt(fields, key).padEnd(64, "0")])
      expect(epusdtVerifier({ ...fields, signature })(key)).toBe(false);
  },
);

test("GMPay's EPay signs with MD5 only, without sign and sign_type", () => {
  const fields = { pid: "1000", money: "12.50", out_trade_no: "EPAY-1001", param: "" };
  const sign = signGmpayEpay(fields, "merchant-secret");
  expect(sign).toBe(signEpay(fields, "merchant-secret"));
  expect(epayVerifier({ ...fields, sign, sign_type: "MD5" })("merchant-secret")).toBe(true);
  expect(epayVerifier({ ...fields, sign, money: "12.5" })("merchant-secret")).toBe(false);
  const hmac = signEpusdt(fields, "merchant-secret", "hmac-sha256");
  expect(epayVerifier({ ...fields, sign: hmac })("merchant-secret")).toBe(false);
});

describe("a callback of GMPay", () => {
  const write = (echo: Record<string, string>, actual: string) => {
    const data = detailData({
      actual_amount: exactNumber(actual),
      address: "TTestTronAddress001",
      tx_hash: "0xabc123",
      currency: "USDT",
    });
    const event = { id: "c", type: "payment.confirmed", data, echo, notifyUrl: "https://m.example/n", webhooks: [] };
    const [written] = epusdtCallbacks.write(event as never, () => "c");
    return epusdtCallbacks.sign(written ?? { url: "", body: "" }, "epusdt_secret_key", new Date(0));
  };
  const echo = { api: "gmpay", pid: "1000", amount: "100", fiat: "CNY", signature: "hmac-sha256" };

  test("has upstream's fields in upstream's order, with numeric amounts and the signature of the request's algorithm", () => {
    const { body, method } = write(echo, "14.290000");
    expect(method).toBe("POST");
    expect(body).toMatch(
      /^\{"pid":"1000","trade_id":"01k","order_id":"A-1","amount":100,"actual_amount":14.29,"receive_address":"TTestTronAddress001","token":"USDT","block_transaction_id":"0xabc123","status":2,"signature":"[0-9a-f]{64}"\}$/,
    );
    const { signature, ...fields } = JSON.parse(body) as Record<string, unknown>;
    const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
    expect(signature).toBe(signEpusdt(texts, "epusdt_secret_key", "hmac-sha256"));
    const md5 = JSON.parse(write({ ...echo, signature: "md5" }, "14.290000").body) as Record<string, unknown>;
    expect(md5["signature"]).toBe(signEpusdt(texts, "epusdt_secret_key"));
  });

  test.each([
    ["14.285714", true],
    ["0.0001", true],
    ["12345678.123456", true],
    ["0.000099", false],
    ["1000000000.123456", false],
    ["100000000000000", false],
  ])(
    "the amount %s is a number (%s) exactly if PHP, Python, Go and JavaScript sign the number as its text",
    (decimal, isNumber) => {
      const {
        actual_amount: actual,
        signature,
        ...rest
      } = JSON.parse(write(echo, decimal).body) as Record<string, unknown>;
      expect(actual).toBe(isNumber ? Number(decimal) : decimal);
      const texts = Object.entries({ ...rest, actual_amount: actual }).map(([name, value]) => [name, String(value)]);
      expect(signature).toBe(signEpusdt(Object.fromEntries(texts), "epusdt_secret_key", "hmac-sha256"));
      if (isNumber) expect(Number(Number(decimal).toPrecision(14))).toBe(Number(decimal));
    },
  );

  test("of an EPay order is a signed GET with the type of the request, or alipay", () => {
    const epay = { api: "epay", pid: "1000", amount: "10", fiat: "CNY", money: "10.00", type: "", name: "", param: "" };
    const { method, url, body } = write(epay, "1.390000");
    expect({ method, body }).toEqual({ method: "GET", body: "" });
    const sent = Object.fromEntries(new URL(url).searchParams);
    expect(sent).toEqual({
      pid: "1000",
      trade_no: "01k",
      out_trade_no: "A-1",
      type: "alipay",
      money: "10.00",
      trade_status: "TRADE_SUCCESS",
      sign: signEpay(sent, "epusdt_secret_key"),
      sign_type: "MD5",
    });
    expect(new URL(write({ ...epay, type: "usdt.tron" }, "1.39").url).searchParams.get("type")).toBe("usdt.tron");
  });
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
