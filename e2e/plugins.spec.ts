import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { openDb } from "@/db/client";
import { expectAccessible } from "@/e2e/world/axe";
import { expectPage, pressOn, typeInto } from "@/e2e/world/keyboard";
import { LocalShop, type Visit } from "@/e2e/world/local-shop";
import { keepLooks } from "@/e2e/world/look";
import { addAddress, register } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";
import { dialogOf } from "@/e2e/world/second-factor";
import type { Announcement } from "@/sandbox/announcement";
import { coreSign, isRsaSigned, rsaSigned, signed } from "@/testing/integrations/epay-client";
import { goSign, phpSign } from "@/testing/integrations/epusdt-client";

interface Owner {
  page: Page;
  sandbox: Announcement;
  password: string;
}

/** Registers a user whose shop has a receiving address on BNB Smart Chain. */
async function openShop(page: Page, sandbox: Announcement, name: string): Promise<Owner> {
  const { password } = await register(page, sandbox, `${name}-${randomBytes(4).toString("hex")}`);
  await addAddress(page, sandbox, password);
  await page.goto(`${sandbox.base_url}/dashboard/settings/plugins`);
  await expect(page.getByRole("heading", { level: 1, name: "Plugins" })).toBeVisible();
  return { page, sandbox, password };
}

/** Enters the password in the dialog and submits it. */
async function prove(page: Page, password: string): Promise<void> {
  await dialogOf(page).getByLabel("Your password").fill(password);
  const before = await dialogOf(page).getByRole("heading").first().textContent();
  await dialogOf(page).locator("button[type=submit]").click();
  await expect(dialogOf(page).getByRole("heading", { name: before ?? "", exact: true })).toHaveCount(0);
}

/** Reads the key that is shown once and confirms that it is stored, by keyboard only. */
async function readKey(page: Page): Promise<{ id: string; key: string }> {
  const dialog = dialogOf(page);
  const id = dialog.getByText(/^\d{9}$/).first();
  const key = dialog.getByText(/^[0-9A-Za-z]{32}$/).first();
  const shown = { id: (await id.textContent()) ?? "", key: (await key.textContent()) ?? "" };
  await page.keyboard.press("Escape");
  await expect(key, "what is shown once is not closed by mistake").toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "plugins-issued");
  await expectPage(page, "while the key is shown");
  await pressOn(page, dialog.getByLabel(/^I have stored the /), "Space");
  await pressOn(page, dialog.getByRole("button", { name: "Done" }));
  await expect(dialog).toHaveCount(0);
  await expectPage(page, "after the key is shown");
  return shown;
}

async function switchOn({ page, password }: Owner, protocol: string): Promise<{ id: string; key: string }> {
  await pressOn(page, page.getByRole("button", { name: `Enable ${protocol}`, exact: true }));
  const dialog = dialogOf(page);
  await expect(dialog).toContainText("MD5");
  const currency = dialog.getByLabel("Price currency");
  await expect(currency, "no currency is selected silently").toHaveValue("");
  await typeInto(page, dialog.getByLabel("Your password"), password);
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Select the currency of the prices")).toBeVisible();
  await currency.selectOption("CNY");
  await typeInto(page, dialog.getByLabel("Your password"), password);
  await page.keyboard.press("Enter");
  return readKey(page);
}

async function expectOrderShown(
  { page, sandbox }: Owner,
  tradeId: string,
  integration: [string, string],
): Promise<void> {
  const [id, name] = integration;
  await page.goto(`${sandbox.base_url}/dashboard/orders?integration=${id}`);
  await page.locator(`a[href$="/dashboard/orders/${tradeId}"]`).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Paid");
  await expect(page.getByText("Source")).toBeVisible();
  await expect(page.locator("main dd", { hasText: name })).toBeVisible();
}

