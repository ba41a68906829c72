import { createHmac, randomBytes } from "node:crypto";
import { expectAccessible } from "@/e2e/world/axe";
import { pressOn, typeInto } from "@/e2e/world/keyboard";
import { LocalShop, type Visit } from "@/e2e/world/local-shop";
import { keepLooks } from "@/e2e/world/look";
import { createOrder } from "@/e2e/world/merchant";
import { addAddress, nameSite, register, signIn } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";
import { dialogOf } from "@/e2e/world/second-factor";

const store = (name: string) => `btcpay.store.${name}`;
const WANTED = [
  ...["canviewinvoices", "cancreateinvoice", "canviewstoresettings", "canmodifyinvoices"],
  ...["cancreatenonapprovedpullpayments", "webhooks.canmodifywebhooks"],
].map(store);

/** Returns the URL to which BTCPay for WooCommerce sends the shop owner's browser. */
function connectUrl(service: string, redirect: string, more: readonly string[] = []): string {
  const query = new URLSearchParams({ applicationName: "WooCommerce", strict: "true", selectiveStores: "true" });
  for (const name of [...WANTED, ...more]) query.append("permissions", name);
  if (redirect) query.set("redirect", redirect);
  return `${service}/greenfield/api-keys/authorize?${query}`;
}

const ask = async (service: string, token: string, path: string) =>
  (await fetch(`${service}/greenfield/api/v1/${path}`, { headers: { authorization: `token ${token}` } })).json();

test("a plugin connects by keyboard alone: signed in on the way, allowed, and the token works for its store", async ({
  page,
  browser,
  sandbox,
}) => {
  const { password, email } = await register(page, sandbox, `woo-${randomBytes(4).toString("hex")}`);
  await addAddress(page, sandbox, password);
  const got: Visit[] = [];
  const shop = await LocalShop.open({
    "/callback": (visit) => ({ type: "text/html", body: got.push(visit) ? "<h1>Connected</h1>" : "" }),
  });
  const url = connectUrl(sandbox.base_url, `${shop.url}/callback?wc=1`);

  const owner = await browser.newPage();
  const invalid: string[] = [];
  owner.on("console", (line) => /Content.Security.Policy/i.test(line.text()) && invalid.push(line.text()));
  await owner.goto(url);
  await expect(owner.getByText("An application requests access to your shop")).toBeVisible();
  await typeInto(owner, owner.getByLabel("Email"), email);
  await typeInto(owner, owner.getByLabel("Password"), password);
  await owner.keyboard.press("Enter");
  await expect(owner.getByRole("heading", { level: 1 })).toHaveText("Allow “WooCommerce” to connect?");
  await expect(owner.getByText(new URL(shop.url).host, { exact: true })).toBeVisible();
  await expect(owner.getByText("You approve each refund here and pay it from your own wallet")).toBeVisible();
  await expect(owner.getByText("is not protected by https")).toBeVisible();
  await expectAccessible(owner);
  await keepLooks(owner, "connect");
  await typeInto(owner, owner.getByLabel("Your password"), "not the password");
  await owner.keyboard.press("Enter");
  await expect(owner.getByText("The password is wrong")).toBeVisible();
  expect(got).toEqual([]);
  await typeInto(owner, owner.getByLabel("Your password"), password);
  await pressOn(owner, owner.getByRole("button", { name: "Allow" }));
  await expect(owner.getByRole("heading", { name: "Connected" })).toBeVisible();
  expect(invalid, "what the browser refused").toEqual([]);

  expect(got.map(({ method, query }) => [method, query])).toEqual([["POST", { wc: "1" }]]);
  const sent = new URLSearchParams(got[0]?.body);
  const [apiKey = "", permissions] = [sent.get("apiKey") ?? "", sent.getAll("permissions[]")];
  const [storeId = ""] = permissions.map((name) => name.split(":")[1]);
  const given = WANTED.map((name) => `${name}:${storeId}`);
  expect(permissions).toEqual(given);
  expect(await ask(sandbox.base_url, apiKey, "api-keys/current")).toMatchObject({ permissions: given });
  expect(await ask(sandbox.base_url, apiKey, `stores/${storeId}`)).toMatchObject({ id: storeId });

  await page.goto(`${sandbox.base_url}/dashboard/settings/plugins`);
  await expect(page.getByText(`WooCommerce · ${new URL(shop.url).host}`)).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "plugins-greenfield");
  await page.goto(`${sandbox.base_url}/dashboard/settings/audit?group=plugins`);
  await expect(page.getByText("Granted an application access").filter({ visible: true }).first()).toBeVisible();
  await owner.close();
  await shop.close();
});

