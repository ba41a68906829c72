import { describe, expect, test } from "vitest";
import type { ConnectionRefusal, ConnectionRequest } from "@/lib/domain/integrations/connection";
import { readConnection } from "@/lib/integrations/greenfield/connection";
import { PERMISSIONS, storePermissions } from "@/lib/integrations/greenfield/permissions";

const WOO = [
  ...["btcpay.store.canviewinvoices", "btcpay.store.cancreateinvoice", "btcpay.store.canviewstoresettings"],
  "btcpay.store.canmodifyinvoices",
  ...["btcpay.store.cancreatenonapprovedpullpayments", "btcpay.store.webhooks.canmodifywebhooks"],
];
const SHOP = "https://shop.example/?btcpay-settings-callback";

function read(
  change: Record<string, string> = {},
  permissions: readonly string[] = WOO,
): ConnectionRequest | ConnectionRefusal {
  const query = new URLSearchParams({ applicationName: "WooCommerce", strict: "true", redirect: SHOP, ...change });
  for (const name of permissions) query.append("permissions", name);
  return readConnection(query, "https://pay.example");
}

test("BTCPay for WooCommerce's request: all permissions, also that for refunds, which a user still approves", () => {
  expect(read()).toEqual({
    application: "WooCommerce",
    redirect: new URL(SHOP),
    isUnprotected: false,
    permissions: [...PERMISSIONS],
    withheld: [],
  });
});

test("the permissions to approve payouts are withheld", () => {
  const wide = ["btcpay.store.cancreatepullpayments", "btcpay.store.canmanagepayouts"];
  expect(read({}, [...WOO, ...wide])).toMatchObject({ permissions: [...PERMISSIONS], withheld: wide });
});

test("a token has no more permissions than requested, in any notation of the list", () => {
  const few = ["btcpay.store.cancreateinvoice", "btcpay.store.canviewinvoices"];
  const want = ["btcpay.store.canviewinvoices", "btcpay.store.cancreateinvoice"];
  expect(read({}, few)).toMatchObject({ permissions: want, withheld: [] });
  expect(read({ "permissions[]": few[0] ?? "", "permissions[1]": few[1] ?? "" }, [])).toMatchObject({
    permissions: want,
  });
  expect(read({ permissions: few.join(",") }, [])).toMatchObject({ permissions: want });
  expect(storePermissions("S1", want)).toEqual(want.map((name) => `${name}:S1`));
  expect(storePermissions("S1")).toHaveLength(PERMISSIONS.length);
});

test.each([
  ...["unrestricted", "btcpay.server.canmodifyserversettings", "btcpay.store.canmodifystoresettings"],
  ...["btcpay.user.canviewprofile", "btcpay.store.canviewinvoices:other-store", "BTCPAY.STORE.CANVIEWINVOICES"],
])("%s is more than there is to give", (name) => {
  expect(read({}, [...WOO, name])).toEqual({ why: "tooWide", what: name });
});

test.each([[[]], [["btcpay.store.cancreatepullpayments"]], [["", " "]]])("%j asks for nothing", (permissions) => {
  expect(read({}, permissions)).toEqual({ why: "nothingAsked", what: "" });
});

describe("where the token goes", () => {
  test("to the user who requested it manually, without an address", () => {
    expect(read({ redirect: "" })).toMatchObject({ redirect: null });
  });

  test.each([
    ...["javascript:alert(1)", "data:text/html,hi", "ftp://shop.example/", "//shop.example/", "/done", "shop.example"],
    ...[
      "https://pay.example@evil.example/",
      "https://user:pass@shop.example/",
      `https://a.example/${"x".repeat(2000)}`,
    ],
  ])("nowhere by %s", (redirect) => {
    expect(read({ redirect })).toMatchObject({ why: "noUrl" });
  });

  test.each(["https://pay.example/dashboard", "https://PAY.example:443/x"])("not back here by %s", (redirect) => {
    expect(read({ redirect })).toMatchObject({ why: "ownPage" });
  });

  test.each([
    ...["http://shop.example/", "http://8.8.8.8/", "http://localhost.evil.example/", "http://[2001:db8::1]/"],
    ...["http://0.0.0.0/", "http://169.254.169.254/", "http://[::ffff:8.8.8.8]/", "http://router.local/"],
  ])("not unprotected to %s", (redirect) => {
    expect(read({ redirect })).toEqual({ why: "unprotected", what: new URL(redirect).host });
  });

  test.each([
    ...["http://localhost:8080/x", "http://127.0.0.1/", "http://wp.localhost/", "http://192.168.1.20:81/"],
    ...["http://10.1.2.3/", "http://[::1]:8080/", "http://[fd00::1]/", "http://2130706433/"],
  ])("unprotected to %s, on one's own machine or network", (redirect) => {
    expect(read({ redirect })).toMatchObject({ isUnprotected: true, redirect: new URL(redirect) });
  });

  test("a host is shown as it is resolved, and a fragment is not sent", () => {
    const { redirect } = read({ redirect: "https://раураӏ.example/x?y=1#z" }) as ConnectionRequest;
    expect(redirect?.host).toMatch(/^xn--/);
    expect(redirect?.href).toMatch(/\/x\?y=1$/);
  });
});

test("a name cannot look like another sentence of the page", () => {
  const application = (name: string) => (read({ applicationName: name }) as ConnectionRequest).application;
  expect(application("  Woo\n\u202eecremmoC\u200b  ")).toBe("WooecremmoC");
  expect(application("x".repeat(500))).toHaveLength(60);
});
