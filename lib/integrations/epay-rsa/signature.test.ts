import { expect, test } from "vitest";
import { epayRsaCallbacks } from "@/lib/integrations/epay-rsa/callbacks";
import { isSignedEpayRsa, signEpayRsa, withEpayRsaSignature } from "@/lib/integrations/epay-rsa/signature";
import { isRsaSigned, rsaSign, rsaSigned } from "@/testing/integrations/epay-client";

/** A key that was made for these vectors only. PHP's openssl_sign gives the same signatures. */
const PRIVATE_KEY =
  "MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQDZzd4RMTPMwS4zj/VNCzw8IIe5oUhTYnT08Tyg6S3SjUaszWl3fie0GlyUvus2sqGqjlrLpt3wBPkFr6LXf1tgOK1QnlhxoXaJBWaVCD5E99jgDAcjsxprjEDvad9ZzUWwdi0UxxpKHAJUdynamcoizuPb8bltGIiLyYh7HBD87hC+c7XZ19TBqcaXgTxP1wK4ZQsWYz9nKFFfejd+F2C9EfTrU04f6+bQh3FjAkJetx2kdB6nc+v01aj2/lMgEdzQFQzwHcjnIg52wBGrv9pxftcPPEcoHzoQLW+XMogYzSv3Tu6O4XtptBTW9nfkC7zI/8a8OXlZQp6v9GYmBnrrAgMBAAECggEAWP+Vw8mqpHq1oc0ry6ERKnKSc0hTkPsU1nfysb/GgRhIblj7RSAQIjh5ZzCCVZX1mIdV04yqeKbXiLrFnDAGyxEtxNkHQ9tZ39CMo847/5uVC6vuiOhpHdQwPoQxB3VpChun/SsEc47xZslQmWopHkMS+a9S+SDCvvgJZGDKEkeFyNwPjUoNZt8rGfoj76iPiiEyCUdWfykLt3EVgDmzgvho72Gd5ING/N2UtidEfBZwGjmrmnqMGdxZnCNk7IxZh6Dkregd1tcE02ZJjAFQWbzfSMbvnsaF5AqvlLuQToCh3AbsWItOABYkX05BYmra3gM62oUFOvj35k8l0aiaiQKBgQD7KERD3tTPSD7aFZxLNONttFZvC+/ZDNt165QGNactzFbDtJIpN29aevzHbmoqDpQHvVH17rRnNmH+ZjFQpyCGjfziyKOkxTOZPTAJLZi2DzcHE9nTTI30PL7HV8Q+hHbtwBjDAOtkSfDEf0mKpy9ggn3Nvhgnuea7cwiivE3uwwKBgQDeAPeNJ6xLmV6rNGg0cJ1aYWnUeJoW50AolsAc0pOeoIb/fLJJOAeopLVbKdOhauFxbeHbvyp5jPPzcWcF4r//1dQUHxEQouGxv0Vfo79GMg9c8hhqMhvVA1WdY49L0g3OjcaBmHh3xHQakgy3ZFRzGGflPEmdX1il70hYqwhQuQKBgA5Ff3uL0fPlWwzxZWwwmSvGr5Knzv06ac4NkN+5dMJ5dgSw4g1NhRpTGsIKWCYDpg26iEm9QqsKwA7Ap9S5anO65b/NPt9CBWiTvYMIAEF4I9xXGG2VUAus1/pj1lbnGArye3W5O6b7PJ8tzHQAhASr5ZInVyAKxD2qj7cPlC4ZAoGASlgyjn+5sDt1O4o6V01bNJgos7GLkJ3ym2UYgs52BwolC0v7/I8Z6Xz3CsdwCr9bLfwpRci39aqhS2YvpQXxXECEXBSnR1X0lOzD06pndJ9xC6Q7Ttzm+ye5tRJRO4flfcV2s5GWzizo4LkGLygXK9ABgv/0exIiAremF6N3DmkCgYB1+lkjg7NntCI8+Z1FZ80qBVTe1OH+FhR0XHts8/0CxVHsgzPI2tLkPYWt81flkFvyLXF25gjR8/lnoqnrsWbvs9MLLEH6J2xlWMV3X/EMn08njrBXbMwLUNfwe0YrQ1fvbf2JseoiXrqmyMpgCUvlbmsxuQcQYCkO0+hUvSl8Sw==";
const PUBLIC_KEY =
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA2c3eETEzzMEuM4/1TQs8PCCHuaFIU2J09PE8oOkt0o1GrM1pd34ntBpclL7rNrKhqo5ay6bd8AT5Ba+i139bYDitUJ5YcaF2iQVmlQg+RPfY4AwHI7Maa4xA72nfWc1FsHYtFMcaShwCVHcp2pnKIs7j2/G5bRiIi8mIexwQ/O4QvnO12dfUwanGl4E8T9cCuGULFmM/ZyhRX3o3fhdgvRH061NOH+vm0IdxYwJCXrcdpHQep3Pr9NWo9v5TIBHc0BUM8B3I5yIOdsARq7/acX7XDzxHKB86EC1vlzKIGM0r907ujuF7abQU1vZ35Au8yP/GvDl5WUKer/RmJgZ66wIDAQAB";