test("a request for too many permissions, or with a foreign redirect, is refused with a message; a user can refuse too", async ({
  page,
  sandbox,
}) => {
  const { password } = await register(page, sandbox, `refuse-${randomBytes(4).toString("hex")}`);
  const refused = async (url: string, message: string) => {
    await page.goto(url);
    await expect(page.getByText("The application cannot be connected")).toBeVisible();
    await expect(page.getByText(message)).toBeVisible();
    await expect(page.getByRole("button", { name: "Allow" })).toHaveCount(0);
  };
  await refused(connectUrl(sandbox.base_url, "https://shop.example/", ["unrestricted"]), "It requested “unrestricted”");
  await expectAccessible(page);
  await keepLooks(page, "connect-refused");
  await refused(connectUrl(sandbox.base_url, "http://shop.example/"), "without https");
  await refused(connectUrl(sandbox.base_url, "javascript:alert(1)"), "not a valid web address");
  await refused(connectUrl(sandbox.base_url, `${sandbox.base_url}/dashboard`), "a page of this service");
  await page.goto(connectUrl(sandbox.base_url, "https://shop.example/"));
  await expect(page.getByText("so its orders could not be paid")).toBeVisible();
  await expect(page.getByRole("link", { name: "Add address" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Allow" })).toHaveCount(0);
  await expectAccessible(page);
  await keepLooks(page, "connect-no-address");
  await addAddress(page, sandbox, password);
  await page.goto(connectUrl(sandbox.base_url, "https://shop.example/"));
  await page.getByRole("button", { name: "Decline", exact: true }).click();
  await expect(page.getByText("No access was granted")).toBeVisible();
  await page.goto(`${sandbox.base_url}/login?next=//evil.example`);
  await expect(page).toHaveURL(`${sandbox.base_url}/dashboard`);
});

test("the token is shown once to a user whose plugin gives no address", async ({ page, sandbox }) => {
  const { password } = await register(page, sandbox, `hand-${randomBytes(4).toString("hex")}`);
  await addAddress(page, sandbox, password);
  await page.goto(connectUrl(sandbox.base_url, ""));
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Allow" }).click();
  const key = dialogOf(page).locator("code").nth(2);
  await expect(key).toHaveText(/^[0-9A-Za-z]{32}$/);
  expect(await ask(sandbox.base_url, (await key.textContent()) ?? "", "server/info")).toMatchObject({
    fullySynched: true,
  });
  await expectAccessible(page);
  await keepLooks(page, "connect-by-hand");
});

/** Returns a shop's page with the modal, as plugins use it. */
function shopPage(service: string, invoice: string): string {
  return `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1><button id="buy">Buy</button></main>
    <script src="${service}/greenfield//modal/btcpay.js?ver=2.4.1"></script>
    <script>
      window.reported = [];
      btcpay.onModalWillEnter(() => reported.push("enter"));
      btcpay.onModalWillLeave(() => reported.push("leave"));
      btcpay.onModalReceiveMessage(({ data }) => reported.push(data.status ? data.invoiceId + " " + data.status : data));
      buy.onclick = () => { btcpay.setApiUrlPrefix("${service}/greenfield/"); btcpay.showInvoice("${invoice}"); };
    </script></html>`;
}

test("btcpay.js shows an invoice over the shop's page, reports its result, and restores the focus", async ({
  page,
  browser,
  sandbox,
}) => {
  const order = await createOrder(sandbox, { network: "bsc", currency: "USDT", amount: 6.25 });
  const shop = await LocalShop.open({
    "/": () => ({ type: "text/html", body: shopPage(sandbox.base_url, order.trade_id) }),
  });
  const stranger = await browser.newPage();
  await stranger.goto(shop.url);
  await stranger.getByRole("button", { name: "Buy" }).click();
  await expect(stranger, "a site that was not named is led to the page itself").toHaveURL(order.payment_url);
  await stranger.close();

  await signIn(page, sandbox);
  await nameSite(page, sandbox, shop.url, async () => {
    await page.getByLabel("Your password").fill(sandbox.merchant.password);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Payment pages updated")).toBeVisible();
  });

  const buy = page.getByRole("button", { name: "Buy" });
  await page.goto(shop.url);
  await pressOn(page, buy);
  const checkout = page.frameLocator("iframe").getByTestId("checkout");
  const dialog = page.getByRole("dialog", { name: /USDT/ });
  await expect(checkout).toHaveAttribute("data-state", "pending");
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "btcpay-modal");
  await page.frameLocator("iframe").locator("#copy-amount").press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(buy).toBeFocused();

  await buy.press("Enter");
  await expect(checkout).toHaveAttribute("data-state", "pending");
  await pay(order.trade_id);
  await expect(checkout).toHaveAttribute("data-state", "paid");
  await page.evaluate(() => (window as unknown as { btcpay: { hideFrame(): void } }).btcpay.hideFrame());
  await expect(dialog).toHaveCount(0);
  await expect(buy).toBeFocused();
  const reported = () => page.evaluate(() => (window as unknown as { reported: string[] }).reported);
  await expect.poll(async () => (await reported()).at(-1)).toBe("close");
  const id = order.trade_id;
  const received = await reported();
  expect(received.slice(0, 6)).toEqual(["enter", "loaded", `${id} new`, `${id} New`, "leave", "close"]);
  expect(received.slice(-4)).toEqual([`${id} complete`, `${id} Settled`, "leave", "close"]);
  await shop.close();
});

test("a shop's invoice, from its token to the delivery that it first refuses: paid, reported, queried, and in the back office", async ({
  page,
  sandbox,
}) => {
  await signIn(page, sandbox);
  await page.goto(connectUrl(sandbox.base_url, ""));
  await page.getByLabel("Your password").fill(sandbox.merchant.password);
  await page.getByRole("button", { name: "Allow" }).click();
  const token = (await dialogOf(page).locator("code").nth(2).textContent()) ?? "";
  const { permissions } = await ask(sandbox.base_url, token, "api-keys/current");
  const storeId = String(permissions[0]).split(":")[1];
  const got: Visit[] = [];
  const orderId = `woo-${randomBytes(4).toString("hex")}`;
  // Another test uses the same store, so the webhook also receives events of its invoices.
  const take = (visit: Visit) => (visit.body.includes(orderId) && got.push(visit) === 1 ? 500 : 200);
  const shop = await LocalShop.open({
    "/hook": (visit) => ({ status: take(visit), body: "" }),
    "/thanks": () => ({ body: "Thanks" }),
  });
  const send = async (path: string, body: object) => {
    const headers = { authorization: `token ${token}`, "content-type": "application/json" };
    const url = `${sandbox.base_url}/greenfield/api/v1/stores/${storeId}/${path}`;
    return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  const authorizedEvents = { everything: false, specificEvents: ["InvoiceSettled"] };
  const { secret } = await send("webhooks", { url: `${shop.url}/hook`, authorizedEvents });
  const invoice = await send("invoices", {
    amount: "7.25",
    currency: "USDT",
    metadata: { orderId, itemDesc: "Two mugs" },
    checkout: { paymentMethods: ["USDT-BSC"], redirectURL: `${shop.url}/thanks` },
  });
  expect(invoice).toMatchObject({ status: "New", storeId, amount: "7.25" });

  await page.goto(invoice.checkoutLink);
  await expect(page.getByTestId("checkout")).toContainText("BNB Smart Chain");
  await pay(invoice.id);
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
  await expect.poll(() => got.length, { timeout: 60_000 }).toBe(2);
  for (const { headers, body } of got)
    expect(headers["btcpay-sig"]).toBe(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  expect(got[1]?.body).toBe(got[0]?.body);
  expect(JSON.parse(got[0]?.body ?? "")).toMatchObject({ type: "InvoiceSettled", invoiceId: invoice.id, storeId });
  expect(await ask(sandbox.base_url, token, `stores/${storeId}/invoices/${invoice.id}`)).toMatchObject({
    status: "Settled",
    additionalStatus: "None",
    metadata: { orderId },
  });

  await page.waitForURL(`${shop.url}/thanks**`);
  await page.goto(`${sandbox.base_url}/dashboard/orders/${invoice.id}`);
  await expect(page.getByText("Two mugs", { exact: true }).filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByText("BTCPay Greenfield").filter({ visible: true }).first()).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "order-greenfield");
  await shop.close();
});
