import { expect, test } from "vitest";
import { hideSecrets, secretsOfUrl } from "@/lib/domain/keys/hide-secrets";

test("a secret is taken out as it is and as it travels, the longest first", () => {
  const secret = 'pass "word" ü';
  const forms = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret),
    btoa(unescape(encodeURIComponent(secret))),
  ];
  expect(hideSecrets(`no ${forms.join(" or ")}!`, [secret])).toBe('no … or … or "…" or …!');
  expect(hideSecrets("abcdefgh", ["abcdef", "abcdefgh"])).toBe("…");
});

test("values too short to be a secret stay in the text", () => {
  expect(hideSecrets("a v1 b", ["v1", ""])).toBe("a v1 b");
});

test("secrets in a URL are found", () => {
  const url = "https://user:p%40ssword@node.example/v3/0123456789abcdef?key=sesame";
  expect(secretsOfUrl(url)).toEqual(["p@ssword", "user:p@ssword", "0123456789abcdef", "sesame"]);
  expect(secretsOfUrl("http://127.0.0.1:8545/jsonrpc")).toEqual([]);
});

test("a percent sign that encodes nothing is no obstacle", () => {
  expect(secretsOfUrl("wss://user:100%zz-sesame@node.example")).toEqual(["100%zz-sesame", "user:100%zz-sesame"]);
});