const REQUEST = {
  pid: "1001",
  type: "alipay",
  out_trade_no: "A-1",
  name: '会员 & "VIP" +1',
  money: "10.00",
  param: "",
  notify_url: "https://m.example/n?a=1&b=2",
  return_url: "https://m.example/r",
  clientip: "203.0.113.7",
  timestamp: "1764000000",
};
const REQUEST_SIGN =
  "m6h0WdVNMkF+LgWTf+gfro4bzYxSwz6I7dJPRtJhYEikn3X++clZH7esQ0EqhEM86XEtOK9UEL0pHheln7mE02KOaqKqQj3nT+WzlavHutbNq4LIFoP8x7J8UssxQVKxacYwJ/hvap83JeHEDkH7kUvqsa37XuL3F0Wsg9KKrdt0sDBCfaKA7NNoQb5CoyCLOJVDdJapr8/J5SC47YD/3P8p1ReVJqJiS2tjtFsVgYelUrvwU+mn/a2SpF+VRaVQpE3m9RJGcqAG69PFPgOMbKJvCxjQcJ93PnB0Kjvzezhcxj5Yhi1+Ifhic50xWOtAl17aPmBxG6H1i6+TB/oVQA==";

const CALLBACK = {
  pid: "1001",
  trade_no: "2026112400000112345",
  out_trade_no: "A-1",
  type: "alipay",
  name: '会员 & "VIP" +1',
  money: "10",
  trade_status: "TRADE_SUCCESS",
  api_trade_no: "0xabc123",
};
const CALLBACK_SIGN =
  "XzZ99NrJEcx3ZyK3E9egeHir8eE3DFu7T0BmCW8qnoXiMsph7O9D6wE4icOouhyOlOtBTwz5JSRVRRD7SBRvey2PZoQI4/n1+4TD4yqiV/SjKxipjwInEpmU4xzMrKcgGbvgP1IS6DUTrlxXy5xwJ4+m+iz2swRlbFRjC526tYa0O+1ZK7TfA31Fxxulsyi6LFzBcybm5p2UytQ9I88jLUcoekuK/r+LhWBxaF4lkFlp/w0stpbY69iAkvq5yhh69qKjRdQpmuplxEp1lwvwcEpAV0FLOzkpw1C32eEEufw/432ZmXP6UEczUKS6Avx8Bl54erg5lz0D/+dGpDZAlg==";

const asBytes = (fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, Buffer.from(value).toString("latin1")]));

test("RSA signatures equal the vectors, and the test client makes the same ones", () => {
  expect(signEpayRsa(REQUEST, PRIVATE_KEY)).toBe(REQUEST_SIGN);
  expect(rsaSign(REQUEST, PRIVATE_KEY)).toBe(REQUEST_SIGN);
  const signed = withEpayRsaSignature(CALLBACK, PRIVATE_KEY, new Date(1_764_000_060_999));
  expect(signed).toEqual({ ...CALLBACK, timestamp: "1764000060", sign: CALLBACK_SIGN, sign_type: "RSA" });
});

test("a request is verified by its bytes; any change and any missing signature is refused", () => {
  const fields = asBytes({ ...REQUEST, sign: REQUEST_SIGN, sign_type: "RSA", note: " \n" });
  expect(isSignedEpayRsa(fields, PUBLIC_KEY)).toBe(true);
  for (const change of [{ money: "10" }, { timestamp: "1764000001" }, { more: "1" }, { sign: "" }, { sign: "AAAA" }])
    expect(isSignedEpayRsa({ ...fields, ...change }, PUBLIC_KEY)).toBe(false);
  const { sign: _sign, ...unsigned } = fields;
  expect(isSignedEpayRsa(unsigned, PUBLIC_KEY)).toBe(false);
});

test("every attempt of a callback is signed with its own time, so that a client accepts a late one", () => {
  const secret = JSON.stringify({ shopPublicKey: PUBLIC_KEY, platformPrivateKey: PRIVATE_KEY });
  const stored = { url: "https://m.example/n?a=1", body: JSON.stringify(CALLBACK) };
  const first = new Date("2026-03-01T10:00:00Z");
  const later = new Date("2026-03-02T10:00:00Z");
  const paramsOf = (at: Date) => {
    const { a, ...fields } = Object.fromEntries(new URL(epayRsaCallbacks.sign(stored, secret, at).url).searchParams);
    expect(a).toBe("1");
    return fields;
  };
  expect(isRsaSigned(paramsOf(first), PUBLIC_KEY, first)).toBe(true);
  expect(isRsaSigned(paramsOf(first), PUBLIC_KEY, later)).toBe(false);
  expect(isRsaSigned(paramsOf(later), PUBLIC_KEY, later)).toBe(true);
  expect(isRsaSigned(Object.fromEntries(rsaSigned(REQUEST, PRIVATE_KEY, first)), PUBLIC_KEY, first)).toBe(true);
});
