import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectAccessible } from "@/e2e/world/axe";
import { choose, expectPage, pressOn, typeInto } from "@/e2e/world/keyboard";
import { createOrder, findOrder } from "@/e2e/world/merchant";
import { register, signIn } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { payOrder } from "@/e2e/world/refunds";
import { expect, test } from "@/e2e/world/scenario";
import { expectDialogAnnounced, expectRefusalAnnounced, expectResultAnnounced } from "@/e2e/world/screen-reader";
import { dialogOf } from "@/e2e/world/second-factor";

/** Makes any use of a mouse fail the test. */
function takeMouseAway(page: Page): void {
  const noMouse = () => Promise.reject(new Error("this journey has no mouse"));
  Object.assign(page.mouse, { move: noMouse, down: noMouse, click: noMouse });
}

test("a new shop adds an address, creates a key and a payment link, with keyboard and screen reader", async ({
  page,
  sandbox,
}) => {
  takeMouseAway(page);
  const person = await register(page, sandbox, `reader-${randomBytes(4).toString("hex")}`);
  const dialog = dialogOf(page);
  await page.goto(`${sandbox.base_url}/dashboard/settings/addresses`);
  await expect(page.getByRole("heading", { name: "How should customers pay?" })).toBeVisible();
  const shared = page.getByRole("button", { name: "One shared address" });
  await expect(shared).toHaveAccessibleDescription(/extra digits, such as 10\.0003/);
  await expectAccessible(page);
  await pressOn(page, shared);
  await expectDialogAnnounced(dialog, "Add a receiving address");
  const address = dialog.getByLabel("Address", { exact: true });
  await choose(page, dialog.getByLabel("Network"), "BNB");
  await typeInto(page, address, "0x123");
  await page.keyboard.press("Enter");
  await expectRefusalAnnounced(address, /is not an address on BNB Smart Chain/);
  const good = `0x${randomBytes(20).toString("hex")}`;
  await typeInto(page, address, good);
  await typeInto(page, dialog.getByLabel("Enter the address again"), good);
  await typeInto(page, dialog.getByLabel("Your password"), person.password);
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expectResultAnnounced(page, "Receiving address added");
  await expectPage(page, "after the address is added");

  await page.goto(`${sandbox.base_url}/dashboard/settings/api-keys`);
  await pressOn(page, page.getByRole("button", { name: "Create API key" }).first());
  await expectDialogAnnounced(dialog, "Create API key");
  await typeInto(page, dialog.getByLabel("Name"), "Till");
  await typeInto(page, dialog.getByLabel("Your password"), "wrong password");
  await page.keyboard.press("Enter");
  await expectRefusalAnnounced(dialog.getByLabel("Your password"), /password/i);
  await typeInto(page, dialog.getByLabel("Your password"), person.password);
  await page.keyboard.press("Enter");
  await expect(dialog.locator("code")).toHaveCount(2);
  await pressOn(page, dialog.getByLabel("I have stored the key and the secret"), "Space");
  await pressOn(page, dialog.getByRole("button", { name: "Done" }));
  await expect(dialog).toHaveCount(0);

  await page.goto(`${sandbox.base_url}/dashboard/orders`);
  await pressOn(page, page.getByRole("link", { name: "Create payment link" }).first());
  const amount = page.getByRole("textbox", { name: "Amount" });
  await typeInto(page, amount, "a lot");
  await page.keyboard.press("Enter");
  await expectRefusalAnnounced(amount, /./);
  await typeInto(page, amount, "7.5");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/\/(pay|link)\/[0-9a-z]{28}$/).first()).toBeVisible();
  await expectPage(page, "after the payment link is created");
});

test("an unmatched transfer is assigned, with keyboard and screen reader", async ({ page, sandbox }) => {
  const order = await createOrder(sandbox, { network: "ethereum", currency: "USDC", amount: 47.3 });
  await pay(order.trade_id, "--amount", "45.3");
  await signIn(page, sandbox);
  takeMouseAway(page);
  const row = page.getByRole("listitem").filter({ hasText: "45.30 USDC" }).filter({ hasText: order.mch_order_id });
  await expect(async () => {
    await page.goto(`${sandbox.base_url}/dashboard/transfers?show=unmatched`);
    await expect(row.first()).toContainText("Confirmed", { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await pressOn(page, row.first().getByRole("link", { name: "45.30 USDC" }));
  const actions = page.getByRole("list", { name: "What can I do?" });
  await expect(actions.getByRole("heading", { level: 3 })).toHaveText([
    "Assign it to an order",
    "Refund the sender",
    "Record a refund that you sent",
  ]);
  const steps = page.getByRole("region", { name: "Progress of the payment" });
  await expect(steps.getByRole("listitem").filter({ hasText: "Not credited" })).toContainText(", stopped");
  await expectAccessible(page);
  const choice = actions.getByRole("listitem").filter({ hasText: order.mch_order_id }).last();
  await pressOn(page, choice.getByRole("button", { name: "Assign" }));
  const dialog = dialogOf(page);
  await expectDialogAnnounced(dialog, new RegExp(order.mch_order_id));
  await expect(dialog).toContainText("2.00 USDC short.");
  await expectAccessible(page);
  await pressOn(page, dialog.getByRole("button", { name: "Assign" }));
  await expect(dialog).toHaveCount(0);
  await expectResultAnnounced(page, "Assigned. The order is underpaid");
  await expectPage(page, "after the transfer is assigned");
  await pressOn(page, page.getByRole("link", { name: "View order" }));
  await expect(page.getByRole("listitem").filter({ hasText: "Underpaid" }).first()).toContainText("2.00");
});

test("a payment is refunded, with keyboard and screen reader", async ({ page, sandbox }) => {
  const order = await payOrder(sandbox, { network: "ethereum", currency: "USDC", amount: 11 });
  await signIn(page, sandbox);
  takeMouseAway(page);
  await page.goto(`${sandbox.base_url}/dashboard/orders/${order.trade_id}`);
  const actions = page.getByRole("list", { name: "What can I do?" });
  await expect(actions).toContainText("Refund the customer");
  // A paid order cannot be marked as paid or cancelled.
  await expect(actions.getByRole("button")).toHaveText(["Request refund"]);
  await expectAccessible(page);
  const dialog = dialogOf(page);
  await pressOn(page, actions.getByRole("button", { name: "Request refund" }));
  await expectDialogAnnounced(dialog, /refund/i);
  const amount = dialog.getByLabel("Amount");
  await typeInto(page, amount, "99");
  await typeInto(page, dialog.getByLabel("Your password"), sandbox.merchant.password);
  await page.keyboard.press("Enter");
  await expectRefusalAnnounced(amount, /11/);
  await typeInto(page, amount, "4");
  await typeInto(page, dialog.getByLabel("Your password"), sandbox.merchant.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard\/refunds\/\w+/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("4.00 USDC");
  await expectPage(page, "after the refund is requested");
  expect((await findOrder(sandbox, order.trade_id)).status).toBe("paid");
});
