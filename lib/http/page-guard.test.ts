import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { guardPage } from "@/lib/http/page-guard";

function guard(url: string, isHttps = true, sent: Record<string, string> = {}) {
  const incoming = new IncomingMessage(new Socket());
  Object.assign(incoming, { url, headers: { ...sent } });
  const outgoing = new ServerResponse(incoming);
  guardPage(incoming, outgoing, { isHttps });
  return { asked: incoming.headers, answered: outgoing.getHeaders() };
}

test("scripts run only with the nonce of the response; pages cannot be framed, and forms stay on this host", () => {
  const one = guard("/login");
  const two = guard("/login");
  const policy = String(one.answered["content-security-policy"]);
  expect(policy).toMatch(/script-src 'nonce-[\w+/]{22}==' 'strict-dynamic';/);
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  for (const rule of ["form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'", "object-src 'none'"])
    expect(policy).toContain(rule);
  expect(two.answered["content-security-policy"]).not.toBe(policy);
});

test("a nonce that a client sends counts nothing", () => {
  const { asked, answered } = guard("/login", true, {
    "x-nonce": "mine",
    "content-security-policy": "script-src 'nonce-mine'",
  });
  expect(asked["content-security-policy"]).toBe(answered["content-security-policy"]);
  expect(answered["content-security-policy"]).toContain(`'nonce-${asked["x-nonce"]}'`);
  expect(asked["x-nonce"]).not.toBe("mine");
});

test("browsers are required to use https if they came by https", () => {
  expect(guard("/").answered["strict-transport-security"]).toBe("max-age=31536000");
  expect(guard("/", false).answered["strict-transport-security"]).toBeUndefined();
});

test("the preview keeps the policy of the payment page, and the other headers", () => {
  const { answered } = guard("/dashboard/settings/checkout/preview?state=paid");
  expect(answered["content-security-policy"]).toBeUndefined();
  expect(answered).toMatchObject({ "referrer-policy": "same-origin", "cross-origin-opener-policy": "same-origin" });
});
