import { expect, test } from "vitest";
import { encryptConnection } from "@/lib/integrations/greenfield/connection-ticket";
import { INSTALLED } from "@/lib/integrations/installed";
import { mountedRoutes } from "@/mounted-routes";
import { TEST_APP_SECRET } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

useTestApi({ isSandbox: true });

async function connection(request: Request): Promise<Response> {
  const route = mountedRoutes(INSTALLED).find(([, pattern]) => pattern === "/greenfield/hand-over");
  if (!route?.[2]) throw new Error("The route is not mounted");
  return route[2](request, {});
}

const HANDED = {
  redirect: 'https://shop.example:8443/wc?a=1&b="><script>',
  apiKey: "T0k3n",
  userId: "u1",
  permissions: ["btcpay.store.canviewinvoices:S1", "btcpay.store.cancreateinvoice:S1"],
};

async function send(ticket: string, headers: Record<string, string> = { "sec-fetch-site": "same-origin" }) {
  const body = new URLSearchParams({ ticket });
  const request = new Request("http://localhost/greenfield/hand-over", { method: "POST", body, headers });
  const {
    status,
    headers: answered,
    ...answer
  } = await connection(request).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    html: await response.text(),
  }));
  return { status, policy: answered.get("content-security-policy") ?? "", headers: answered, ...answer };
}

test("200: the form that BTCPay sends, to this one origin and nowhere else, and nothing is kept of it", async () => {
  const { status, policy, headers, html } = await send(encryptConnection(TEST_APP_SECRET, HANDED, new Date()));
  expect(status).toBe(200);
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, ...pair]) => pair);
  const permissions = HANDED.permissions.map((name) => ["permissions[]", name]);
  expect(inputs).toEqual([["apiKey", HANDED.apiKey], ["userId", HANDED.userId], ...permissions]);
  expect(html).toContain('action="https://shop.example:8443/wc?a=1&amp;b=&quot;&gt;&lt;script&gt;"');
  expect(html, "for browsers without scripts").toContain("<button>Continue to shop.example:8443</button>");
  expect(policy.split("; ").filter((part) => part.startsWith("form-action"))).toEqual([
    "form-action https://shop.example:8443",
  ]);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  expect([headers.get("cache-control"), headers.get("x-frame-options")]).toEqual(["no-store", "DENY"]);
});

test.each<[string, () => [ticket: string, headers?: Record<string, string>]]>([
  ["an unencrypted ticket", () => ["bm9uZQ=="]],
  ["none", () => [""]],
  ["one whose time is over", () => [encryptConnection(TEST_APP_SECRET, HANDED, new Date(Date.now() - 121_000))]],
  ["one that was changed", () => [changed(encryptConnection(TEST_APP_SECRET, HANDED, new Date()))]],
  [
    "one from another site",
    () => [encryptConnection(TEST_APP_SECRET, HANDED, new Date()), { "sec-fetch-site": "cross-site" }],
  ],
  [
    "one from a sibling",
    () => [encryptConnection(TEST_APP_SECRET, HANDED, new Date()), { "sec-fetch-site": "same-site" }],
  ],
])("400: %s leads nowhere", async (_what, make) => {
  const { status, policy, html } = await send(...make());
  expect(status).toBe(400);
  expect(policy).toContain("form-action 'none'");
  expect(html).toContain("This took too long");
  expect(html).not.toMatch(/<form|T0k3n|shop\.example/);
});

function changed(ticket: string): string {
  const bytes = Buffer.from(ticket, "base64");
  bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40);
  return bytes.toString("base64");
}