test("EPay: enabled in the page, paid by a payer's browser, called back until the shop responds success", async ({
  page,
  context,
  sandbox,
}) => {
  const owner = await openShop(page, sandbox, "epay");
  await expectAccessible(page);
  await keepLooks(page, "plugins-off");
  const { id: pid, key } = await switchOn(owner, "EPay");
  await expect(page.getByText(key)).toHaveCount(0);
  await page.getByText("Plugin settings").first().click();
  await expectAccessible(page);
  await keepLooks(page, "plugins-on");

  const order = { pid, out_trade_no: `A-${pid}`, name: '会员 & "VIP" +1', money: "21.60", param: "cart=7&x" };
  const reported: Visit[] = [];
  const back: Visit[] = [];
  const isRight = ({ query }: Visit) => query["sign"] === coreSign(query, key);
  const shop: LocalShop = await LocalShop.open({
    "/buy": () => ({ type: "text/html", body: buyPage() }),
    "/notify": (visit) => ({ body: reported.push(visit) > 1 && isRight(visit) ? "success" : "fail" }),
    "/done": (visit) => ({ body: back.push(visit) > 0 && isRight(visit) ? "Thank you" : "Who are you?" }),
  });
  const buyPage = () => {
    const fields = { ...order, notify_url: `${shop.url}/notify`, return_url: `${shop.url}/done` };
    const inputs = [...signed(fields, key)].map(
      ([name, value]) =>
        `<input type="hidden" name="${name}" value="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}">`,
    );
    return `<form method="post" action="${sandbox.base_url}/epay//submit.php">${inputs.join("")}<button>Pay</button></form>`;
  };

  const payer = await context.newPage();
  await payer.goto(`${shop.url}/buy`);
  await payer.getByRole("button", { name: "Pay" }).click();
  await expect(payer).toHaveURL(/\/pay\/[\w-]+$/);
  const tradeId = new URL(payer.url()).pathname.slice("/pay/".length);
  await payer.locator("#method-bsc-USDT").check();
  await payer.getByRole("button", { name: "Continue" }).click();
  await expect(payer.getByTestId("checkout")).toHaveAttribute("data-state", "pending");
  await pay(tradeId);
  await payer.waitForURL(`${shop.url}/done**`);
  await expect(payer.getByText("Thank you")).toBeVisible();

  // The first response was "fail" with status 200, which does not acknowledge the callback.
  await expect.poll(() => reported.length, { timeout: 90_000 }).toBe(2);
  const callback = { ...order, trade_no: tradeId, type: "usdt.bep20", trade_status: "TRADE_SUCCESS", sign_type: "MD5" };
  for (const { method, query } of reported) {
    expect(method).toBe("GET");
    expect(query).toEqual({ ...callback, sign: coreSign(query, key) });
  }
  expect(back[0]?.query, "the return carries what the callback says").toEqual(reported[0]?.query);

  const query = new URLSearchParams({ act: "order", pid, key, out_trade_no: order.out_trade_no });
  const asked = await (await fetch(`${sandbox.base_url}/epay/api.php`, { method: "POST", body: query })).json();
  expect(asked).toMatchObject({ code: 1, status: 1, trade_no: tradeId, money: "21.60", name: order.name });
  await expectOrderShown(owner, tradeId, ["epay", "EPay"]);
  await expect(page.getByText("Delivered").first()).toBeVisible();
  await shop.close();
});

test("EPay V2: the private key is shown once, and the platform's public key at any time", async ({ page, sandbox }) => {
  const { password } = await openShop(page, sandbox, "epay-rsa");
  const section = page.locator("section", { has: page.getByRole("heading", { name: /^EPay V2/ }) });
  await pressOn(page, page.getByRole("button", { name: "Enable EPay V2 (RSA)" }));
  const dialog = dialogOf(page);
  await expect(dialog).not.toContainText("MD5");
  await dialog.getByLabel("Price currency").selectOption("CNY");
  await typeInto(page, dialog.getByLabel("Your password"), password);
  await page.keyboard.press("Enter");
  const id =
    (await dialog
      .getByText(/^\d{9}$/)
      .first()
      .textContent()) ?? "";
  const privateKey = await dialog.getByLabel("merchant_private_key", { exact: true }).inputValue();
  const platformKey = await dialog.getByLabel("platform_public_key", { exact: true }).inputValue();
  await expectAccessible(page);
  await keepLooks(page, "plugins-issued-key-pair");
  await pressOn(page, dialog.getByLabel("I have stored the merchant_private_key"), "Space");
  await pressOn(page, dialog.getByRole("button", { name: "Done" }));
  await expect(dialog).toHaveCount(0);
  await expect(section.getByText(platformKey).first()).toBeVisible();
  await expect(page.getByText(privateKey)).toHaveCount(0);
  await page.reload();
  await expect(section.getByText(platformKey).first()).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "plugins-key-pair");

  const body = rsaSigned({ pid: id, limit: "1" }, privateKey, new Date());
  const asked = await fetch(`${sandbox.base_url}/epay-rsa/api/merchant/orders`, { method: "POST", body });
  const { code, data, ...signature } = (await asked.json()) as Record<string, string>;
  expect({ code, data }).toEqual({ code: 0, data: [] });
  expect(isRsaSigned({ code: String(code), ...signature }, platformKey, new Date())).toBe(true);
});

