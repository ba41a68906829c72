import type { Page } from "@playwright/test";
import { openDb } from "@/db/client";
import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { createOrder } from "@/e2e/world/merchant";
import { openAddForm, signIn } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";
import type { Announcement } from "@/sandbox/announcement";

const look = async (page: Page, name: string) => {
  await expectAccessible(page);
  await keepLooks(page, name);
};

test("an unmatched transfer is assigned to its order; the merchant dismisses the others", async ({ page, sandbox }) => {
  const order = await createOrder(sandbox, { network: "ethereum", currency: "USDT", amount: 61 });
  await pay(order.trade_id, "--amount", "60");
  await signIn(page, sandbox);
  const row = page.getByRole("listitem").filter({ hasText: "60.00 USDT" }).filter({ hasText: order.mch_order_id });
  await expect(async () => {
    await page.goto(`${sandbox.base_url}/dashboard/transfers?show=unmatched`);
    await expect(row.first()).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  // The row updates without a reload.
  await expect(row.first()).toContainText("Confirmed", { timeout: 60_000 });
  const elsewhere = await page.context().newPage();
  await elsewhere.goto(page.url());
  await expect(row.first()).toContainText("1.00 USDT short, possibly an exchange fee");
  await look(page, "transfers-unmatched");
  await page.goto(`${sandbox.base_url}/dashboard/transfers`);
  await look(page, "transfers-all");
  await row.first().getByRole("link", { name: "60.00 USDT" }).click();
  await expect(page.getByText("Not credited to an order").first()).toBeVisible();
  await look(page, "transfer");
  await page.getByRole("button", { name: "Assign" }).first().click();
  await expect(page.getByRole("dialog")).toContainText("1.00 USDT short.");
  await look(page, "transfer-assign");
  await page.getByRole("dialog").getByRole("button", { name: "Assign" }).click();
  const settled = elsewhere.getByRole("listitem").filter({ hasText: order.mch_order_id });
  await expect(settled.first()).toHaveAttribute("title", "No longer matches the filter", { timeout: 20_000 });
  await elsewhere.close();
  await page.getByRole("link", { name: "View order" }).click();
  await expect(page.getByText("Underpaid", { exact: true })).toBeVisible();
  await payerSees(page, sandbox, order.trade_id);
  await page.goto(`${sandbox.base_url}/dashboard/orders/${order.trade_id}`);
  await page.getByRole("button", { name: "Mark as paid" }).click();
  await page.getByLabel("Reason").fill("A regular guest");
  await look(page, "order-mark-paid");
  await page.getByRole("dialog").getByRole("button", { name: "Mark as paid" }).click();
  await expect(page.getByText("Manual", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("A regular guest").first()).toBeVisible();
  await look(page, "order-by-hand");
});

async function payerSees(page: Page, sandbox: Announcement, tradeId: string): Promise<void> {
  await page.goto(`${sandbox.base_url}/pay/${tradeId}`);
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-view", "partial");
  await look(page, "pay-partial");
}

test("an order is cancelled, and its page asks the payer not to send anything", async ({ page, sandbox }) => {
  const order = await createOrder(sandbox, { network: "bsc", currency: "USDC", amount: 17 });
  await signIn(page, sandbox);
  await page.goto(`${sandbox.base_url}/dashboard/orders/${order.trade_id}`);
  await page.getByRole("button", { name: "Cancel order" }).click();
  await look(page, "order-cancel");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel order" }).click();
  await expect(page.getByText("Cancelled").first()).toBeVisible();
  await page.goto(`${sandbox.base_url}/pay/${order.trade_id}`);
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-view", "cancelled");
});

test("a pasted list of dedicated addresses: every problem is reported with its line, then the good ones are added", async ({
  page,
  sandbox,
}) => {
  await signIn(page, sandbox);
  await page.goto(`${sandbox.base_url}/dashboard/settings/addresses`);
  await openAddForm(page, "list");
  const dialog = page.getByRole("dialog");
  // A list of more addresses than parallel tests use.
  const good = Array.from({ length: 8 }, (_, index) => `0x00000000000000000000000000000000000c0de${index}`);
  await dialog.getByLabel("Network").selectOption("bsc");
  await dialog.getByLabel("Addresses, one per line").fill([good[0], "0x123", ...good.slice(1), good[0]].join("\n"));
  await dialog.getByLabel("Label for all").fill("Pool");
  await dialog.getByLabel("Your password").fill(sandbox.merchant.password);
  await dialog.getByRole("button", { name: "Add addresses" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Line 2:");
  await expect(dialog.getByRole("alert")).toContainText("The same address as on line 1");
  await look(page, "addresses-list");
  await dialog.getByRole("button", { name: "Add 8 valid addresses" }).click();
  await expect(dialog.getByRole("alert")).toContainText("The others were added");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByText(/^[1-8] available/)).toBeVisible();
  await look(page, "addresses-pool");
  const order = await createOrder(sandbox, { network: "bsc", currency: "USDT", amount: 23 });
  expect(order.actual_amount).toBe(23);
  expect(good).toContain(order.address.toLowerCase());
  await page.reload();
  await expect(page.getByText(/^[0-7] available · [1-8] in use/)).toBeVisible();
  await pausePool(sandbox.database_url);
});

/** Pauses the dedicated addresses, because other tests expect the merchant's shared address. */
async function pausePool(databaseUrl: string): Promise<void> {
  const pool = openDb(databaseUrl, { work: "none", max: 1 });
  await pool.sql`update receiving_addresses set paused_at = now() where kind = 'dedicated'`;
  await pool.close();
}
