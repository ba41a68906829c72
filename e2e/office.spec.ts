import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { createOrder, Receiver } from "@/e2e/world/merchant";
import { signIn } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";

const PAGES = [
  "orders",
  "links",
  "transfers",
  "refunds",
  "callbacks",
  "reports",
  "settings/api-keys",
  "settings/plugins",
  "settings/addresses",
  "settings/prices",
  "settings/orders",
  "settings/audit",
  "settings/checkout",
  "settings/refunds",
  "settings/team",
  "settings/security",
  "installation",
];

test("the back office requires signing in", async ({ page, sandbox }) => {
  for (const name of PAGES) {
    await page.goto(`${sandbox.base_url}/dashboard/${name}`);
    await expect(page).toHaveURL(/\/login/);
  }
  await expectAccessible(page);
  await keepLooks(page, "login");
});

test("a wrong password is reported, and the form can be used again", async ({ page, sandbox }) => {
  await page.goto(`${sandbox.base_url}/login`);
  await page.getByLabel("Email").fill(sandbox.merchant.email);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").first()).toContainText("is incorrect");
  await expectAccessible(page);
  await signIn(page, sandbox);
});

test("every page of the back office is accessible and fits a phone", async ({ page, sandbox }) => {
  const order = await createOrder(sandbox, { network: "ethereum", currency: "USDT", amount: 42 });
  await signIn(page, sandbox);
  for (const name of [...PAGES, `orders/${order.trade_id}`]) {
    const answer = await page.goto(`${sandbox.base_url}/dashboard/${name}`);
    expect(answer?.status(), name).toBe(200);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page);
    await keepLooks(page, name.replace(order.trade_id, "one").replaceAll("/", "-"));
  }
});

test("a new API key is shown once, and creates an order", async ({ page, sandbox }) => {
  await signIn(page, sandbox);
  await page.goto(`${sandbox.base_url}/dashboard/settings/api-keys`);
  await page.getByRole("button", { name: "Create API key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Browser story");
  await dialog.getByLabel(/password/i).fill(sandbox.merchant.password);
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  const shown = page.getByText(/^sg_test_[0-9A-Za-z]{49}$/);
  await expect(shown.first()).toBeVisible();
  const apiKey = (await shown.first().textContent()) ?? "";
  const order = await createOrder({ ...sandbox, api_key: apiKey }, { network: "bsc", currency: "USDT", amount: 1 });
  expect(order.trade_id).toHaveLength(28);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(shown).toHaveCount(0);
});

test("one press sends again all callbacks that failed", async ({ page, sandbox }) => {
  const shop = await Receiver.open();
  shop.status = 410;
  const order = await createOrder(sandbox, { network: "bsc", currency: "USDT", amount: 2, notify_url: shop.url });
  await pay(order.trade_id);
  await expect.poll(() => shop.callbacks.length, { timeout: 60_000 }).toBe(1);
  shop.status = 200;
  await signIn(page, sandbox);
  const row = page.locator(`a[href$="/dashboard/orders/${order.trade_id}"]`).first();
  const failed = `/dashboard/callbacks?q=${new URL(shop.url).host}&status=failed`;
  await expect(async () => {
    await page.goto(`${sandbox.base_url}${failed}`);
    await expect(row).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await keepLooks(page, "callbacks-failed");
  await page.getByRole("button", { name: "Resend the failed callback" }).click();
  await expect(page.getByText(/callbacks? (is|are) being resent/)).toBeVisible();
  await expect.poll(() => shop.callbacks.length).toBe(2);
  const ids = shop.callbacks.map(({ headers }) => headers["webhook-id"]);
  expect(ids[1]).toBe(ids[0]);
  await expect(row).toHaveCount(0);
  await shop.close();
});

test("the list of orders stays as the orders are, until the session ends", async ({ page, sandbox }) => {
  const list = { network: "bsc", currency: "USDT" } as const;
  const first = await createOrder(sandbox, { ...list, amount: 3 });
  await signIn(page, sandbox);
  await page.goto(`${sandbox.base_url}/dashboard/orders`);
  const row = page.getByRole("row").filter({ has: page.locator(`a[href$="${first.trade_id}"]`) });
  const state = (text: string) => row.getByText(text).filter({ visible: true }).first();
  await expect(state("Pending")).toBeVisible();
  const second = await createOrder(sandbox, { ...list, amount: 4 });
  const isNew = page.getByRole("button", { name: /new orders?$/ });
  await expect(isNew).toBeVisible({ timeout: 20_000 });
  await keepLooks(page, "orders-new");
  await expect(page.locator(`a[href$="${second.trade_id}"]`)).toHaveCount(0);
  await isNew.click();
  await expect(page.locator(`a[href$="${second.trade_id}"]`).first()).toBeVisible();
  await pay(first.trade_id);
  await expect(state("Paid")).toBeVisible({ timeout: 60_000 });
  await page.context().clearCookies();
  await expect(page.getByText("You are signed out")).toBeVisible({ timeout: 20_000 });
  await expect(state("Paid")).toBeVisible();
});

test("Ctrl-K goes anywhere by keys alone", async ({ page, sandbox }) => {
  const order = await createOrder(sandbox, { network: "bsc", currency: "USDT", amount: 6 });
  await signIn(page, sandbox);
  await page.goto(`${sandbox.base_url}/dashboard`);
  const field = page.getByRole("combobox", { name: /^Go to a page/ });
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(field).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.type(order.trade_id);
  await expect(page.getByRole("option", { name: /Order/ })).toHaveAttribute("aria-selected", "true");
  await expectAccessible(page);
  await keepLooks(page, "go-to");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/dashboard/orders/${order.trade_id}$`));
  await page.keyboard.press("Control+k");
  await page.keyboard.type("callb");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard\/callbacks$/);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("nothing has this name");
  await expect(page.getByText("No results")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(field).toBeHidden();
});