test("epusdt: a token of its own, an order by its API, and a callback that the shop refuses first", async ({
  page,
  context,
  sandbox,
}) => {
  const owner = await openShop(page, sandbox, "epusdt");
  const { id: pid, key: token } = await switchOn(owner, "epusdt / BEpusdt");
  const reported: Record<string, string | number>[] = [];
  const shop = await LocalShop.open({
    "/notify": ({ body }) => {
      const events = JSON.parse(body) as Record<string, string | number>;
      const isRight = [goSign, phpSign].every((sign) => events["signature"] === sign(events, token));
      return { body: reported.push(events) > 1 && isRight && events["status"] === 2 ? "ok" : "fail - sign error" };
    },
  });
  const order = {
    order_id: `B-${pid}`,
    amount: 28.8,
    trade_type: "usdt.bep20",
    name: "会员 100%",
    notify_url: `${shop.url}/notify`,
    redirect_url: `${shop.url}/thanks`,
  };
  const send = (fields: Record<string, string | number>, path: string) =>
    fetch(`${sandbox.base_url}/epusdt/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...fields, signature: goSign(fields, token) }),
    });
  // Market rates are read only once the integration has been enabled.
  const create = async (change = {}) => (await send({ ...order, ...change }, "api/v1/order/create-transaction")).json();
  const first = { amount: 14.4 };
  await expect(async () => expect(await create(first)).toMatchObject({ status_code: 200 })).toPass({ timeout: 60_000 });
  const { data: before } = await create(first);
  const payer = await context.newPage();
  let loads = 0;
  payer.on("load", () => loads++);
  await payer.goto(before.payment_url);
  await expect(payer.locator("#amount")).toContainText(before.actual_amount);

  // A request with different terms for the same order number updates the open page.
  const { data } = await create();
  expect(data.trade_id).toBe(before.trade_id);
  expect(Number(data.actual_amount)).toBeGreaterThan(Number(before.actual_amount));
  expect(data).toMatchObject({ fiat: "CNY", trade_type: "usdt.bep20", order_id: order.order_id, status: 1 });
  expect(data.expiration_time, "seconds that are left").toBeLessThanOrEqual(1_800);

  await expect(payer.locator("#amount")).toContainText(data.actual_amount);
  await expect(payer.locator("#address")).toHaveText(data.token);
  expect(loads, "times that the page was loaded").toBe(1);
  await keepLooks(payer, "pay-changed-terms");
  await pay(data.trade_id);
  await expect(payer.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
  await expect.poll(() => reported.length, { timeout: 90_000 }).toBe(2);
  for (const { signature, ...events } of reported) {
    expect(signature).toBe(phpSign(events, token));
    expect(events).toEqual({
      trade_id: data.trade_id,
      order_id: order.order_id,
      amount: 28.8,
      actual_amount: data.actual_amount,
      token: data.token,
      block_transaction_id: expect.stringMatching(/^0x/),
      status: 2,
    });
  }
  const status = await (await fetch(`${sandbox.base_url}/epusdt/pay/check-status/${data.trade_id}`)).json();
  expect(status.data).toMatchObject({ status: 2 });
  await expectOrderShown(owner, data.trade_id, ["epusdt", "epusdt / BEpusdt"]);
  await expect(page.getByText("Delivered").first()).toBeVisible();
  await shop.close();
});

test("a shop without a receiving address can enable nothing, and is warned if it loses its last address", async ({
  page,
  sandbox,
}) => {
  const { password } = await register(page, sandbox, `bare-${randomBytes(4).toString("hex")}`);
  const plugins = `${sandbox.base_url}/dashboard/settings/plugins`;
  await page.goto(plugins);
  await expect(page.getByText("so its orders could not be paid")).toBeVisible();
  for (const button of await page.getByRole("button", { name: /^Enable / }).all()) await expect(button).toBeDisabled();
  await expectAccessible(page);
  await keepLooks(page, "plugins-no-address");
  await page.getByRole("link", { name: "Add address" }).click();
  await expect(page).toHaveURL(/settings\/addresses$/);

  const address = await addAddress(page, sandbox, password);
  await page.goto(plugins);
  await page.getByRole("button", { name: "Enable EPay", exact: true }).click();
  await expect(dialogOf(page).getByLabel("Price currency")).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "plugins-enable");
  await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
  await switchOn({ page, sandbox, password }, "EPay");
  const pool = openDb(sandbox.database_url, { work: "none", max: 1 });
  await pool.sql`update receiving_addresses set paused_at = now() where address = ${address}`;
  await pool.close();
  await page.goto(plugins);
  await expect(page.getByText("your customers cannot pay")).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "plugins-address-lost");
});

test("settings apply to the next request: a key in a URL, another key, and off", async ({ page, sandbox }) => {
  const owner = await openShop(page, sandbox, "rules");
  const { id: pid, key } = await switchOn(owner, "EPay");
  const ask = async (own: string) =>
    (await fetch(`${sandbox.base_url}/epay/api.php?act=query&pid=${pid}&key=${own}`)).json();
  const inUrl = { code: -3, msg: expect.stringContaining("in a URL") };
  expect(await ask(key)).toMatchObject(inUrl);
  await page.getByRole("button", { name: "Settings of EPay", exact: true }).click();
  await dialogOf(page).getByLabel("Accept the key in a URL").check();
  await prove(page, owner.password);
  await expect(page.locator("main dd", { hasText: "Accepted" })).toBeVisible();
  expect(await ask(key)).toMatchObject({ code: 1 });

  await page.getByRole("button", { name: "Create KEY for EPay", exact: true }).click();
  await dialogOf(page).getByLabel("Overlap of the old KEY").selectOption("0");
  await prove(page, owner.password);
  const next = await readKey(page);
  expect(next.id).toBe(pid);
  expect(await ask(key)).toMatchObject({ code: -3 });
  expect(await ask(next.key)).toMatchObject({ code: 1 });

  await page.getByRole("button", { name: "Settings of EPay", exact: true }).click();
  await dialogOf(page).getByLabel("Price currency").selectOption("USD");
  await dialogOf(page).getByLabel("Accept the key in a URL").uncheck();
  await expectAccessible(page);
  await keepLooks(page, "plugins-settings");
  await prove(page, owner.password);
  await expect(page.locator("main dd", { hasText: "USD" })).toBeVisible();
  expect(await ask(next.key)).toMatchObject(inUrl);
  const posted = new URLSearchParams({ act: "query", pid, key: next.key });
  const answer = await fetch(`${sandbox.base_url}/epay/api.php`, { method: "POST", body: posted });
  expect(await answer.json()).toMatchObject({ code: 1 });

  await page.getByRole("button", { name: `Revoke the KEY ${next.key.slice(0, 4)}…` }).click();
  await prove(page, owner.password);
  await expect(page.getByText("No valid KEY")).toBeVisible();
  await page.getByRole("button", { name: "Disable EPay", exact: true }).click();
  await prove(page, owner.password);
  await expect(page.getByText("Disabled. Requests are refused.")).toBeVisible();
  await page.goto(`${sandbox.base_url}/dashboard/settings/audit?group=plugins`);
  for (const action of ["Enabled a plugin protocol", "Rotated a plugin key", "Revoked a plugin key"])
    await expect(page.getByText(action).filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByText("CNY → USD").filter({ visible: true }).first()).toBeVisible();
});
